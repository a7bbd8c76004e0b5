import { describe, expect, it } from 'vitest';
import { tablesOf } from '../../../src/kit/store/table.ts';
import { collection, records } from '../../../src/kit/store/table-declarations.ts';
import {
  type ColumnSchema,
  type IndexSchema,
  plainName,
  type ReferenceSchema,
  requireSame,
  schemaDifferences,
  storageType,
  type TableSchema,
} from '../../../src/kit/store/table-schema.ts';

type Thing = {
  readonly id: number;
  readonly makerId: number;
  readonly 'a"b': string;
  readonly weight: number | null;
  readonly isDone?: boolean;
  readonly body: string;
  readonly code: string;
};
const tables = tablesOf({
  makers: records<{ id: number }>({}),
  things: collection<Thing>(
    {
      makerId: { type: 'integer', references: { table: 'makers', onDelete: 'cascade' } },
      ...{
        'a"b': 'text',
        weight: 'number | null',
        isDone: 'boolean?',
        body: 'long text',
        code: 'text',
      },
    },
    { unique: ['code'], filter: ['weight', 'body'], sort: ['a"b'] },
  ),
});

const required: ColumnSchema = { type: 'text', isNullable: false, hasDefault: false };
const nullable: ColumnSchema = { ...required, isNullable: true };
const columns: Readonly<Record<string, ColumnSchema>> = {
  id: { ...required, type: 'bigint' },
  version: { ...required, type: 'bigint' },
  maker_id: { ...required, type: 'bigint' },
  'a"b': required,
  weight: nullable,
  is_done: { ...nullable, type: 'boolean' },
  body: required,
  code: required,
};
const reference: ReferenceSchema = { column: 'maker_id', table: 'makers', onDelete: 'cascade' };
const index = (...keys: string[]): IndexSchema => ({ isUnique: false, keys });
const unique = (...keys: string[]): IndexSchema => ({ isUnique: true, keys });
const indexes = [index('maker_id'), index('a"b'), index('weight'), unique('code')];

type Found = {
  columns?: Readonly<Record<string, ColumnSchema | undefined>>;
  references?: ReferenceSchema[];
  indexes?: IndexSchema[];
};

/** What is said of a database whose table of things is so; a column that is undefined is not there. */
function said(found: Found = {}, kinds = false): string[] {
  const all = { ...columns, ...found.columns };
  const things: TableSchema = {
    columns: new Map(Object.entries(all).flatMap(([name, each]) => (each ? [[name, each]] : []))),
    references: found.references ?? [reference],
    indexes: found.indexes ?? indexes,
  };
  const makers: TableSchema = {
    ...{ columns: new Map([['id', required]]), references: [], indexes: [] },
  };
  const differences = schemaDifferences(
    tables,
    new Map([
      ['makers', makers],
      ['things', things],
    ]),
    { type: storageType, isSorted: ([first], column) => first === plainName(column) },
  );
  return differences.map(({ kind, text }) => (kinds ? `${kind}: ${text}` : text));
}

describe('a database that is not as declared', () => {
  it('is told from one that is, or that has more', () => {
    expect(said()).toEqual([]);
    const more = { columns: { more: nullable, given: { ...required, hasDefault: true } } };
    expect(said({ ...more, indexes: [...indexes, index('body')] })).toEqual([]);
    expect(
      said({ references: [{ ...reference, table: 'others', onDelete: 'other' }, reference] }),
    ).toEqual([]);
  });

  it.each<[string, Found, string[]]>([
    ['no id', { columns: { id: undefined } }, ['other: things lacks the column id']],
    ['no version', { columns: { version: undefined } }, ['other: things lacks the column version']],
    ['no column', { columns: { body: undefined } }, ['column: things.body is missing']],
    [
      'no column that refers',
      { columns: { maker_id: undefined }, references: [] },
      ['column: things.maker_id is missing'],
    ],
    ['another type', { columns: { code: columns.id } }, ['other: things.code is bigint, not text']],
    [
      'another type of id',
      { columns: { maker_id: required } },
      ['other: things.maker_id is text, not bigint'],
    ],
    [
      'another type of switch',
      { columns: { is_done: nullable } },
      ['other: things.is_done is text, not boolean'],
    ],
    [
      'a column that takes NULL',
      { columns: { 'a"b': nullable } },
      ['other: things.a"b takes NULL'],
    ],
    [
      'one that does not',
      { columns: { weight: required } },
      ['other: things.weight does not take NULL'],
    ],
    [
      'a column that needs a value',
      { columns: { more: required } },
      ['other: things.more is not declared and needs a value'],
    ],
    ['no reference', { references: [] }, ['other: things.maker_id does not refer to makers']],
    [
      'a reference to another table',
      { references: [{ ...reference, table: 'others' }] },
      ['other: things.maker_id does not refer to makers'],
    ],
    [
      'a reference of another column',
      { references: [{ ...reference, column: 'code' }] },
      ['other: things.maker_id does not refer to makers'],
    ],
    [
      'a reference that restricts',
      { references: [{ ...reference, onDelete: 'restrict' }] },
      ['other: things.maker_id is declared to cascade when its makers is removed, and does not'],
    ],
    [
      'no index',
      { indexes: [] },
      [
        'index: things.maker_id has no index for lists',
        'index: things.weight has no index for lists',
        'index: things.a"b has no index for lists',
        'unique: things.code is not unique',
      ],
    ],
    [
      'unique indexes alone',
      { indexes: ['maker_id', 'a"b', 'weight', 'code'].map((key) => unique(key)) },
      ['index: things.weight has no index for lists', 'index: things.a"b has no index for lists'],
    ],
    [
      'no unique index',
      { indexes: [...indexes.slice(0, 3), index('code')] },
      ['unique: things.code is not unique'],
    ],
    [
      'a unique index of two columns',
      { indexes: [...indexes.slice(0, 3), unique('code', 'body')] },
      ['unique: things.code is not unique'],
    ],
    [
      'an index that begins with another column',
      { indexes: [index('body', 'maker_id'), ...indexes.slice(1)] },
      ['index: things.maker_id has no index for lists'],
    ],
  ])('with %s', (_, found, lines) => {
    expect(said(found, true)).toEqual(lines);
  });

  it.each(['code C', 'code first', 'code C first'])(
    'has a unique key that is told as %s',
    (key) => {
      expect(said({ indexes: [...indexes.slice(0, 3), unique(key)] })).toEqual([]);
      const of = index(key.replace('code', 'maker_id'), 'id');
      expect(said({ indexes: [of, ...indexes.slice(1)] })).toEqual([]);
    },
  );

  it('is refused with a line for each difference', () => {
    const none = schemaDifferences(tables, new Map(), { type: storageType, isSorted: () => true });
    expect(none.map(({ kind }) => kind)).toEqual(['table', 'table']);
    expect(() => requireSame(none)).toThrow(
      new Error(
        'the tables of the database are not as declared; a migration can be drafted by migrate --draft:\n- the table makers is missing\n- the table things is missing',
      ),
    );
    expect(() => requireSame([])).not.toThrow();
  });
});
