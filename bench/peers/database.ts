import { DatabaseSync } from 'node:sqlite';
import { database } from './settings.ts';

/** The database with the settings that Accord gives it: a commit is on disk before it returns. */
export function open(): DatabaseSync {
  const db = new DatabaseSync(database, { timeout: 1000 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return db;
}
