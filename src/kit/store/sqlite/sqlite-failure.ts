import { ApiError } from '../../errors.ts';
import { brokenReference } from '../database.ts';

/** How many milliseconds a statement waits for another process's lock. */
export const PATIENCE = 1000;

const BUSY = 5;
// SQLite's primary result codes for a database that is busy, locked, read-only, unreadable, corrupt,
// full, out of reach or not a database: not the request's fault, and possibly gone on a retry.
const UNAVAILABLE = new Set([BUSY, 6, 8, 10, 11, 13, 14, 26]);
// Extended result codes: UNIQUE, PRIMARYKEY and ROWID.
const UNIQUE = new Set([2067, 1555, 2579]);
const FOREIGN_KEY = 787;
// SQLite enforces ON DELETE RESTRICT by an internal trigger.
const TRIGGER = 1811;
const RESTRICTED = 'FOREIGN KEY constraint failed';

/** An error of the database as an ApiError, where there is one for it. */
export function apiError(error: unknown): unknown {
  const { errcode, message } = Object(error);
  if (UNIQUE.has(errcode)) return new ApiError('conflict', { cause: error });
  if (errcode === FOREIGN_KEY || (errcode === TRIGGER && message === RESTRICTED)) {
    return brokenReference(error);
  }
  if (UNAVAILABLE.has(primaryCode(error))) return new ApiError('unavailable', { cause: error });
  return error;
}

/** Whether another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

function primaryCode(error: unknown): number {
  return Number(Object(error).errcode) & 0xff;
}
