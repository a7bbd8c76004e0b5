import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ApiError } from '../../errors.ts';
import { createReadJson, type JsonStore, readJson } from '../read-json.ts';
import type { StoreControls } from '../store.ts';
import type { Opened, StoreOptions } from '../store-options.ts';
import { createTables } from '../store-tables.ts';
import { timedWrites } from '../timed-database.ts';
import { openIntact } from './integrity.ts';
import { isBusy } from './sqlite-failure.ts';
import { migrate } from './sqlite-migrations.ts';
import { connect } from './sqlite-statements.ts';

/** SQLite's own is 2 MB: of 100,000 records most would be read from the file again. */
const PAGE_CACHE_KIB = 64 * 1024;

/** Opens or creates the database and brings its tables up to date. */
export function openSqlite(file: string, options: StoreOptions): Opened<StoreControls & JsonStore> {
  mkdirSync(dirname(file), { recursive: true });
  const database = openIntact(file);
  const isNew = prepareOrClose(database, options);
  const { db, close } = connect(database, options);
  // SQLite answers a constant without reading the file.
  const ping = db.read('SELECT 1 FROM sqlite_schema LIMIT 1', () => {});
  const requireSameFile = sameFileCheck(file);
  const timed = timedWrites(db, options.onTimed);
  const store = {
    ...createTables(timed, options.tables, options.keyLifetime),
    [readJson]: createReadJson(timed, options.tables),
    async ping() {
      await ping();
      requireSameFile();
    },
    close: async () => close(),
  };
  return { store, ready: Promise.resolve({ isNew }) };
}

function prepareOrClose(database: DatabaseSync, options: StoreOptions): boolean {
  try {
    useWal(database);
    // FULL flushes the log at each commit.
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    // A negative number is in KiB.
    database.exec(`PRAGMA cache_size = -${PAGE_CACHE_KIB}`);
    const { isNew } = migrate(database, options.mayMigrate, options);
    // From here on this process waits for locks itself, without blocking the event loop.
    database.exec('PRAGMA busy_timeout = 0');
    return isNew;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Of processes that change the journal mode at once, SQLite refuses all but one without waiting. */
function useWal(database: DatabaseSync): void {
  for (let triesLeft = 10; ; triesLeft -= 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || triesLeft === 0) throw error;
      // Waits for the process that holds the lock.
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
    }
  }
}

/** What is written to a file that was removed or replaced is gone with the process; in memory there is none. */
function sameFileCheck(file: string): () => void {
  const idOf = () => {
    const { dev, ino } = Object(statSync(file, { throwIfNoEntry: false }));
    return `${dev} ${ino}`;
  };
  const opened = idOf();
  return () => {
    if (idOf() === opened) return;
    const cause = new Error(`${file} was removed or replaced: restart the server`);
    throw new ApiError('unavailable', { cause });
  };
}
