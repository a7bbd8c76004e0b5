import { Pool, types } from 'pg';
import type { Database, Value } from './database.ts';

/** A pool of `pg`, of ten connections as by default, with named statements. */
export function open(url: string): Database {
  // Ids and counts are bigint, which `pg` gives as text.
  types.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({ connectionString: url });
  let count = 0;

  function prepare(sql: string) {
    const name = `statement-${++count}`;
    let position = 0;
    const text = sql.replaceAll('?', () => `$${++position}`);
    return (values: Value[]) => pool.query({ name, text, values });
  }

  return {
    all(sql) {
      const ask = prepare(sql);
      return async (...values) => (await ask(values)).rows;
    },
    one(sql) {
      const ask = prepare(sql);
      return async (...values) => (await ask(values)).rows[0];
    },
    insert(sql) {
      const ask = prepare(`${sql} RETURNING id`);
      return async (...values) => (await ask(values)).rows[0].id;
    },
    change(sql) {
      const ask = prepare(sql);
      return async (...values) => (await ask(values)).rowCount ?? 0;
    },
    isAmong: '= ANY(?)',
    list: (ids) => ids,
  };
}
