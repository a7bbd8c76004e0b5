import { describe, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import type { AnyRecord } from '../../../src/kit/store/columns.ts';
import { askedOf, compareValues, isPlain, positionOf } from '../../../src/kit/store/question.ts';
import type { Question } from '../../../src/kit/store/store.ts';
import { tablesOf } from '../../../src/kit/store/table.ts';
import { records } from '../../../src/kit/store/table-declarations.ts';

type Thing = {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly weight: number | null;
  readonly done: boolean;
  readonly at: string | null;
  readonly key: string;
  readonly kind: 'a' | 'B';
};
const fields = ['name', 'size', 'weight', 'done', 'at', 'key', 'kind'] as const;
const table = present(
  tablesOf({
    things: records<Thing>(
      {
        ...{ name: 'text', size: 'integer', weight: 'number | null', done: 'boolean' },
        ...{ at: 'date-time | null', key: 'uuid', kind: 'enum' },
      },
      { filter: fields, sort: ['name', 'size', 'done'] },
    ),
  })[0],
);

type Where = Question<AnyRecord>['where'];
type Order = [names: string[], terms: string[], isDescending: boolean];

/** The conditions as texts, such as `size gt 5`. */
const conditions = (where: Where) =>
  askedOf(table, { where }).conditions.map(
    ({ column, operator, value }) => `${column.field} ${operator} ${JSON.stringify(value)}`,
  );

describe('the conditions of a question', () => {
  it.each<[string, object, string[]]>([
    ['all of one field', { size: { eq: 1, in: [2, 1] } }, ['size eq 1', 'size in "[2,1]"']],
    ['in the order of the fields', { size: { lt: 5 }, id: { gt: 2 } }, ['size lt 5', 'id gt 2']],
    ['none that are left out', { size: undefined, name: { eq: undefined } }, []],
    ['null', { at: { eq: null } }, ['at eq null']],
    ['part of a text', { name: { contains: 'A%' } }, ['name contains "A%"']],
    [
      'numbers as they are',
      { weight: { gte: 1.5, lte: 1e300 } },
      ['weight gte 1.5', 'weight lte 1e+300'],
    ],
    ['booleans', { done: { eq: true, in: [false] } }, ['done eq true', 'done in "[false]"']],
    [
      'instants in UTC',
      { at: { eq: '2026-01-01T02:00:00.50+02:00', in: ['2026-01-01T00:00:00Z'] } },
      ['at eq "2026-01-01T00:00:00.5"', 'at in "[\\"2026-01-01T00:00:00\\"]"'],
    ],
    [
      'a UUID in lower case',
      { key: { eq: 'ABC', in: ['DEF'] } },
      ['key eq "abc"', 'key in "[\\"def\\"]"'],
    ],
    [
      'other text as it is',
      { kind: { eq: 'B' }, name: { eq: 'ABC' } },
      ['kind eq "B"', 'name eq "ABC"'],
    ],
    [
      'integers up to where no column has any',
      { size: { gt: -1e300, lt: 1e300, in: [2 ** 53 - 1] } },
      ['size in "[9007199254740991]"', `size gt ${-(2 ** 53)}`, `size lt ${2 ** 53}`],
    ],
  ])('are %s', (_, where, expected) => {
    expect(conditions(where as Where)).toEqual(expected);
  });

  // Of two bounds on one side the nearer one; of the same bound the one that leaves out its value.
  it.each<[object, string[]]>([
    [{ gt: 4, gte: 5 }, ['size gte 5']],
    [{ gt: 5, gte: 5 }, ['size gt 5']],
    [{ gt: 6, gte: 5 }, ['size gt 6']],
    [{ lt: 6, lte: 5 }, ['size lte 5']],
    [{ lt: 5, lte: 5 }, ['size lt 5']],
    [{ lt: 4, lte: 5 }, ['size lt 4']],
    [{ gt: 1, gte: 1, lt: 1, lte: 1 }, ['size gt 1', 'size lt 1']],
    [{ gt: 9, lt: 1 }, ['size gt 9', 'size lt 1']],
    [{ gt: 1, lt: 9 }, ['size gt 1', 'size lt 9']],
    [{ gte: 1, lte: 9 }, ['size gte 1', 'size lte 9']],
    [{ gt: 1, lte: 9 }, ['size gt 1', 'size lte 9']],
    [{ gt: 9, lte: 1 }, ['size gt 9', 'size lte 1']],
    [{ gte: 1, lt: 9 }, ['size gte 1', 'size lt 9']],
    [{ gte: 9, lt: 1 }, ['size gte 9', 'size lt 1']],
    [{ eq: 5, gt: 4, lt: 6 }, ['size eq 5', 'size gt 4', 'size lt 6']],
    [{ eq: 5, gte: 5, lte: 5 }, ['size eq 5', 'size gte 5', 'size lte 5']],
    // No record meets a bound that is null.
    [{ gt: null, gte: 5 }, ['size gt null', 'size gte 5']],
    [{ gt: -5, gte: null }, ['size gt -5', 'size gte null']],
    [{ lt: null, lte: -5 }, ['size lt null', 'size lte -5']],
    [{ lt: 5, lte: null }, ['size lt 5', 'size lte null']],
  ])('%j are those that are not implied by others', (size, expected) => {
    expect(conditions({ size })).toEqual(expected);
  });

  it('of text are compared by code point', () => {
    expect(conditions({ name: { gt: '\uffff', gte: '\u{10000}' } })).toEqual([
      'name gte "\u{10000}"',
    ]);
    expect(conditions({ name: { gt: '10', gte: '9' } })).toEqual(['name gte "9"']);
    expect(conditions({ done: { gt: false, gte: true } })).toEqual(['done gte true']);
    expect(compareValues('b', 'a')).toBeGreaterThan(0);
    expect(compareValues('a', 'a')).toBe(0);
    expect(compareValues(10, 9)).toBe(1);
  });

  it.each<[object, string, string]>([
    [{ size: { gt: 1.5 } }, '/where/size', 'must be an integer'],
    [{ size: { in: [1, '2'] } }, '/where/size', 'must be an integer'],
    [{ at: { eq: 'now' } }, '/where/at', 'must be a date and time of RFC 3339'],
    ...['a\0', '\ud800'].map((text): [object, string, string] => [
      { name: { contains: text } },
      '/where/name',
      'must not contain U+0000 or lone surrogates',
    ]),
  ])('%j are refused', (where, path, message) => {
    expect(() => conditions(where as Where)).toThrow(
      expect.objectContaining({ code: 'invalid-request', errors: [{ path, message }] }),
    );
  });

  it('are only those that the table declares', () => {
    expect(() => conditions({ colour: { eq: 1 } })).toThrow(
      'things does not declare the filter colour',
    );
  });
});

describe('the order of a question', () => {
  it.each<Order>([
    [[], [], false],
    [['id'], [], false],
    [['-id'], [], true],
    [['size'], ['size'], false],
    [['-size'], ['-size'], true],
    [['-size', 'name'], ['-size', 'name'], false],
    [['size', '-name'], ['size', '-name'], true],
    [['-size', 'id'], ['-size'], false],
    [['size', '-id'], ['size'], true],
    // What follows the id, or is named again, makes no difference.
    [['id', '-size'], [], false],
    [['-id', 'size'], [], true],
    [['size', '-name', 'size'], ['size', '-name'], false],
    [['size', '-size', 'name'], ['size', 'name'], false],
  ])('by %j is by %j and then by the id, descending: %s', (names, terms, isDescending) => {
    const sort = names.map((name) =>
      name.startsWith('-') ? { field: name.slice(1), isDescending: true } : { field: name },
    );
    const asked = askedOf(table, { sort });
    expect(
      asked.terms.map((term) => `${term.isDescending ? '-' : ''}${term.column.field}`),
    ).toEqual(terms);
    expect(asked.isDescending).toBe(isDescending);
  });

  it('is only by fields that the table declares', () => {
    expect(() => askedOf(table, { sort: [{ field: 'weight' }] })).toThrow(
      'things does not declare the sort field weight',
    );
  });

  it('has a place for each record, null where it lacks a value', () => {
    const asked = askedOf(table, {
      sort: [{ field: 'done' }, { field: 'size' }, { field: 'name' }],
    });
    const record = { id: 7, done: false, name: 'A' };
    expect(positionOf(asked, record)).toEqual({ values: [false, null, 'A'], id: 7 });
  });
});

it.each<[Question<AnyRecord>, boolean]>([
  [{}, true],
  [{ where: {}, sort: [] }, true],
  [{ where: undefined, sort: undefined }, true],
  [{ where: { size: undefined } }, true],
  [{ where: { size: {} } }, false],
  [{ where: { size: { eq: 1 } }, sort: [] }, false],
  [{ sort: [{ field: 'id' }] }, false],
  [{ where: {}, sort: [{ field: 'size' }] }, false],
])('%j asks for all records in order of id: %s', (question, expected) => {
  expect(isPlain(question)).toBe(expected);
});
