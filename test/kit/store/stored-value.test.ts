import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import { type AnyColumns, columnsOf } from '../../../src/kit/store/columns.ts';
import { brokenReference } from '../../../src/kit/store/database.ts';
import { brokenReferenceOf } from '../../../src/kit/store/relations.ts';
import {
  recordOf,
  storedJson,
  storedValue,
  storedValues,
  textLengthOf,
} from '../../../src/kit/store/stored-value.ts';

const declared: AnyColumns = {
  ...{ text: 'text', long: 'long text', integer: 'integer', number: 'number', boolean: 'boolean' },
  ...{ date: 'date', at: 'date-time', uuid: 'uuid', kind: 'enum', json: 'json' },
  ...{ textOrNull: 'text | null', jsonOrNull: 'json | null', jsonIfAny: 'json?' },
  ...{ booleanIfAny: 'boolean?', numberOrNull: 'number | null', atIfAny: 'date-time?' },
};
const columns = columnsOf(declared);
const fields = {
  ...{ text: 'é"', long: 'long', integer: -0, number: 1e21, boolean: true, date: '2026-01-01' },
  ...{ at: '2026-01-01T02:00:00.50+02:00', uuid: 'ABC', kind: 'B', json: { a: [1] } },
};
const values = [
  ...[
    'é"',
    'long',
    0,
    '1e+21',
    true,
    '2026-01-01',
    '2026-01-01T00:00:00.5',
    'abc',
    'B',
    '{"a":[1]}',
  ],
  ...[null, null, null, null, null, null],
];
const record = {
  ...{
    id: 7,
    text: 'é"',
    long: 'long',
    integer: 0,
    number: 1e21,
    boolean: true,
    date: '2026-01-01',
  },
  ...{ at: '2026-01-01T00:00:00.5Z', uuid: 'abc', kind: 'B', json: { a: [1] } },
  ...{ textOrNull: null, jsonOrNull: null, numberOrNull: null },
};

describe('the fields of a record', () => {
  it('are stored by the type of their column, and come back', () => {
    expect(storedValues(columns, fields)).toEqual(values);
    expect(recordOf(columns)([7, ...values])).toEqual(record);
    expect(Object.keys(recordOf(columns)([7, ...values]))).not.toContain('jsonIfAny');
    expect(storedJson(7, columns, values)).toBe(JSON.stringify(record));
    // SQLite has no booleans.
    const [first] = columnsOf({ boolean: 'boolean' });
    expect(recordOf(first ? [first] : [])([7, 0])).toEqual({ id: 7, boolean: false });
  });

  it('have their default where they are not given', () => {
    const [size] = columnsOf({ size: { type: 'integer', default: 5 } });
    const one = size ? [size] : [];
    expect(storedValues(one, {})).toEqual([5]);
    expect(storedValues(one, { size: undefined })).toEqual([5]);
    expect(storedValues(one, { size: 0 })).toEqual([0]);
    expect(storedValues(one, { size: null })).toEqual([null]);
  });

  it.each([
    ['text', null],
    ['text | null', null],
    ['integer?', null],
    ['json', 'null'],
    ['json?', 'null'],
    ['json | null', null],
  ] as const)('that are null are stored in a column of %s as %j', (type, stored) => {
    for (const column of columnsOf({ a: type })) {
      expect(storedValue(column, null)).toBe(stored);
      expect(storedValue(column, undefined)).toBeNull();
    }
  });

  it.each([2 ** 53, -(2 ** 53), 1.5, '1', Number.NaN])('%j is no integer', (value) => {
    for (const column of columnsOf({ size: 'integer' })) {
      expect(() => storedValue(column, value)).toThrow(
        expect.objectContaining({
          errors: [{ path: '/body/size', message: 'must be an integer of at most 2^53 - 1' }],
        }),
      );
    }
  });

  it('that cannot be JSON fail as they are, and those that are too deep are refused', () => {
    const [column] = columnsOf({ data: 'json' });
    if (!column) throw new Error('there is one');
    expect(() => storedValue(column, 1n)).toThrow(TypeError);
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(() => storedValue(column, deep)).toThrow(
      expect.objectContaining({ errors: [{ path: '/body/data', message: 'has too many levels' }] }),
    );
  });

  it('have as many characters as their texts', () => {
    const lengthOf = textLengthOf(columns);
    // Of numbers and booleans nothing is counted.
    expect(lengthOf(record)).toBe(2 + 4 + 10 + 22 + 3 + 1 + '{"a":[1]}'.length);
    expect(lengthOf({ id: 1 })).toBe(0);
    expect(lengthOf({ ...record, textOrNull: 'abc', jsonIfAny: [] })).toBe(lengthOf(record) + 5);
  });
});

it('only a refusal of the store tells which relation it is about', () => {
  const reference = { kind: 'unknown', table: 'houses', field: 'ownerId' } as const;
  expect(brokenReferenceOf(new ApiError('not-found', { cause: { reference } }))).toEqual(reference);
  for (const error of [
    new ApiError('not-found'),
    new ApiError('not-found', { cause: null }),
    new ApiError('not-found', { cause: 'reference' }),
    new ApiError('not-found', { cause: {} }),
    brokenReference(undefined),
    Object.assign(new Error('not-found'), { cause: { reference } }),
    undefined,
  ]) {
    expect(brokenReferenceOf(error)).toBeUndefined();
  }
});
