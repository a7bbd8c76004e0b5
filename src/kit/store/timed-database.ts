import { performance } from 'node:perf_hooks';
import type { Value } from './columns.ts';
import type { Database } from './database.ts';
import type { OnTimed } from './store-options.ts';

/** Times the statements of a database; a transaction counts as one write. */
export function timed(db: Database, onTimed: OnTimed): Database {
  const time = createTime(onTimed);
  return {
    ...timedWrites(db, onTimed),
    read: (sql, make) => {
      const query = db.read(sql, make);
      return (...values: Value[]) => time('read', async () => query(...values));
    },
    readOne: (sql, types, make) => {
      const query = db.readOne(sql, types, make);
      return (...values: Value[]) => time('read', async () => query(...values));
    },
  };
}

/** Times the writes of a database that times its reads itself. */
export function timedWrites(db: Database, onTimed: OnTimed): Database {
  const time = createTime(onTimed);
  return {
    ...db,
    write: (sql, make) => {
      const query = db.write(sql, make);
      return (...values: Value[]) => time('write', () => query(...values));
    },
    insert: (table, row) => {
      const insert = db.insert(table, row);
      return (...values: Value[]) => time('write', () => insert(...values));
    },
    writeAll: (steps) => time('write', () => db.writeAll(steps)),
  };
}

function createTime(onTimed: OnTimed) {
  return <T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = work();
    // Registered first, so that it runs before the request continues.
    const tell = () => onTimed(kind, start, performance.now() - start);
    result.then(tell, tell);
    return result;
  };
}
