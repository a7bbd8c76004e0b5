// engines: sqlite, postgres
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { present } from '../../../src/kit/errors.ts';
import { draftMigration } from '../../../src/kit/store/migration-draft.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { collection, records, type Tables } from '../../../src/kit/store/table-declarations.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';
import { draftedMigrations } from '../../support/table-store.ts';

type Shelf = { readonly id: number; readonly label: string };
type Item = {
  readonly id: number;
  readonly shelfId: number;
  readonly name: string;
  readonly weight: number;
  readonly sold: boolean;
  readonly on: string | null;
};
const shelfId = { type: 'integer', references: { table: 'shelves', onDelete: 'cascade' } } as const;
const shelves = records<Shelf>({ label: 'text' }, { unique: ['label'] });
const itemColumns = {
  shelfId,
  name: 'text',
  weight: 'number',
  sold: 'boolean',
  on: 'date | null',
} as const;
const fields = ['name', 'weight', 'sold', 'on'] as const;
const things = collection<Item>(itemColumns, { filter: fields, sort: fields });
const tables: Tables = { things, shelves };

needPostgres();
const folder = mkdtempSync(join(tmpdir(), 'accord-declared-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

const isSqlite = (url: string) => url.startsWith('sqlite:');

async function emptyDatabase(): Promise<string> {
  const url = await newDatabase();
  return isSqlite(url) ? `sqlite:${join(folder, `${count++}.db`)}` : url;
}

async function execute(url: string, sql: string): Promise<void> {
  if (isSqlite(url)) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    database.exec(sql);
    database.close();
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function opened(url: string, tables: Tables, migrations: URL): Promise<void> {
  const { store, ready } = await openStore(url, { tables, migrations });
  await ready.finally(() => store.close());
}

/** A folder without migrations. */
function noMigrations(): URL {
  const path = join(folder, `migrations-${count++}`);
  for (const engine of ['sqlite', 'postgres']) mkdirSync(join(path, engine), { recursive: true });
  return pathToFileURL(`${path}/`);
}

/** The lines that a server says when it is started on a database with these changes. */
async function differences(sql: string, declared: Tables = tables): Promise<string[]> {
  const url = await emptyDatabase();
  const { migrations, remove } = draftedMigrations(tables);
  await opened(url, tables, migrations);
  if (sql) await execute(url, sql);
  const lines = await opened(url, declared, migrations).then(
    () => [],
    (error: Error) => error.message.split('\n- '),
  );
  remove();
  return lines.slice(1);
}

describe('a database', () => {
  it('with what is declared, and more, is taken', async () => {
    const sql = `CREATE TABLE toys (id integer); ALTER TABLE things ADD COLUMN colour text;
      CREATE INDEX more ON things (name, sold)`;
    expect(await differences(sql)).toEqual([]);
  });

  it.each([
    ['a table', 'DROP TABLE things', ['the table things is missing']],
    [
      'a column',
      'ALTER TABLE shelves RENAME COLUMN label TO name',
      [
        'shelves.label is missing',
        'shelves.name is not declared and needs a value',
        'shelves.label is not unique',
      ],
    ],
    [
      'an index',
      'DROP INDEX things_by_name; DROP INDEX things_by_weight',
      ['things.name has no index for lists', 'things.weight has no index for lists'],
    ],
    [
      'the index of a relation',
      'DROP INDEX things_by_shelf_id',
      ['things.shelf_id has no index for lists'],
    ],
  ])('without %s is refused, with a line for each difference', async (_, sql, lines) => {
    expect(await differences(sql)).toEqual(lines);
  });

  it('of other types, nullability or deletion is refused, with a line for each difference', async () => {
    const other = {
      shelves: records<{ id: number; label: number | null }>({ label: 'integer | null' }),
      things: collection<Omit<Item, 'on'> & { on: string; more: string }>({
        ...itemColumns,
        shelfId: { type: 'integer', references: { table: 'shelves', onDelete: 'restrict' } },
        on: 'date',
        more: 'text',
      }),
    };
    const integer = isSqlite(await newDatabase()) ? 'TEXT, not INTEGER' : 'text, not bigint';
    expect(await differences('', other)).toEqual([
      `shelves.label is ${integer}`,
      'shelves.label does not take NULL',
      'things.on takes NULL',
      'things.more is missing',
      'things.shelf_id is declared to restrict when its shelves is removed, and does not',
    ]);
  });
});

describe('migrations', () => {
  it('of this API lead to the tables that it declares, on both engines', async () => {
    expect(draftMigration(api, undefined)).toBeUndefined();
    await opened(await emptyDatabase(), api.tables, api.migrations);
  });

  it('are drafted for new tables, columns and indexes, and then lead there', async () => {
    const migrations = noMigrations();
    const url = await emptyDatabase();
    const added = { type: 'integer', default: 3 } as const;
    type Grown = Shelf & { height: number; note?: string; kind: 'a' | 'b' };
    const grown = {
      things,
      shelves: records<Grown, Omit<Grown, 'id' | 'height'>>(
        { label: 'text', height: added, note: 'text?', kind: 'enum' },
        { unique: ['label'], sort: ['height', 'label'], filter: ['note'] },
      ),
    };
    for (const [declared, file] of [
      [{ shelves }, '001-shelves.sql'],
      [tables, '002-things.sql'],
      [grown, '003-tall.sql'],
    ] as const) {
      const draft = present(draftMigration({ tables: declared, migrations }, file.slice(4, -4)));
      expect(draft.file).toBe(file);
      for (const engine of ['sqlite', 'postgres'] as const) {
        writeFileSync(new URL(`${engine}/${file}`, migrations), draft[engine]);
      }
      await opened(url, declared, migrations);
      if (file.startsWith('001')) await execute(url, "INSERT INTO shelves (label) VALUES ('x')");
    }
    expect(draftMigration({ tables: grown, migrations }, undefined)).toBeUndefined();
    expect(readFileSync(new URL('sqlite/003-tall.sql', migrations), 'utf8')).toContain(
      '-- Choose the value for records that are there.',
    );
    const { store, ready } = await openStore(url, { tables: grown, migrations });
    await ready;
    expect(await store.shelves.find(1)).toEqual({ id: 1, label: 'x', height: 3, kind: '' });
    await store.close();
  });

  it('are not drafted without a name', () => {
    const { migrations, remove } = draftedMigrations(tables);
    const more = { ...tables, more: collection<{ readonly id: number }>({}) };
    expect(() => draftMigration({ tables: more, migrations }, '../')).toThrow('letters and digits');
    remove();
  });

  it('that are drafted say what is to be written by hand', () => {
    const { migrations, remove } = draftedMigrations(tables);
    const other = {
      things,
      shelves: records<{ id: number; label: number }>({ label: 'integer' }, { unique: ['label'] }),
    };
    const draft = present(draftMigration({ tables: other, migrations }, undefined));
    expect(draft.sqlite).toBe('-- To be written by hand: shelves.label is TEXT, not INTEGER.\n');
    remove();
  });

  it('of an API need not make the tables of the kit', async () => {
    const migrations = noMigrations();
    const url = await emptyDatabase();
    await opened(url, {}, migrations);
    await execute(url, 'SELECT key FROM first_answers');
    if (!isSqlite(url)) await execute(url, 'SELECT key FROM rate_limits');
    await execute(url, 'DROP TABLE first_answers');
    const closed = openStore(url, { tables: {}, migrations, mayMigrate: false });
    await expect(
      closed.then(({ store, ready }) => ready.finally(() => store.close())),
    ).rejects.toThrow('the database lacks first_answers and MIGRATE is off');
    await opened(url, {}, migrations);
    expect(readdirSync(new URL('sqlite/', migrations))).toEqual([]);
  });
});

it('a database whose keys are not unique any more is refused', async () => {
  const key = isSqlite(await newDatabase())
    ? 'ALTER TABLE first_answers RENAME TO old; CREATE TABLE first_answers AS SELECT * FROM old'
    : 'ALTER TABLE first_answers DROP CONSTRAINT first_answers_key_key';
  expect(await differences(key)).toContain('first_answers.key is not unique');
});

describe('a declaration', () => {
  type Named = { id: number; aB: string; a_b: string };
  const one = (name: string) => ({ [name]: shelves });
  it.each<[string, Tables, string]>([
    ...['first_answers', 'rate_limits', 'migrations'].map((name): [string, Tables, string] => [
      `of the table ${name}, which is the kit’s`,
      one(name),
      `the table ${name} is the kit's own: choose another name`,
    ]),
    [
      'with a reference to no table',
      { things },
      'things.shelfId refers to shelves, which is no table',
    ],
    [
      'with two columns of one name',
      { x: records<Named>({ aB: 'text', a_b: 'text' }) },
      'x has the column "a_b" twice',
    ],
    ['with a name too long', one('x'.repeat(64)), 'has more than 63 bytes'],
    [
      'that sorts by long text',
      { x: records<Shelf>({ label: 'long text' }, { sort: ['label'] }) },
      'x.label is too long to sort by',
    ],
  ])('%s is refused', async (_, declared, message) => {
    const migrations = noMigrations();
    await expect(emptyDatabase().then((url) => opened(url, declared, migrations))).rejects.toThrow(
      message,
    );
  });
});
