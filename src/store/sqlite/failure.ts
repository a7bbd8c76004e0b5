import { ApiError } from '../../errors.ts';

/** For how long, in milliseconds, a statement waits for the process that holds the database. */
export const PATIENCE = 1000;

const BUSY = 5;
// SQLite's primary result codes for a database that is busy, locked, read-only, unreadable, corrupt,
// full, out of reach or not a database: not the request's fault, and possibly gone on a retry.
const UNAVAILABLE = new Set([BUSY, 6, 8, 10, 11, 13, 14, 26]);
const UNIQUE_CONSTRAINT = 2067;

/** What the database threw, as the API knows it, where it does. */
export function apiError(error: unknown): unknown {
  if (Object(error).errcode === UNIQUE_CONSTRAINT)
    return new ApiError('conflict', { cause: error });
  if (UNAVAILABLE.has(primaryCode(error))) return new ApiError('unavailable', { cause: error });
  return error;
}

/** Whether another process holds the database. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

function primaryCode(error: unknown): number {
  return Number(Object(error).errcode) & 0xff;
}
