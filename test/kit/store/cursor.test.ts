import { describe, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import { cursorOf, positionAt } from '../../../src/kit/store/cursor.ts';
import { askedOf, positionOf } from '../../../src/kit/store/question.ts';
import { tablesOf } from '../../../src/kit/store/table.ts';
import { records } from '../../../src/kit/store/table-declarations.ts';

type Thing = {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly weight: number | null;
  readonly done: boolean;
  readonly open: boolean | null;
  readonly at?: string;
};
const fields = ['name', 'size', 'weight', 'done', 'open', 'at'] as const;
const things = records<Thing>(
  {
    ...{ name: 'text', size: 'integer', weight: 'number | null', done: 'boolean' },
    ...{ open: 'boolean | null', at: 'date-time?' },
  },
  { sort: fields },
);
const table = present(tablesOf({ things })[0]);
const other = present(tablesOf({ others: things })[0]);

/** `-size` is descending. */
const askedBy = (...names: readonly string[]) =>
  askedOf(table, {
    sort: names.map((name) => ({
      field: name.replace('-', ''),
      isDescending: name.startsWith('-'),
    })),
  });
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const refused = expect.objectContaining({
  code: 'invalid-request',
  errors: [{ path: '/after', message: 'is not a cursor of this list' }],
});
function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe('the cursor after a record', () => {
  const thing = {
    ...{ id: 7, name: 'é"', size: -1, weight: null, done: false, open: null },
    at: '2026-01-01T02:00:00.50+02:00',
  };
  const at = '2026-01-01T00:00:00.5';

  it.each<[string[], unknown[]]>([
    [['-id'], ['things -id', 7]],
    [['size'], ['things size,id', -1, 7]],
    [['-size'], ['things -size,-id', -1, 7]],
    [
      ['-size', 'name'],
      ['things -size,name,id', -1, 'é"', 7],
    ],
    [
      ['name', '-id'],
      ['things name,-id', 'é"', 7],
    ],
    [
      ['weight', 'done', 'open'],
      ['things weight,done,open,id', null, false, null, 7],
    ],
    [['at'], ['things at,id', at, 7]],
  ])('in order of %j has what the order compares, and comes back', (sort, expected) => {
    const asked = askedBy(...sort);
    const position = positionOf(asked, thing);
    const cursor = cursorOf(table, asked, position);
    expect(cursor).toBe(encoded(expected));
    expect(positionAt(table, asked, cursor)).toEqual(position);
  });

  it('in order of id is the id', () => {
    const asked = askedBy('id');
    expect(cursorOf(table, asked, positionOf(asked, thing))).toBe(7);
    expect(cursorOf(table, askedBy(), { values: [], id: 0 })).toBe(0);
  });

  // SQLite has no booleans.
  it.each([
    [1, true],
    [0, false],
    [true, true],
    [null, null],
  ])('has a boolean for %j', (value, key) => {
    const asked = askedBy('open');
    const cursor = cursorOf(table, asked, { values: [value], id: 1 });
    expect(cursor).toBe(encoded(['things open,id', key, 1]));
    expect(cursorOf(table, askedBy('size'), { values: [0], id: 1 })).toBe(
      encoded(['things size,id', 0, 1]),
    );
  });
});

describe('a cursor', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['name', ['', 'é', '\u{10ffff}'], [null, 1, true, 'a\0', '\ud800', []]],
    ['size', [0, -1, 2 ** 53 - 1, -(2 ** 53) + 1], [null, '1', 1.5, 2 ** 53, true]],
    ['weight', [null, 0, 1.5, 1e308, 2 ** 60], ['1', false, {}]],
    ['done', [true, false], [null, 0, 1, 'true']],
    ['open', [true, false, null], [0, 'false']],
    ['at', [null, '2026-01-01T00:00:00'], [0, true, '\0']],
  ])('by %s takes the values that the field has', (field, taken, others) => {
    const at = (key: unknown) =>
      outcome(() => positionAt(table, askedBy(field), encoded([`things ${field},id`, key, 3])));
    for (const key of taken) expect(at(key)).toEqual({ values: [key], id: 3 });
    for (const key of others) expect(at(key)).toEqual(refused);
  });

  it('takes no number that is infinite', () => {
    const cursor = Buffer.from('["things weight,id",1e999,3]').toString('base64url');
    expect(outcome(() => positionAt(table, askedBy('weight'), cursor))).toEqual(refused);
  });

  it.each([0, 1, 2 ** 53 - 1])('takes the id %d', (id) => {
    expect(positionAt(table, askedBy('size'), encoded(['things size,id', 1, id]))).toEqual({
      values: [1],
      id,
    });
    for (const cursor of [id, String(id)]) {
      expect(positionAt(table, askedBy(), cursor)).toEqual({ values: [], id });
    }
  });

  it.each([-1, 1.5, 2 ** 53, '1', null, [1]])('does not take the id %j', (id) => {
    const cursor = encoded(['things size,id', 1, id]);
    expect(outcome(() => positionAt(table, askedBy('size'), cursor))).toEqual(refused);
  });

  it.each([-1, 1.5, 2 ** 53, '', '01', ' 1', '1e1', '0x1', '1.0', 'x', encoded(['things id', 1])])(
    'in order of id is not %j',
    (cursor) => {
      expect(outcome(() => positionAt(table, askedBy(), cursor))).toEqual(refused);
    },
  );

  it.each<[string, unknown]>([
    ['no list', { id: 1 }],
    ['an empty list', []],
    ['an id alone', ['things size,id']],
    ['a value too few', ['things size,id', 1]],
    ['a value too many', ['things size,id', 1, 1, 1]],
    ['the values of another order', ['things -size,-id', 1, 1]],
    ['those of another direction of ids', ['things size,-id', 1, 1]],
    ['those of another field', ['things weight,id', 1, 1]],
    ['those of another table', ['others size,id', 1, 1]],
  ])('is not one that holds %s', (_, value) => {
    expect(outcome(() => positionAt(table, askedBy('size'), encoded(value)))).toEqual(refused);
  });

  it('is not text that is no JSON', () => {
    for (const cursor of ['', 'x', '%', 5]) {
      expect(outcome(() => positionAt(table, askedBy('size'), cursor))).toEqual(refused);
    }
  });

  it('of one table is none of another', () => {
    const asked = askedBy('size');
    const cursor = cursorOf(table, asked, { values: [1], id: 1 });
    expect(outcome(() => positionAt(other, asked, cursor))).toEqual(refused);
  });
});
