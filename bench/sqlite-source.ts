import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Rows, rowsOf } from './data.ts';
import type { Source } from './engines.ts';

/** SQLite files in a folder, which the caller removes. */
export function sqliteSource(folder: string): Source {
  const address = (name: string) => `sqlite:${join(folder, `${name}.db`)}`;
  return {
    create: async (name) => address(name),
    async fill(url, size) {
      const db = new DatabaseSync(fileOf(url));
      db.exec('BEGIN');
      for (const rows of rowsOf(size)) insert(db, rows);
      db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
    },
    async copy(url, name) {
      const to = fileOf(address(name));
      // What a killed server left there belongs to the earlier copy.
      for (const end of ['-wal', '-shm']) rmSync(`${to}${end}`, { force: true });
      copyFileSync(fileOf(url), to);
      return address(name);
    },
    cluster: undefined,
    remove: async () => {},
  };
}

function insert(db: DatabaseSync, { table, columns, count, row }: Rows): void {
  const names = columns.map(([name]) => name).join();
  const values = columns.map(() => '?').join();
  const statement = db.prepare(`INSERT INTO ${table} (${names}) VALUES (${values})`);
  for (let id = 1; id <= count; id++) statement.run(...row(id));
}

function fileOf(url: string): string {
  return url.slice('sqlite:'.length);
}
