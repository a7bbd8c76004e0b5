import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import {
  apiError,
  isCutOff,
  isElsewhere,
  isMistaken,
  isReadOnly,
  isRolledBack,
  isStatementTimeout,
  isTimeout,
  PoolBusy,
} from '../../../src/kit/store/postgres/postgres-failure.ts';

const refusal = (code: string) => Object.assign(new DatabaseError('refused', 1, 'error'), { code });

/** All that is said of an error, in one text. */
function said(error: unknown): string {
  const read = apiError(error);
  return [
    ...(read instanceof ApiError ? [read.code] : []),
    ...(Object(read).detail?.includes('refers to') ? ['reference'] : []),
    ...(isRolledBack(error) ? ['rolled back'] : []),
    ...(isCutOff(error) ? ['cut off'] : []),
    ...(isReadOnly(error) ? ['read-only'] : []),
    ...(isElsewhere(error) ? ['elsewhere'] : []),
    ...(isTimeout(error) ? ['no answer'] : []),
    ...(isStatementTimeout(error) ? ['too long'] : []),
    ...(isMistaken(error) ? ['mistaken'] : []),
  ].join(', ');
}

// The codes and their classes as the appendix of PostgreSQL's manual has them.
const codes: [code: string, said: string][] = [
  ['08000', 'unavailable, cut off, elsewhere'],
  ['08006', 'unavailable, cut off, elsewhere'],
  ['08P01', 'unavailable, cut off, elsewhere'],
  ['28000', 'unavailable, mistaken'],
  ['28P01', 'unavailable, mistaken'],
  ['3D000', 'unavailable, elsewhere, mistaken'],
  ['40001', 'unavailable, rolled back'],
  ['40P01', 'unavailable, rolled back'],
  ['53100', 'unavailable'],
  ['53300', 'unavailable'],
  ['57014', 'unavailable, too long'],
  ['57P01', 'unavailable, cut off, elsewhere'],
  ['57P03', 'unavailable, cut off, elsewhere'],
  ['58030', 'unavailable'],
  ['25006', 'unavailable, read-only'],
  ['55P03', 'unavailable'],
  ['23505', 'conflict'],
  ['23503', 'conflict, reference'],
  ['23001', 'conflict, reference'],
  ...['23502', '23514', '22P02', '25P02', '42P01', '42501', '55006', '3F000', 'P0001', 'XX000'].map(
    (code): [string, string] => [code, ''],
  ),
];

describe('an error of PostgreSQL', () => {
  it.each(codes)('of the code %s is: %s', (code, expected) => {
    const error = refusal(code);
    expect(said(error)).toBe(expected);
    const thrown = apiError(error);
    if (expected) expect(thrown).toMatchObject({ cause: error });
    else expect(thrown).toBe(error);
  });

  it.each(codes)(
    'of the code %s leaves the outcome of a write open where it is: %s',
    (code, is) => {
      const isOpen = (kind?: 'read' | 'write') =>
        String(Object(apiError(refusal(code), kind)).detail).includes('Look before you try again');
      expect(isOpen('write')).toBe(is.includes('cut off'));
      expect([isOpen('read'), isOpen()]).toEqual([false, false]);
    },
  );
});

describe('an error without a code', () => {
  it.each<[string, unknown, string]>([
    ['of the driver', new Error('Connection terminated'), 'unavailable, cut off, elsewhere'],
    ['of no answer', new Error('Query read timeout'), 'unavailable, cut off, elsewhere, no answer'],
    ['of no free connection', new PoolBusy('all in use'), 'unavailable, cut off'],
    [
      'with a code that is not PostgreSQL’s',
      Object.assign(new Error('refused'), { code: '23505' }),
      'unavailable, cut off, elsewhere',
    ],
  ])('%s is about the connection', (_, error, expected) => {
    expect(said(error)).toBe(expected);
    expect(apiError(error)).toMatchObject({ code: 'unavailable', cause: error });
  });

  it.each([
    new ApiError('conflict'),
    new ApiError('unavailable'),
    new TypeError('undefined is not a function'),
  ])('that is none of the database is left as it is: %s', (error) => {
    expect(apiError(error)).toBe(error);
    expect(apiError(error, 'write')).toBe(error);
  });

  it('that says what became of a request breaks no connection', () => {
    expect(isCutOff(new ApiError('unavailable'))).toBe(false);
  });
});
