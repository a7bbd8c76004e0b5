import { performance } from 'node:perf_hooks';
import type { Value } from './columns.ts';
import type { Database } from './database.ts';
import type { OnTimed } from './store-options.ts';

/** The same database, whose statements are timed; several that are one write, as one. */
export function timed(db: Database, onTimed: OnTimed): Database {
  const time = createTime(onTimed);
  return {
    ...timedWrites(db, onTimed),
    read: (sql, make) => {
      const query = db.read(sql, make);
      return (...values: Value[]) => time('read', async () => query(...values));
    },
  };
}

/** The same database, whose writes are timed; it times its reads by itself. */
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
    // Told within the request that asked, before it goes on.
    const tell = () => onTimed(kind, start, performance.now() - start);
    result.then(tell, tell);
    return result;
  };
}
