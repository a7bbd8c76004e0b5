import type { DatabaseSync } from 'node:sqlite';
import { ApiError } from '../../errors.ts';
import type { Query } from '../database.ts';

/** Prepares a statement; what the database refuses is thrown as the API knows it, where it does. */
export function prepare<Row>(database: DatabaseSync, sql: string, onRun: () => void): Query<Row> {
  // SQLite numbers a parameter by its text only when it is written with a question mark.
  const statement = database.prepare(sql.replace(/\$(\d)/g, '?$1'));
  return async (...values) => {
    onRun();
    try {
      // `all` steps to the end, so that a commit that fails throws; `get` would stop at the first row
      // and commit while it resets the statement, where node:sqlite ignores a failure.
      // The columns named in the statement make the row.
      return statement.all(...values.map((v) => (typeof v === 'boolean' ? Number(v) : v))) as Row[];
    } catch (error) {
      throw apiError(error) ?? error;
    }
  };
}

// SQLite's primary result codes for a database that is busy, locked, read-only, unreadable, corrupt,
// full, out of reach or not a database: not the request's fault, and possibly gone on a retry.
const UNAVAILABLE = new Set([5, 6, 8, 10, 11, 13, 14, 26]);
const UNIQUE_CONSTRAINT = 2067;

function apiError(error: unknown): ApiError | undefined {
  const code = Number(Object(error).errcode);
  if (code === UNIQUE_CONSTRAINT) return new ApiError('conflict', { cause: error });
  if (UNAVAILABLE.has(code & 0xff)) return new ApiError('unavailable', { cause: error });
  return undefined;
}
