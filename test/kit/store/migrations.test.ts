// engines: sqlite, postgres
// long: starts processes
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { readMigrations } from '../../../src/kit/store/migrations.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import type { StoreOptions } from '../../../src/kit/store/store-options.ts';
import { command } from '../../../tools/support/server-command.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';

needPostgres();

const folder = mkdtempSync(join(tmpdir(), 'accord-migrations-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

describe('two branches that each add a migration of the same number', () => {
  const colours = { '010-colours.sql': 'CREATE TABLE colours (id integer)' };
  const shapes = { '010-shapes.sql': 'CREATE TABLE shapes (id integer)' };

  it('do not pass for each other: the server of one refuses the database of the other', async () => {
    const url = await emptyDatabase();
    await migrated(url, { migrations: withFiles(colours) });
    await expect(migrated(url, { migrations: withFiles(shapes) })).rejects.toThrow(
      'the database has 010-colours, unknown to this server: use a newer server',
    );
    expect(await tablesOf(url)).not.toContain('shapes');
  });

  it('are both applied when the one that the database lacks comes last', async () => {
    const url = await emptyDatabase();
    await migrated(url, { migrations: withFiles(colours) });
    await migrated(url, { migrations: withFiles({ ...colours, ...shapes }) });
    expect(await tablesOf(url)).toEqual(expect.arrayContaining(['colours', 'shapes']));
  });

  it('are refused when the one that the database lacks comes first, until it is renamed', async () => {
    const url = await emptyDatabase();
    await migrated(url, { migrations: withFiles(shapes) });
    await expect(
      migrated(url, { migrations: withFiles({ ...colours, ...shapes }) }),
    ).rejects.toThrow(
      'the database lacks 010-colours but has 010-shapes, which comes later: rename what is new so that it comes last',
    );
    const renamed = { ...shapes, '011-colours.sql': colours['010-colours.sql'] };
    await migrated(url, { migrations: withFiles(renamed) });
    expect(await tablesOf(url)).toEqual(expect.arrayContaining(['colours', 'shapes']));
  });
});

describe('a database that a newer release has migrated', () => {
  const colours = 'CREATE TABLE colours (id integer)';
  const dropped = '-- contract after 010-colours: no release reads it\nDROP TABLE colours';

  it.each([true, false])('is served and left as it is, with MIGRATE %s', async (mayMigrate) => {
    const url = await emptyDatabase();
    await migrated(url, { migrations: withFiles({ '010-colours.sql': colours }) });
    expect(await migrated(url, { mayMigrate })).toEqual({ isNew: false });
    expect(await namesIn(url)).toEqual([...ownNames(url), '010-colours']);
    expect(await versionOf(url)).toBe(ownNames(url).length + 1);
  });

  it('is refused where the tables of this release are not there any more', async () => {
    const url = await emptyDatabase();
    const migrations = withFiles({ '010-no-todos.sql': 'DROP TABLE todos' });
    await migrated(url, { migrations });
    await expect(migrated(url, { tables: api.tables })).rejects.toThrow(
      'the table todos is missing',
    );
  });

  it('and contracted is served by releases that know what it needs, and refused by others', async () => {
    const url = await emptyDatabase();
    const first = { '010-colours.sql': colours };
    await migrated(url, { migrations: withFiles({ ...first, '011-no-colours.sql': dropped }) });
    expect(await migrated(url, { migrations: withFiles(first) })).toEqual({ isNew: false });
    await expect(migrated(url)).rejects.toThrow(
      'the database has 011-no-colours, which needs a server that knows 010-colours',
    );
  });

  it('is refused where this release lacks one that comes earlier, or has none', async () => {
    const url = await emptyDatabase();
    const migrations = withFiles({ '000-zero.sql': colours });
    await migrated(url, { migrations });
    await expect(migrated(url)).rejects.toThrow('the database has 000-zero, unknown');
    const none = join(folder, `none-${count++}`);
    for (const engine of ['sqlite', 'postgres']) {
      mkdirSync(join(none, engine), { recursive: true });
    }
    await expect(migrated(url, { migrations: pathToFileURL(`${none}/`) })).rejects.toThrow(
      'unknown to this server: use a newer server',
    );
  });

  it('keeps what its migrations need when a database of an older kit is migrated', async () => {
    const url = await emptyDatabase();
    const first = { '010-colours.sql': colours };
    await migrated(url, { migrations: withFiles(first) });
    await execute(url, 'ALTER TABLE migrations DROP COLUMN needs');
    expect(await migrated(url)).toEqual({ isNew: false });
    await migrated(url, { migrations: withFiles({ ...first, '011-no-colours.sql': dropped }) });
    await expect(migrated(url)).rejects.toThrow('which needs a server that knows 010-colours');
  });
});

describe('a migration that waits for a table', () => {
  it('gives up before those who wait behind it do, and is made when the table is free', async () => {
    const url = await emptyDatabase();
    if (isSqlite(url)) return;
    await migrated(url);
    const reader = new Client({ connectionString: url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM todos');
    const waiting = vi.fn();
    const migrations = withFiles({ '010-more.sql': 'ALTER TABLE todos ADD COLUMN more text' });
    const migration = migrated(url, { migrations, onWaiting: waiting });
    await vi.waitFor(() => expect(waiting).toHaveBeenCalled(), { timeout: 60_000 });
    expect(String(waiting.mock.lastCall?.[0])).toContain('lock timeout');
    await reader.end();
    expect(await migration).toEqual({ isNew: false });
    expect(await namesIn(url)).toContain('010-more');
  });
});

describe('a database whose migrations have no names yet', () => {
  it('is taken over with its records, and goes on by name', async () => {
    const url = await unnamedDatabase();
    await execute(url, "INSERT INTO todos (title) VALUES ('kept')");
    expect(await migrated(url)).toEqual({ isNew: false });
    expect(await namesIn(url)).toEqual(ownNames(url));
    await migrated(url, {
      migrations: withFiles({ '010-more.sql': 'CREATE TABLE more (id integer)' }),
    });
    expect(await namesIn(url)).toEqual([...ownNames(url), '010-more']);
    expect(await execute(url, 'SELECT title FROM todos')).toEqual([{ title: 'kept' }]);
  });

  it('is served as it is, and left as it is, where MIGRATE is off', async () => {
    const url = await unnamedDatabase();
    const migrations = numbered();
    expect(await migrated(url, { migrations, mayMigrate: false })).toEqual({ isNew: false });
    expect(await namesIn(url)).toEqual([]);
  });

  it('is refused where its version may be one of two files', async () => {
    const url = await unnamedDatabase();
    const names = namesOf(numbered(), url);
    const other = `${names[0]}x`;
    const migrations = numbered({ [`${other}.sql`]: 'CREATE TABLE other (id integer)' });
    const version = `the database is at version ${names.length}`;
    const all = [names[0], other, ...names.slice(1)].join(', ');
    await expect(migrated(url, { migrations })).rejects.toThrow(
      `${version}, and has not all of ${all}: rename what is new so that it comes last`,
    );
  });
});

describe('a migration', () => {
  it('that fails is named, and leaves nothing behind', async () => {
    const url = await emptyDatabase();
    const migrations = withFiles({
      '010-good.sql': 'CREATE TABLE good (id integer)',
      '011-bad.sql': 'CREATE TABLE good (id integer)',
    });
    await expect(migrated(url, { migrations })).rejects.toThrow(
      /the migration 011-bad failed: .*good.* already exists/,
    );
    expect(await tablesOf(url)).toEqual([]);
    expect(await migrated(url)).toEqual({ isNew: true });
  });

  it.each(['10-short.sql', '010_under.sql', '010-Upper.sql', '010-text.txt'])(
    'is refused under the name %s',
    async (name) => {
      const migrations = withFiles({ [name]: '' });
      await expect(migrated(await emptyDatabase(), { migrations })).rejects.toThrow(
        `the migration ${name} is not named like 001-collections.sql`,
      );
    },
  );

  it('is named where MIGRATE is off and the database lacks it', async () => {
    const url = await emptyDatabase();
    await migrated(url);
    const migrations = withFiles({ '010-more.sql': 'CREATE TABLE more (id integer)' });
    await expect(migrated(url, { migrations, mayMigrate: false })).rejects.toThrow(
      'the database lacks 010-more and MIGRATE is off: run npm run migrate',
    );
  });

  it('counts for older servers too, which know a database by its version', async () => {
    const url = await emptyDatabase();
    await migrated(url, {
      migrations: withFiles({ '010-more.sql': 'CREATE TABLE more (id integer)' }),
    });
    expect(await versionOf(url)).toBe(ownNames(url).length + 1);
  });

  it('is made by one of several processes that start at once', async () => {
    const url = await emptyDatabase();
    const start = async () =>
      (await command('migrate', { DATABASE_URL: url })).match(/was made|is up to date/)?.[0];
    const said = await Promise.all([start(), start(), start()]);
    expect(said.sort()).toEqual(['is up to date', 'is up to date', 'was made']);
    expect(await namesIn(url)).toEqual(ownNames(url));
  });

  it('is made by one of several processes that start at once where none has a name yet', async () => {
    const url = await unnamedDatabase();
    const start = () => command('migrate', { DATABASE_URL: url });
    for (const said of await Promise.all([start(), start(), start()])) {
      expect(said).toContain('is up to date');
    }
    expect(await namesIn(url)).toEqual(ownNames(url));
  });
});

describe('migrate --check', () => {
  it('checks the migrations of SQLite, and those of PostgreSQL where it is given an empty database', async () => {
    const url = await emptyDatabase();
    const said = 'Releases can run beside the migrations of SQLite';
    expect(await command('migrate', {}, ['--check'])).toBe(`${said}.\n`);
    if (isSqlite(url)) return;
    expect(await command('migrate', {}, ['--check', url])).toBe(`${said} and PostgreSQL.\n`);
    expect(await tablesOf(url)).toEqual([]);
  });
});

it.each([['--chekc'], ['--dry-run'], ['more'], ['--check', '--draft'], ['--draft', 'a', 'b']])(
  'migrate %s %s is refused, and changes nothing',
  async (...args) => {
    const url = await emptyDatabase();
    expect(await command('migrate', { DATABASE_URL: url }, args)).toMatch(/ended with 1\n?$/);
    expect(await tablesOf(url)).toEqual([]);
  },
);

describe('migrate --draft', () => {
  it('says where there is nothing to draft', async () => {
    expect(await command('migrate', {}, ['--draft', 'more'])).toBe(
      'The migrations lead to the tables that are declared.\n',
    );
  });
});

/** The project's migrations, and further ones for both engines. */
function withFiles(files: Readonly<Record<string, string>>): URL {
  const path = join(folder, `migrations-${count++}`);
  mkdirSync(path);
  cpSync(api.migrations, path, { recursive: true });
  addFiles(path, files);
  return pathToFileURL(`${path}/`);
}

/** Those of the project's migrations whose number is their place, as all were before they had names. */
function numbered(files: Readonly<Record<string, string>> = {}): URL {
  const path = fileURLToPath(withFiles({}));
  for (const engine of ['sqlite', 'postgres']) {
    for (const [i, name] of readdirSync(join(path, engine)).sort().entries()) {
      if (Number(name.slice(0, 3)) !== i + 1) rmSync(join(path, engine, name));
    }
  }
  addFiles(path, files);
  return pathToFileURL(path);
}

function addFiles(path: string, files: Readonly<Record<string, string>>): void {
  for (const [name, sql] of Object.entries(files)) {
    for (const engine of ['sqlite', 'postgres']) writeFileSync(join(path, engine, name), sql);
  }
}

async function emptyDatabase(): Promise<string> {
  const url = await newDatabase();
  return isSqlite(url) ? `sqlite:${join(folder, `${count++}.db`)}` : url;
}

async function migrated(url: string, options: Partial<StoreOptions> = {}) {
  const { store, ready } = await openStore(url, { ...api, tables: {}, ...options });
  try {
    return await ready;
  } finally {
    await store.close();
  }
}

function isSqlite(url: string): boolean {
  return url.startsWith('sqlite:');
}

async function execute(url: string, sql: string): Promise<Record<string, unknown>[]> {
  if (isSqlite(url)) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    const rows = database.prepare(sql).all();
    database.close();
    return rows.map((row) => ({ ...row }));
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

/** As a server leaves it that does not know names. */
async function unnamedDatabase(): Promise<string> {
  const url = await emptyDatabase();
  await migrated(url, { migrations: numbered() });
  await execute(
    url,
    isSqlite(url) ? 'DROP TABLE migrations' : 'ALTER TABLE migrations DROP COLUMN name',
  );
  return url;
}

function ownNames(url: string): string[] {
  return namesOf(api.migrations, url);
}

function namesOf(migrations: URL, url: string): string[] {
  return readMigrations(migrations, isSqlite(url) ? 'sqlite' : 'postgres').map(({ name }) => name);
}

async function tablesOf(url: string): Promise<unknown[]> {
  const sql = isSqlite(url)
    ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
    : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'";
  return (await execute(url, sql)).map(({ name }) => name);
}

async function namesIn(url: string): Promise<unknown[]> {
  const sql = isSqlite(url)
    ? 'SELECT name FROM migrations ORDER BY name'
    : "SELECT to_jsonb(each) ->> 'name' AS name FROM migrations AS each ORDER BY version";
  if (!(await tablesOf(url)).includes('migrations')) return [];
  return (await execute(url, sql)).flatMap(({ name }) => name ?? []);
}

async function versionOf(url: string): Promise<number> {
  const sql = isSqlite(url)
    ? 'SELECT user_version AS version FROM pragma_user_version'
    : 'SELECT max(version) AS version FROM migrations';
  return Number((await execute(url, sql))[0]?.version);
}
