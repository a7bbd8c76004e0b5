// engines: sqlite, postgres
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { requireExpanding } from '../../../src/kit/store/migration-check.ts';
import { freePort } from '../../../tools/support/free-port.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';

needPostgres();

const folder = mkdtempSync(join(tmpdir(), 'accord-migration-check-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

const first = `CREATE TABLE shelves (id integer PRIMARY KEY, label text NOT NULL);
CREATE TABLE moons (id integer PRIMARY KEY, name text NOT NULL, radius integer, size integer DEFAULT 1,
  shelf integer REFERENCES shelves (id), CHECK (radius > 0));
CREATE INDEX moons_by_name ON moons (name, id);
CREATE UNIQUE INDEX moons_once ON moons (radius);
CREATE VIEW small AS SELECT name FROM moons WHERE radius < 10;`;

/** What is said of a second migration. */
async function said(second: string): Promise<string[]> {
  const path = join(folder, String(count++));
  for (const engine of ['sqlite', 'postgres']) {
    mkdirSync(join(path, engine), { recursive: true });
    writeFileSync(join(path, engine, '001-first.sql'), first);
    writeFileSync(join(path, engine, '002-second.sql'), second);
  }
  const url = await newDatabase();
  const postgres = url.startsWith('sqlite:') ? undefined : url;
  try {
    await requireExpanding(pathToFileURL(`${path}/`), postgres);
    return [];
  } catch (error) {
    const { message } = error as Error; // Nothing else is thrown.
    return message.split('\n- ').slice(1);
  } finally {
    if (postgres) expect(await tablesIn(postgres)).toEqual([]);
  }
}

async function tablesIn(url: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
  await client.end();
  return rows;
}

const isPostgres = (await newDatabase().catch(() => 'sqlite:')).startsWith('postgres');
const rebuilt = (columns: string, names = 'id, name, radius, size, shelf') =>
  `DROP VIEW small; CREATE TABLE other (${columns}); INSERT INTO other SELECT ${names} FROM moons;
   DROP TABLE moons; ALTER TABLE other RENAME TO moons;
   CREATE INDEX moons_by_name ON moons (name, id);
   CREATE UNIQUE INDEX moons_once ON moons (radius);
   CREATE VIEW small AS SELECT name FROM moons WHERE radius < 10;`;

describe('a migration that a release which does not know it can live with', () => {
  it.each([
    ['adds a table', 'CREATE TABLE stars (id integer PRIMARY KEY, name text NOT NULL UNIQUE)'],
    [
      'adds a table that refers to one',
      'CREATE TABLE stars (id integer, moon integer NOT NULL REFERENCES moons (id))',
    ],
    ['adds a column', 'ALTER TABLE moons ADD COLUMN colour text'],
    [
      'adds a column with a default and a check',
      "ALTER TABLE moons ADD COLUMN colour text NOT NULL DEFAULT 'red' CHECK (colour IN ('red', 'blue'))",
    ],
    ['adds a reference', 'ALTER TABLE moons ADD COLUMN other integer REFERENCES shelves (id)'],
    ['adds an index', 'CREATE INDEX moons_by_radius ON moons (radius, id)'],
    [
      'adds an index on an expression, with a condition',
      'CREATE INDEX moons_by_case ON moons (lower(name)) WHERE radius > 1',
    ],
    [
      'adds a unique column that may be absent',
      'ALTER TABLE moons ADD COLUMN code text; CREATE UNIQUE INDEX moons_code ON moons (code)',
    ],
    ['adds a view', 'CREATE VIEW names AS SELECT name FROM moons'],
    ['changes rows', "INSERT INTO shelves VALUES (1, 'a'); UPDATE shelves SET label = 'b'"],
    ['renames an index', 'DROP INDEX moons_by_name; CREATE INDEX by_name ON moons (name, id)'],
  ])('%s', async (_, sql) => {
    expect(await said(sql)).toEqual([]);
  });
});

describe('a migration that it may fail at is refused:', () => {
  it.each([
    [
      'a table dropped',
      'DROP VIEW small; DROP TABLE moons',
      /^drops the table moons, drops the view small$/,
    ],
    ['a table renamed', 'ALTER TABLE shelves RENAME TO boards', /^drops the table shelves/],
    ['a column dropped', 'ALTER TABLE moons DROP COLUMN size', /^drops the column moons.size$/],
    [
      'a column renamed',
      'ALTER TABLE shelves RENAME COLUMN label TO name',
      /^drops the column shelves.label, adds the column shelves.name, which needs a value$/,
    ],
    ['an index dropped', 'DROP INDEX moons_by_name', /^drops the index moons .*\(name, id\)$/],
    ['a view dropped', 'DROP VIEW small', /^drops the view small$/],
    [
      'another view of its name',
      'DROP VIEW small; CREATE VIEW small AS SELECT name FROM moons WHERE radius < 9',
      /^changes the view small/,
    ],
    [
      'a unique index',
      'CREATE UNIQUE INDEX shelves_once ON shelves (label)',
      /^adds the unique index shelves .*\(label\)$/,
    ],
    [
      'a unique column with a default',
      'ALTER TABLE moons ADD COLUMN code text DEFAULT 1; CREATE UNIQUE INDEX moons_code ON moons (code)',
      /^adds the unique index moons .*\(code\)$/,
    ],
  ])('%s', async (_, sql, line) => {
    const lines = await said(sql);
    expect(lines).toHaveLength(1);
    const text = lines[0]?.replace(/^(sqlite|postgres)\/002-second\.sql /, '');
    expect(text).toMatch(line);
  });

  const column = (type: string, check = 'radius > 0') =>
    rebuilt(`id integer PRIMARY KEY, ${type}, size integer DEFAULT 1,
      shelf integer REFERENCES shelves (id), CHECK (${check})`);
  const kinds: [name: string, sqlite: string, postgres: string, line: RegExp][] = [
    [
      'a column that needs a value',
      rebuilt(
        `id integer PRIMARY KEY, name text NOT NULL, radius integer, size integer DEFAULT 1,
         shelf integer REFERENCES shelves (id), code text NOT NULL, CHECK (radius > 0)`,
        '*, 1',
      ),
      'ALTER TABLE moons ADD COLUMN code text NOT NULL',
      /adds the column moons.code, which needs a value$/,
    ],
    [
      'another type',
      column('name integer NOT NULL, radius integer'),
      'DROP VIEW small; ALTER TABLE moons ALTER COLUMN name TYPE varchar(9); CREATE VIEW small AS SELECT 1',
      /changes the column moons.name from text NOT NULL to (integer|character varying\(9\)) NOT NULL/i,
    ],
    [
      'another collation',
      column('name text NOT NULL COLLATE NOCASE, radius integer'),
      'DROP VIEW small; ALTER TABLE moons ALTER COLUMN name TYPE text COLLATE "C"',
      /changes the column moons.name from text NOT NULL to text (NOT NULL )?COLLATE/i,
    ],
    [
      'NOT NULL',
      column('name text NOT NULL, radius integer NOT NULL'),
      'ALTER TABLE moons ALTER COLUMN radius SET NOT NULL',
      /changes the column moons.radius from integer to integer NOT NULL$/i,
    ],
    [
      'no NOT NULL any more',
      column('name text, radius integer'),
      'ALTER TABLE moons ALTER COLUMN name DROP NOT NULL',
      /changes the column moons.name from text NOT NULL to text$/i,
    ],
    [
      'no default any more',
      rebuilt(`id integer PRIMARY KEY, name text NOT NULL, radius integer, size integer,
        shelf integer REFERENCES shelves (id), CHECK (radius > 0)`),
      'ALTER TABLE moons ALTER COLUMN size DROP DEFAULT',
      /changes the column moons.size from integer DEFAULT 1 to integer$/i,
    ],
    [
      'a check',
      column('name text NOT NULL, radius integer', 'radius > 0), CHECK (name > radius'),
      'ALTER TABLE moons ADD CHECK (size > radius) NOT VALID',
      /adds the constraint moons CHECK .*radius/,
    ],
    [
      'another check',
      column('name text NOT NULL, radius integer', 'radius > 1'),
      'ALTER TABLE moons DROP CONSTRAINT moons_radius_check, ADD CHECK (radius > 1)',
      /drops the constraint moons CHECK .*, adds the constraint moons CHECK .*1/,
    ],
    [
      'a foreign key',
      column('name text NOT NULL, radius integer REFERENCES shelves (id)'),
      'ALTER TABLE moons ADD FOREIGN KEY (radius) REFERENCES shelves (id)',
      /adds the constraint moons FOREIGN KEY \(radius\)/,
    ],
    [
      'a foreign key that acts otherwise',
      rebuilt(`id integer PRIMARY KEY, name text NOT NULL, radius integer, size integer DEFAULT 1,
        shelf integer REFERENCES shelves (id) ON DELETE CASCADE, CHECK (radius > 0)`),
      `ALTER TABLE moons DROP CONSTRAINT moons_shelf_fkey;
       ALTER TABLE moons ADD FOREIGN KEY (shelf) REFERENCES shelves (id) ON DELETE CASCADE`,
      /drops the constraint .*, adds the constraint moons FOREIGN KEY .*CASCADE/,
    ],
    [
      'a trigger',
      'CREATE TRIGGER guard BEFORE INSERT ON moons BEGIN SELECT RAISE(ABORT, 1); END',
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
       CREATE TRIGGER guard BEFORE INSERT ON moons FOR EACH ROW EXECUTE FUNCTION refuse()`,
      /adds the trigger guard of moons$/,
    ],
    [
      'strict types, or security of rows',
      `${rebuilt(`id integer PRIMARY KEY, name text NOT NULL, radius integer, size integer DEFAULT 1,
        shelf integer REFERENCES shelves (id), CHECK (radius > 0)`).replace(');', ') STRICT;')}`,
      'ALTER TABLE moons ENABLE ROW LEVEL SECURITY',
      /changes the table moons/,
    ],
    [
      'unique NULLs',
      'CREATE UNIQUE INDEX shelves_label ON shelves (label)',
      `ALTER TABLE moons ADD COLUMN code text;
       CREATE UNIQUE INDEX moons_code ON moons (code) NULLS NOT DISTINCT`,
      /adds the unique index/,
    ],
  ];
  it.each(kinds)('%s', async (_, sqlite, postgres, line) => {
    expect((await said(isPostgres ? postgres : sqlite)).join()).toMatch(line);
  });

  it('not where a table is rebuilt as it was', async () => {
    if (isPostgres) return;
    const same = `"id" INTEGER PRIMARY KEY, -- a comment, with a comma
      name text NOT NULL, [radius] integer, size integer DEFAULT 1, shelf integer REFERENCES shelves (id),
      CHECK (radius /* of a (moon */ > 0)`;
    expect(await said(rebuilt(same))).toEqual([]);
  });
});

describe('a migration that declares that it contracts', () => {
  it('may', async () => {
    const reason = '-- Sizes are radii now.\n-- contract after 001-first: no release reads size\n';
    expect(await said(`${reason}ALTER TABLE moons DROP COLUMN size`)).toEqual([]);
  });

  it.each(['003-later', '002-second', '000-none'])(
    'is refused where it names %s, which is no migration before it',
    async (name) => {
      const lines = await said(`-- contract after ${name}: nobody reads it\nDROP VIEW small`);
      expect(lines).toEqual([
        expect.stringMatching(
          `/002-second.sql is declared to contract after ${name}, which is no migration before it$`,
        ),
      ]);
    },
  );

  it.each([
    '-- contract: nobody reads it',
    '-- contract after 001-first:',
    '-- contract after x: y',
  ])('is refused with %s', async (declaration) => {
    const path = join(folder, String(count++));
    for (const engine of ['sqlite', 'postgres']) {
      mkdirSync(join(path, engine), { recursive: true });
      writeFileSync(join(path, engine, '001-first.sql'), `${declaration}\n${first}`);
    }
    await expect(requireExpanding(pathToFileURL(`${path}/`))).rejects.toThrow(
      `the migration 001-first says "${declaration}", which is not "-- contract after <migration>: <reason>"`,
    );
  });
});

it('a migration that makes a table of the kit otherwise is refused', async () => {
  const path = join(folder, String(count++));
  mkdirSync(join(path, 'sqlite'), { recursive: true });
  writeFileSync(join(path, 'sqlite', '001-first.sql'), 'CREATE TABLE first_answers (id integer)');
  await expect(requireExpanding(pathToFileURL(`${path}/`))).rejects.toThrow(
    /^the migration 001-first-answers failed: .*expires/,
  );
});

it('a check in a database that is away fails with its reason', async () => {
  const folder = new URL('../../../src/api/migrations/', import.meta.url);
  const address = `postgres://u@127.0.0.1:${await freePort()}/d`;
  await expect(requireExpanding(folder, address)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('a database with tables is not used for a check, and no session stays', async () => {
  if (!isPostgres) return;
  const url = await newDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  const folder = new URL('../../../src/api/migrations/', import.meta.url);
  await requireExpanding(folder, url);
  await vi.waitFor(async () => expect(await othersOf(client)).toBe(0), { timeout: 20_000 });
  await client.query('CREATE TABLE mine ()');
  await expect(requireExpanding(folder, url)).rejects.toThrow('this one has tables');
  await vi.waitFor(async () => expect(await othersOf(client)).toBe(0), { timeout: 20_000 });
  await client.end();
});

/** How many other sessions the database has. */
async function othersOf(client: Client): Promise<number> {
  const { rows } = await client.query(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  return rows.length;
}
