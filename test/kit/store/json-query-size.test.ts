import { describe, expect, it } from 'vitest';
import type {
  JsonAsked,
  JsonList,
  JsonMember,
  JsonValue,
} from '../../../src/kit/store/json-query.ts';
import { mostOf } from '../../../src/kit/store/json-query-size.ts';
import { tablesOf } from '../../../src/kit/store/table.ts';
import { records } from '../../../src/kit/store/table-declarations.ts';

type Thing = {
  readonly id: number;
  readonly makerId: number;
  readonly name: string;
  readonly body: string;
  readonly data: readonly string[];
};
const columns = { makerId: 'integer', name: 'text', body: 'long text', data: 'json' } as const;
const tables = new Map(
  tablesOf({ things: records<Thing>(columns) }).map((table) => [table.name, table]),
);

const member = (value: JsonValue, key = 'x'): JsonMember => ({ key, value });
const column = (field: string) =>
  member({ kind: 'column', field, as: 'text', isNullable: false }, field);
const list = (at: number, members: JsonMember[], parent?: string): JsonList => ({
  ...{ kind: 'list', table: 'things', at, members, parent },
});
const children = (at: number, ...members: JsonMember[]) => member(list(at, members, 'makerId'));
const parent = (...members: JsonMember[]) =>
  member({ kind: 'parent', table: 'things', field: 'makerId', isNullable: false, members });

const id = column('id');
const name = column('name');
const constant = member({ kind: 'constant', text: 'Thing' }, '__typename');
const sort = [{ field: 'name' }];

describe('of 1,000 records that a statement may read a list may have', () => {
  it.each<[string, number, JsonList, JsonAsked[]]>([
    ['all', 1000, list(0, [id, name, constant]), [{}]],
    ['all, in any order', 1000, list(0, [id]), [{ sort, where: {} }]],
    ['a tenth where its text is long', 100, list(0, [name, column('body')]), [{}]],
    ['a tenth where it has JSON', 100, list(0, [column('data')]), [{}]],
    ['as many as are asked for', 5, list(0, [id]), [{ first: 5 }]],
    ['as many in any order', 5, list(0, [id]), [{ first: 5, sort, where: {} }]],
    ['one where none is asked for', 1, list(0, [id]), [{ first: 0 }]],
    ['1,000 that are asked for', 1000, list(0, [id]), [{ first: 1000 }]],
    ['no 1,001', 0, list(0, [id]), [{ first: 1001 }]],
    ['100 long ones', 100, list(0, [column('body')]), [{ first: 100 }]],
    ['no 101 long ones', 0, list(0, [column('body')]), [{ first: 101 }]],
    ['the root, where each has a list', 31, list(0, [id, children(1, name)]), [{}, {}]],
    [
      'the root of half, where each has two lists',
      22,
      list(0, [children(1, name), children(2, name)]),
      [{}, {}, {}],
    ],
    [
      'a quarter, where each has a list of four',
      250,
      list(0, [children(1, name)]),
      [{}, { first: 4 }],
    ],
    ['all, where each has a list of none', 1000, list(0, [children(1, name)]), [{}, { first: 0 }]],
    [
      'an eighth, where each has a list of four and one of two',
      125,
      list(0, [children(1, name), children(2, name)]),
      [{}, { first: 4 }, { first: 2 }],
    ],
    [
      'a fortieth, where each has a list of four long ones',
      25,
      list(0, [children(1, column('body'))]),
      [{}, { first: 4 }],
    ],
    [
      'the cube root, where lists are in lists',
      9,
      list(0, [children(1, children(2, id))]),
      [{}, {}, {}],
    ],
    ['all, where each has a parent', 1000, list(0, [parent(name)]), [{}]],
    ['half, where each has two', 500, list(0, [parent(name), parent(name)]), [{}]],
    ['the root, where the parent has a list', 31, list(0, [parent(children(1, id))]), [{}, {}]],
    [
      'as many as are asked for, whatever is in them',
      5,
      list(0, [children(1, id)]),
      [{ first: 5 }, {}],
    ],
    ['what is asked of its own place', 3, list(1, [id]), [{ first: 7 }, { first: 3 }]],
  ])('%s: %i', (_, most, query, asked) => {
    expect(mostOf(query, 1000, tables, asked)).toBe(most);
  });

  // No index has the children of one parent in another order: all of them are looked at.
  it.each<[number, JsonAsked]>([
    [5, { first: 5 }],
    [5, { first: 5, sort: [] }],
    [1000, { first: 5, sort }],
    [1000, { first: 5, where: {} }],
    [1000, { first: 5, where: {}, sort }],
    [1000, {}],
  ])('%i children of one that is asked for %j', (most, asked) => {
    expect(mostOf(list(0, [id], 'makerId'), 1000, tables, [asked])).toBe(most);
  });
});
