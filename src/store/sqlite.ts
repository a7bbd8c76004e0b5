import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createCollection } from './collection.ts';
import { type Database, prepare } from './database.ts';
import { createGraph } from './graph.ts';
import { migrate } from './migrations.ts';
import type { Opened, Store } from './store.ts';
import { tables } from './tables.ts';

/** Opens or creates the database and brings its tables up to date. */
export function openSqlite(file: string, onStatement: () => void): Opened {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: 1000 });
  // A commit is on disk before it returns: the log is flushed at each one.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  const { isNew } = migrate(database);
  const db: Database = { query: (sql) => prepare(database, sql, onStatement) };
  const one = db.query('SELECT 1');
  const store: Store = {
    books: createCollection(db, 'books', tables.books),
    tasks: createCollection(db, 'tasks', tables.tasks),
    notes: createCollection(db, 'notes', tables.notes),
    items: createCollection(db, 'items', tables.items),
    ...createGraph(db),
    ping: async () => void one(),
    close: async () => database.close(),
  };
  return { store, isNew };
}
