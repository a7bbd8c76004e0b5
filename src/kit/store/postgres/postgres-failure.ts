import { DatabaseError } from 'pg';
import { ApiError } from '../../errors.ts';
import { brokenReference } from '../database.ts';

// PostgreSQL's classes of errors that are not the request's fault and may be gone on a retry: no or a
// refused connection, no such database, a transaction rolled back, out of resources, an operator's or a
// time-out's intervention, the system; and the codes of a server that is read-only and of a lock held.
const UNAVAILABLE = /^(08|28|3D|40|53|57|58)|^25006$|^55P03$/;
const MISTAKEN = /^(28|3D)/;
const ROLLED_BACK = /^40/;
const CUT_OFF = /^(08|57P)/;
const UNIQUE_VIOLATION = '23505';
// The second is that of a key with ON DELETE RESTRICT.
const FOREIGN_KEY_VIOLATIONS = ['23503', '23001'];

const outcomeUnknown =
  'The database was lost before it said whether the change was made. Look before you try again.';

/** What the database or its driver threw, as the API knows it, where it does. */
export function apiError(error: unknown, kind: 'read' | 'write' = 'read'): unknown {
  if (error instanceof ApiError || error instanceof TypeError) return error;
  const code = codeOf(error);
  if (code === UNIQUE_VIOLATION) return new ApiError('conflict', { cause: error });
  if (code !== undefined && FOREIGN_KEY_VIOLATIONS.includes(code)) return brokenReference(error);
  if (code !== undefined && !UNAVAILABLE.test(code)) return error;
  const isUnknown = kind === 'write' && isCutOff(error);
  return new ApiError('unavailable', {
    cause: error,
    ...(isUnknown && { detail: outcomeUnknown }),
  });
}

/** Whether the statement was undone because of others at the same time, and may well pass now. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(codeOf(error) ?? '');
}

/** Whether the server or its connection went away or fell silent: the connection is of no more use. */
export function isCutOff(error: unknown): boolean {
  // What the API itself refuses says nothing about the connection.
  if (error instanceof ApiError) return false;
  const code = codeOf(error);
  return code === undefined || CUT_OFF.test(code);
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Whether the server is there but knows no such user or database: to wait for it is in vain. */
export function isMistaken(error: unknown): boolean {
  return MISTAKEN.test(codeOf(error) ?? '');
}

/** PostgreSQL's own code; what the driver throws is about the connection and has none. */
function codeOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}
