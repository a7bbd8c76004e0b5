import { describe, expect, it } from 'vitest';
import { columnName, columnsOf, comparedType } from '../../../src/kit/store/columns.ts';
import { parentsFirst, tablesOf } from '../../../src/kit/store/table.ts';
import {
  collection,
  records,
  type TableDeclaration,
  type Tables,
} from '../../../src/kit/store/table-declarations.ts';

type Named = { readonly id: number; readonly name: string };
const named = records<Named>({ name: 'text' });
/** A table that refers to others. */
const referring = (...parents: string[]): TableDeclaration<'records'> => ({
  ...{ kind: 'records', unique: [], filter: [], sort: [] },
  columns: Object.fromEntries(
    parents.map((table) => [
      `${table}Id`,
      { type: 'integer', references: { table, onDelete: 'cascade' } } as const,
    ]),
  ),
});
const withField = (field: string): Tables => ({
  x: { ...referring(), columns: { [field]: 'text' } },
});

describe('tables', () => {
  it('have the columns, the rules and the relations that are declared', () => {
    const made = tablesOf({
      houses: collection<{ id: number; ownerId: number; address: string; rooms: number }>(
        {
          ownerId: { type: 'integer', references: { table: 'owners', onDelete: 'restrict' } },
          ...{ address: 'text', rooms: 'integer' },
        },
        { unique: ['address'], filter: ['rooms', 'ownerId'], sort: ['address', 'rooms'] },
      ),
      owners: named,
      'odd "name"': named,
    });
    const fields = (columns: readonly { field: string }[] = []) =>
      columns.map(({ field }) => field);
    const [houses, owners, odd] = made;
    expect(made.map(({ name, sql, kind }) => [name, sql, kind])).toEqual([
      ['houses', '"houses"', 'collection'],
      ['owners', '"owners"', 'records'],
      ['odd "name"', '"odd ""name"""', 'records'],
    ]);
    expect(fields(houses?.columns)).toEqual(['ownerId', 'address', 'rooms']);
    expect(fields(houses?.unique)).toEqual(['address']);
    expect(fields(houses?.filter)).toEqual(['rooms', 'ownerId']);
    expect(fields(houses?.sort)).toEqual(['address', 'rooms']);
    const relation = { child: 'houses', parent: 'owners', onDelete: 'restrict' };
    expect(houses?.relations).toEqual([{ ...relation, column: houses?.columns[0] }]);
    expect([houses?.referring, owners?.relations]).toEqual([[], []]);
    expect(owners?.referring).toEqual(houses?.relations);
    expect([odd?.relations, odd?.referring]).toEqual([[], []]);
  });

  it.each<[string, Tables, string]>([
    [
      'a name of 64 bytes',
      { ['x'.repeat(64)]: named },
      `"${'x'.repeat(64)}" has more than 63 bytes`,
    ],
    ['a name of 64 bytes in 32 letters', { ['é'.repeat(32)]: named }, 'has more than 63 bytes'],
    ['a column of 64 bytes', withField('x'.repeat(64)), 'has more than 63 bytes'],
    [
      'two columns of one name',
      {
        x: records<Named & { aB: string; a_b: string }>({ name: 'text', aB: 'text', a_b: 'text' }),
      },
      'x has the column "a_b" twice',
    ],
    [
      'a parent that is none',
      { x: referring('toString') },
      'x.toStringId refers to toString, which is no table',
    ],
    [
      'JSON to filter by',
      { x: { ...referring(), columns: { a: 'json' }, filter: ['a'] } },
      'x.a cannot be compared',
    ],
    ['an unknown field to sort by', { x: { ...named, sort: ['a'] } }, 'x.a cannot be compared'],
    ['an unknown unique field', { x: { ...named, unique: ['a'] } }, 'x.a cannot be compared'],
    [
      'long text to sort by',
      { x: { ...referring(), columns: { a: 'long text' }, sort: ['a'] } },
      'x.a is too long to sort by',
    ],
  ])('do not have %s', (_, declared, message) => {
    expect(() => tablesOf(declared)).toThrow(message);
  });

  it('may have names of 63 bytes', () => {
    for (const name of ['x'.repeat(63), `${'é'.repeat(31)}x`]) {
      expect(tablesOf({ [name]: named }).length).toBe(1);
      expect(tablesOf(withField(name)).length).toBe(1);
    }
  });

  it.each<[string, Tables, string[]]>([
    ['in their order', { a: named, b: named }, ['a', 'b']],
    ['parents first', { a: referring('b'), b: referring('c'), c: named }, ['c', 'b', 'a']],
    ['after all their parents', { a: referring('b', 'c'), b: named, c: named }, ['b', 'c', 'a']],
    ['that refer to themselves', { a: referring('a', 'b'), b: referring('b') }, ['b', 'a']],
    [
      'that refer to each other',
      { a: referring('b'), b: referring('a'), c: named },
      ['c', 'a', 'b'],
    ],
  ])('are made %s', (_, declared, names) => {
    expect(parentsFirst(tablesOf(declared)).map(({ name }) => name)).toEqual(names);
  });
});

describe('a column', () => {
  it.each([
    ['name', '"name"'],
    ['createdBy', '"created_by"'],
    ['ID', '"_i_d"'],
    ['it\'s "x"', '"it\'s ""x"""'],
  ])('of the field %s is %s', (field, name) => {
    expect(columnName(field)).toBe(name);
    expect(columnsOf({ [field]: 'text' })).toMatchObject([{ field, name }]);
  });

  it.each(['id', 'version'])(
    'of a field with the name of the store’s own %s has another',
    (field) => {
      expect(columnsOf({ [field]: 'text' })).toMatchObject([{ field, name: `"${field}_"` }]);
    },
  );

  it.each(['integer', 'long text', 'date-time', 'json'] as const)('may be %s or absent', (type) => {
    const reference = { table: 'x', onDelete: 'cascade' } as const;
    expect(
      columnsOf({
        a: type,
        b: `${type} | null`,
        c: `${type}?`,
        d: { type: `${type}?`, default: 7, references: reference },
      }),
    ).toEqual([
      { field: 'a', name: '"a"', type, absent: 'never', default: undefined, references: undefined },
      { field: 'b', name: '"b"', type, absent: 'null', default: undefined, references: undefined },
      {
        field: 'c',
        name: '"c"',
        type,
        absent: 'left out',
        default: undefined,
        references: undefined,
      },
      { field: 'd', name: '"d"', type, absent: 'left out', default: 7, references: reference },
    ]);
  });

  it.each([
    ['text', 'text'],
    ['long text', 'text'],
    ['integer', 'bigint'],
    ['number', 'double precision'],
    ['boolean', 'boolean'],
    ['date', 'text'],
    ['date-time', 'text'],
    ['uuid', 'text'],
    ['enum', 'text'],
    ['json', 'text'],
  ] as const)('of the type %s is compared as %s', (type, expected) => {
    expect(columnsOf({ a: type }).map(comparedType)).toEqual([expected]);
  });
});
