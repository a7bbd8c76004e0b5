// engines: sqlite, postgres
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { records, type Tables } from '../../../src/kit/store/table-declarations.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';

needPostgres();
const folder = mkdtempSync(join(tmpdir(), 'accord-schema-'));
for (const engine of ['sqlite', 'postgres']) mkdirSync(join(folder, engine));
// There are none: the tables are made by hand.
const migrations = pathToFileURL(`${folder}/`);
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

type Types = Readonly<Record<'id' | 'text' | 'integer' | 'boolean', string>>;
const sqlite: Types = {
  ...{ id: 'INTEGER PRIMARY KEY', text: 'TEXT', integer: 'INTEGER', boolean: 'INTEGER' },
};
const postgres: Types = {
  id: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  ...{ text: 'text', integer: 'bigint', boolean: 'boolean' },
};

/** The lines that a server says when it is started on a database with these tables. */
async function differences(declared: Tables, sql: (types: Types) => string): Promise<string[]> {
  const address = await newDatabase();
  const file = join(folder, `${count++}.db`);
  const url = address.startsWith('sqlite:') ? `sqlite:${file}` : address;
  if (url !== address) {
    const database = new DatabaseSync(file);
    database.exec(sql(sqlite));
    database.close();
  } else {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(sql(postgres));
    await client.end();
  }
  try {
    const { store, ready } = await openStore(url, { tables: declared, migrations });
    await ready.finally(() => store.close());
    return [];
  } catch (error) {
    return String(Object(error).message).split('\n- ').slice(1);
  }
}
const byEngine = (types: Types, ofSqlite: string, ofPostgres: string) =>
  types === sqlite ? ofSqlite : ofPostgres;

describe('a column', () => {
  type Thing = {
    readonly id: number;
    readonly a: string;
    readonly b: string | null;
    readonly c: number;
    readonly d: boolean;
    readonly e: number;
  };
  const tables = {
    things: records<Thing>({
      ...{ a: 'text', b: 'text | null', c: 'integer', d: 'boolean', e: 'number' },
    }),
  };
  const columns =
    (given: Partial<Record<keyof Thing, string>>, more = '') =>
    (types: Types) => {
      const { id, text, integer, boolean } = types;
      const all = {
        ...{ id, a: `${text} NOT NULL`, b: text, c: `${integer} NOT NULL` },
        ...{ d: `${boolean} NOT NULL`, e: `${text} NOT NULL`, ...given },
      };
      const list = Object.entries(all).map(([name, type]) => `${name} ${type}`);
      return `CREATE TABLE things (${list.join()}${more})`;
    };

  it.each<[string, (types: Types) => string, RegExp[]]>([
    ['as declared is taken', columns({}), []],
    [
      'of text that holds numbers is refused',
      columns({ a: 'integer NOT NULL' }),
      [/^things.a is integer, not text$/i],
    ],
    [
      'of numbers that holds text is refused',
      columns({ c: 'text NOT NULL', d: 'text NOT NULL' }),
      [/^things.c is text, not (integer|bigint)$/i, /^things.d is text, not (integer|boolean)$/i],
    ],
    [
      'of JSON numbers that holds others is refused',
      columns({ e: 'integer NOT NULL' }),
      [/^things.e is integer, not text$/i],
    ],
    [
      'that takes NULL, or does not, is refused',
      (types) => columns({ a: types.text, b: `${types.text} NOT NULL` })(types),
      [/^things.a takes NULL$/, /^things.b does not take NULL$/],
    ],
    [
      'that is not declared is taken where it needs no value',
      columns({}, `, f text, g text NOT NULL DEFAULT 'x', h text NOT NULL`),
      [/^things.h is not declared and needs a value$/],
    ],
  ])('%s', async (_, sql, lines) => {
    const found = await differences(tables, sql);
    expect(found).toEqual(lines.map((line) => expect.stringMatching(line)));
  });
});

describe('a reference', () => {
  type Parent = { readonly id: number; readonly label: string };
  type Child = { readonly id: number; readonly parentId: number };
  const tables = (onDelete: 'restrict' | 'cascade') => ({
    parents: records<Parent>({ label: 'text' }),
    others: records<Parent>({ label: 'text' }),
    children: records<Child>({
      parentId: { type: 'integer', references: { table: 'parents', onDelete } },
    }),
  });
  const made = (column: string) => (types: Types) =>
    `
    CREATE TABLE parents (id ${types.id}, label ${types.text} NOT NULL);
    CREATE TABLE others (id ${types.id}, label ${types.text} NOT NULL);
    CREATE TABLE children (id ${types.id}, other ${types.integer} REFERENCES others (id) ON DELETE SET NULL,
      parent_id ${types.integer} NOT NULL ${column});
    CREATE INDEX by_parent ON children (parent_id)`;

  it.each<[action: string, is: string]>([
    ['', 'restrict'],
    ['ON DELETE NO ACTION', 'restrict'],
    ['ON DELETE RESTRICT', 'restrict'],
    ['ON DELETE CASCADE', 'cascade'],
    ['ON DELETE SET NULL', 'other'],
    ['ON DELETE SET DEFAULT', 'other'],
  ])('%s is known: %s', async (action, is) => {
    for (const declared of ['restrict', 'cascade'] as const) {
      const sql = made(`REFERENCES parents (id) ${action}`);
      const line = `children.parent_id is declared to ${declared} when its parents is removed, and does not`;
      expect(await differences(tables(declared), sql)).toEqual(is === declared ? [] : [line]);
    }
  });

  it.each(['', 'REFERENCES others (id)'])(
    'to another table, or none, is none: %s',
    async (column) => {
      expect(await differences(tables('restrict'), made(column))).toEqual([
        'children.parent_id does not refer to parents',
      ]);
    },
  );
});

describe('an index for lists', () => {
  type Thing = {
    readonly id: number;
    readonly label: string;
    readonly size: number;
    readonly rank: number;
    readonly done: boolean;
  };
  const fields = ['label', 'size', 'rank', 'done'] as const;
  const columns = { label: 'text', size: 'number', rank: 'integer', done: 'boolean' } as const;
  const tables = { things: records<Thing>(columns, { sort: fields, unique: ['rank'] }) };
  const right = {
    label: (types: Types) => byEngine(types, '(label, id)', '(label COLLATE "C" NULLS FIRST, id)'),
    size: (types: Types) =>
      `(CAST("size" AS double precision) ${byEngine(types, '', 'NULLS FIRST')}, id)`,
    rank: (types: Types) => `(rank ${byEngine(types, '', 'NULLS FIRST')}, id)`,
    done: (types: Types) => `(done ${byEngine(types, '', 'NULLS FIRST')}, id)`,
  };
  const made =
    (indexes: Partial<typeof right>, unique = 'CREATE UNIQUE INDEX once ON things (rank);') =>
    (types: Types) => {
      const { id, text, integer, boolean } = types;
      const all = Object.entries({ ...right, ...indexes }).map(
        ([name, keys]) => `CREATE INDEX by_${name} ON things ${keys(types)};`,
      );
      return `CREATE TABLE things (id ${id}, label ${text} NOT NULL, size ${text} NOT NULL,
        rank ${integer} NOT NULL, done ${boolean} NOT NULL); ${unique} ${all.join(' ')}`;
    };

  it('is taken where it has the order of the list', async () => {
    expect(await differences(tables, made({}))).toEqual([]);
    const shorter = (types: Types) =>
      byEngine(types, '(label)', '(label COLLATE "C" NULLS FIRST, id, rank)');
    expect(await differences(tables, made({ label: shorter }))).toEqual([]);
  });

  it.each<[keyof typeof right, ofSqlite: string, ofPostgres: string]>([
    ['label', '(label, rank)', '(label COLLATE "C" NULLS FIRST, rank)'],
    ['label', '(rank, label)', '(rank NULLS FIRST, label COLLATE "C" NULLS FIRST)'],
    ['label', "(label, id) WHERE label > ''", '(label COLLATE "C" NULLS FIRST)'],
    ['label', '(CAST(label AS double precision), id)', '(label NULLS FIRST, id)'],
    ['label', '(id, label)', '(label COLLATE "C", id)'],
    ['label', '(id)', `(label COLLATE "C" NULLS FIRST, id) WHERE label > ''`],
    ['size', '(size, id)', '(size NULLS FIRST, id)'],
    ['size', '(CAST(label AS double precision), id)', '(size COLLATE "C" NULLS FIRST, id)'],
    ['size', '(CAST(size AS double precision), rank)', '(CAST(size AS double precision), id)'],
    [
      'rank',
      '(CAST(rank AS double precision), id)',
      '(CAST(rank AS double precision) NULLS FIRST, id)',
    ],
    ['done', '(done, label, id)', '(done, id)'],
  ])('of %s is none with the keys %s, %s', async (name, ofSqlite, ofPostgres) => {
    const keys = (types: Types) => byEngine(types, ofSqlite, ofPostgres);
    expect(await differences(tables, made({ [name]: keys }))).toEqual([
      `things.${name} has no index for lists`,
    ]);
  });

  it.each([
    ['', false],
    ['CREATE INDEX once ON things (rank);', false],
    ['CREATE UNIQUE INDEX once ON things (rank, done);', false],
    ['CREATE UNIQUE INDEX once ON things (done);', false],
    ['CREATE UNIQUE INDEX once ON things (rank) WHERE rank > 1;', false],
    ['CREATE UNIQUE INDEX once ON things (rank);', true],
  ])('makes a field unique where it is so: %s %s', async (unique, isUnique) => {
    expect(await differences(tables, made({}, unique))).toEqual(
      isUnique ? [] : ['things.rank is not unique'],
    );
  });
});
