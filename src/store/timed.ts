import type { Database, Read, Value } from './database.ts';
import type { Soon } from './soon.ts';
import type { OnTimed } from './store.ts';

/** The same database, whose statements are timed; several that are one write, as one. */
export function timed(db: Database, onTimed: OnTimed): Database {
  const time = createTime(onTimed);
  return { ...timedWrites(db, onTimed), read: (sql) => time.query('read', db.read(sql)) };
}

/** The same database, whose writes are timed; it times its reads by itself. */
export function timedWrites(db: Database, onTimed: OnTimed): Database {
  const time = createTime(onTimed);
  return {
    ...db,
    write: (sql) => time.query('write', db.write(sql)),
    writeAll: (steps) => time.run('write', () => db.writeAll(steps)),
  };
}

function createTime(onTimed: OnTimed) {
  async function run<T>(kind: 'read' | 'write', work: () => Soon<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      onTimed(kind, start, performance.now() - start);
    }
  }
  function query<Row>(kind: 'read' | 'write', inner: Read<Row>) {
    return (...values: Value[]) => run(kind, () => inner(...values));
  }
  return { run, query };
}
