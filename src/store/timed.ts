import type { Database, Query } from './database.ts';
import type { OnTimed } from './store.ts';

/** The same database, whose statements are timed; several that are one write, as one. */
export function timed(db: Database, onTimed: OnTimed): Database {
  const time = async <T>(kind: 'read' | 'write', run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await run();
    } finally {
      onTimed(kind, start, performance.now() - start);
    }
  };
  const timing =
    <Row>(kind: 'read' | 'write', query: Query<Row>): Query<Row> =>
    (...values) =>
      time(kind, () => query(...values));
  return {
    dialect: db.dialect,
    read: (sql) => timing('read', db.read(sql)),
    write: (sql) => timing('write', db.write(sql)),
    writeAll: (steps) => time('write', () => db.writeAll(steps)),
  };
}
