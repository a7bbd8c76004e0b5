import { DatabaseSync } from 'node:sqlite';
import type { Ask, Database } from './database.ts';

/** The file with the settings that Accord gives it: a commit is on disk before it returns. */
export function openFile(url: string): DatabaseSync {
  const db = new DatabaseSync(url.replace(/^sqlite:/, ''), { timeout: 1000 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return db;
}

export function open(url: string): Database {
  const db = openFile(url);
  return {
    // Rows have the columns that their SQL names, and `list` makes lists into text.
    all<T>(sql: string): Ask<T[]> {
      const statement = db.prepare(sql);
      return (...values) => statement.all(...(values as string[])) as T[];
    },
    one<T>(sql: string): Ask<T | undefined> {
      const statement = db.prepare(sql);
      return (...values) => statement.get(...(values as string[])) as T | undefined;
    },
    insert(sql) {
      const statement = db.prepare(sql);
      return (...values) => Number(statement.run(...(values as string[])).lastInsertRowid);
    },
    change(sql) {
      const statement = db.prepare(sql);
      return (...values) => Number(statement.run(...(values as string[])).changes);
    },
    isAmong: 'IN (SELECT value FROM json_each(?))',
    list: (ids) => JSON.stringify(ids),
  };
}
