import { describe, expect, it } from 'vitest';
import { ApiError, invalid, present } from '../../src/kit/errors.ts';
import { fromJson, json, whole } from '../../src/kit/json-text.ts';
import { andThen } from '../../src/kit/maybe-promise.ts';

describe('an error of the API', () => {
  it('says what it is given, or its code', () => {
    const cause = new Error('why');
    const errors = [{ path: '/a', message: 'is not' }];
    const all = { status: 418, detail: 'Why not.', errors, headers: { A: '1' }, cause };
    const told = new ApiError('conflict', all);
    expect({ ...told }).toEqual({ ...all, cause: undefined, name: 'ApiError', code: 'conflict' });
    expect([told.message, told.cause]).toEqual(['Why not.', cause]);
    const plain = new ApiError('conflict');
    expect([plain.message, plain.headers, plain.errors]).toEqual(['conflict', {}, undefined]);
    expect(invalid('/a', 'is not')).toMatchObject({ code: 'invalid-request', errors });
  });

  it('has no stack, and takes that of no other', () => {
    expect(new ApiError('conflict').stack).not.toContain('\n');
    expect(new Error('other').stack).toContain('errors.test.ts');
  });
});

it('a value that must be there is, or that is an error', () => {
  expect([present(0), present(null), present('')]).toEqual([0, null, '']);
  expect(() => present(undefined)).toThrow('a value that must be present is absent');
});

it('JSON text is one, also where it comes in pieces', async () => {
  const text = json({ a: [1] });
  expect([text, fromJson(text), await whole(text)]).toEqual(['{"a":[1]}', { a: [1] }, text]);
  async function* pieces() {
    yield '[1';
    yield ',2]';
  }
  // The pieces are JSON.
  expect(await whole(pieces() as never)).toBe('[1,2]');
});

it('what is there is used at once, what is promised later', async () => {
  const seen: number[] = [];
  const use = (value: number) => seen.push(value);
  const promised = andThen(Promise.resolve(2), use);
  expect(andThen(1, use)).toBe(1);
  expect(seen).toEqual([1]);
  expect(await promised).toBe(2);
  expect(seen).toEqual([1, 2]);
});
