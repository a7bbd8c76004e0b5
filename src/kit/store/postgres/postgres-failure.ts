import { DatabaseError } from 'pg';
import { ApiError } from '../../errors.ts';
import { brokenReference } from '../database.ts';

// Error classes that a retry may mend: connection, authorization, no such database, rollback, resources,
// operator intervention and time-out, system; and the codes of a read-only server and a held lock.
const UNAVAILABLE = /^(08|28|3D|40|53|57|58)|^25006$|^55P03$/;
const MISTAKEN = /^(28|3D)/;
const ROLLED_BACK = /^40/;
const CUT_OFF = /^(08|57P)/;
const READ_ONLY = '25006';
// A standby that lags may not know the database yet.
const ELSEWHERE = /^(08|57P|3D)/;
const UNIQUE_VIOLATION = '23505';
// The second is restrict_violation, of ON DELETE RESTRICT.
const FOREIGN_KEY_VIOLATIONS = ['23503', '23001'];

const outcomeUnknown =
  'The database was lost before it said whether the change was made. Look before you try again.';

/** An error of the database or its driver as an ApiError, where there is one for it. */
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

/** Whether concurrent transactions made it fail, so that a retry may pass. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(codeOf(error) ?? '');
}

/** Whether the connection is lost or timed out, and must be closed. */
export function isCutOff(error: unknown): boolean {
  if (error instanceof ApiError) return false;
  const code = codeOf(error);
  return code === undefined || CUT_OFF.test(code);
}

/** Whether the server takes no writes: nothing was changed. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY;
}

/** Whether a host that no connection could be had from is not the one to ask. */
export function isElsewhere(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined ? !(error instanceof PoolBusy) : ELSEWHERE.test(code);
}

/** All connections of a pool stayed in use. */
export class PoolBusy extends Error {}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Whether the server gave a statement up because it took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** Whether the server knows no such user or database: waiting is in vain. */
export function isMistaken(error: unknown): boolean {
  return MISTAKEN.test(codeOf(error) ?? '');
}

/** PostgreSQL's code; errors of the driver are about the connection and have none. */
function codeOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}
