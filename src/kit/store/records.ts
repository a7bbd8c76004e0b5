import { present } from '../errors.ts';
import { type AnyFields, type AnyRecord, limitedBy, type Value } from './columns.ts';
import type { Database, Query } from './database.ts';
import { createLists } from './listing.ts';
import { isPlain } from './question.ts';
import { createReading } from './reading.ts';
import { createRelations } from './relations.ts';
import type { Records } from './store.ts';
import { recordOf, storedValue, storedValues } from './stored-value.ts';
import type { Table } from './table.ts';

/** The records of a table without versions. */
export function createRecords(db: Database, table: Table): Records<AnyRecord, AnyFields> {
  const { columns } = table;
  const names = ['id', ...columns.map(({ name }) => name)].join();
  const record = recordOf(columns);
  const reading = createReading(db, table);
  const { page: pageOf, cursor } = createLists(db, table);
  const { row, writing, changing, removing } = createRelations(db, table);
  const insert = db.insert(table.sql, row);
  const page = db.read(
    `SELECT ${names} FROM ${table.sql} WHERE id > $1 ORDER BY id ${limitedBy('$2')}`,
    record,
  );
  const remove = db.write(`DELETE FROM ${table.sql} WHERE id = $1 RETURNING id`, () => {});
  const updates = new Map<string, Query<AnyRecord>>();

  function updateOf(set: string): Query<AnyRecord> {
    const known = updates.get(set);
    if (known) return known;
    const sql = `UPDATE ${table.sql} SET ${set} WHERE id = $1 RETURNING ${names}`;
    const update = db.write(sql, record);
    updates.set(set, update);
    return update;
  }

  return {
    ...reading,
    cursor,
    page(asked) {
      const { after, limit } = asked;
      // Rows are read faster than JSON.
      if (typeof after !== 'string' && isPlain(asked)) {
        return page(typeof after === 'object' ? after.id : (after ?? 0), limit);
      }
      return pageOf(asked);
    },
    async create(fields) {
      const values = storedValues(columns, fields);
      const id = present(await writing(fields, () => insert(...values)));
      return record([id, ...values]);
    },
    async update(id, changes) {
      const changed = columns.filter(({ field }) => changes[field] !== undefined);
      if (changed.length === 0) return reading.find(id);
      const update = updateOf(changed.map(({ name }, i) => `${name} = $${i + 2}`).join());
      const values = changed.map((column): Value => storedValue(column, changes[column.field]));
      return (await changing(changes, () => update(id, ...values)))[0];
    },
    remove: async (id) => (await removing(id, () => remove(id))).length > 0,
  };
}
