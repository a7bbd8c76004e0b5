import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import { apiError, isBusy } from '../../../src/kit/store/sqlite/sqlite-failure.ts';

const failure = (errcode: number, message = 'failed') =>
  Object.assign(new Error(message), { errcode });

describe('an error of SQLite', () => {
  // The result codes that sqlite.org/rescode.html names, with some of their extended ones.
  it.each([
    ['BUSY', 5],
    ['BUSY_RECOVERY', 261],
    ['BUSY_SNAPSHOT', 517],
    ['LOCKED', 6],
    ['LOCKED_SHAREDCACHE', 262],
    ['READONLY', 8],
    ['READONLY_DBMOVED', 1032],
    ['IOERR', 10],
    ['IOERR_FSYNC', 1034],
    ['CORRUPT', 11],
    ['CORRUPT_INDEX', 779],
    ['FULL', 13],
    ['CANTOPEN', 14],
    ['CANTOPEN_ISDIR', 526],
    ['NOTADB', 26],
  ])('%s is unavailable', (_, code) => {
    const error = failure(code);
    expect(apiError(error)).toBeInstanceOf(ApiError);
    expect(apiError(error)).toMatchObject({ code: 'unavailable', cause: error });
  });

  it.each([
    ['CONSTRAINT_UNIQUE', 2067],
    ['CONSTRAINT_PRIMARYKEY', 1555],
    ['CONSTRAINT_ROWID', 2579],
  ])('%s is a conflict', (_, code) => {
    const error = failure(code);
    expect(apiError(error)).toMatchObject({ code: 'conflict', cause: error });
    expect(apiError(error)).not.toMatchObject({ detail: expect.stringContaining('refers to') });
  });

  it.each([
    ['CONSTRAINT_FOREIGNKEY', failure(787)],
    ['CONSTRAINT_TRIGGER of RESTRICT', failure(1811, 'FOREIGN KEY constraint failed')],
  ])('%s is a conflict with what refers to it', (_, error) => {
    expect(apiError(error)).toMatchObject({
      ...{ code: 'conflict', cause: error },
      detail: expect.stringContaining('refers to'),
    });
  });

  it.each([
    ...[1, 2, 3, 4, 7, 9, 12, 15, 17, 18, 19, 20, 21, 23, 25].map((code) => failure(code)),
    // CHECK, NOTNULL, and a trigger of the API's own.
    ...[failure(275), failure(1299), failure(1811, 'no more of these')],
    failure(1, 'FOREIGN KEY constraint failed'),
    new Error('of something else'),
    'no error',
    undefined,
  ])('is left as it is where the server is at fault: %j', (error) => {
    expect(apiError(error)).toBe(error);
  });

  it('is waited for only where another process holds the lock', () => {
    const codes = [1, 4, 5, 6, 8, 10, 11, 13, 14, 26, 261, 262, 517];
    expect(codes.filter((code) => isBusy(failure(code)))).toEqual([5, 261, 517]);
  });
});
