import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import type { Query } from '../database.ts';

/** Prepares a statement; what the database refuses is thrown as the API knows it, where it does. */
export function prepare<Row>(database: DatabaseSync, sql: string, onRun: () => void): Query<Row> {
  // SQLite numbers a parameter by its text only when it is written with a question mark.
  const statement = database.prepare(sql.replace(/\$(\d)/g, '?$1'));
  return async (...given) => {
    onRun();
    const values = given.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    const start = performance.now();
    for (;;) {
      try {
        // `all` steps to the end, so that a commit that fails throws; `get` would stop at the first row
        // and commit while it resets the statement, where node:sqlite ignores a failure.
        // The columns named in the statement make the row.
        return statement.all(...values) as Row[];
      } catch (error) {
        // SQLite would wait for another process by standing still, and everybody here with it.
        const isBusy = primaryCode(error) === BUSY && performance.now() - start < PATIENCE;
        if (!isBusy) throw apiError(error) ?? error;
        await sleep(1 + Math.random() * 10);
      }
    }
  };
}

/** For how many milliseconds a statement waits for the processes that write before it. */
const PATIENCE = 1000;
const BUSY = 5;

// SQLite's primary result codes for a database that is busy, locked, read-only, unreadable, corrupt,
// full, out of reach or not a database: not the request's fault, and possibly gone on a retry.
const UNAVAILABLE = new Set([BUSY, 6, 8, 10, 11, 13, 14, 26]);
const UNIQUE_CONSTRAINT = 2067;

function apiError(error: unknown): ApiError | undefined {
  if (Object(error).errcode === UNIQUE_CONSTRAINT)
    return new ApiError('conflict', { cause: error });
  if (UNAVAILABLE.has(primaryCode(error))) return new ApiError('unavailable', { cause: error });
  return undefined;
}

function primaryCode(error: unknown): number {
  return Number(Object(error).errcode) & 0xff;
}
