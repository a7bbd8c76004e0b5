// engines: sqlite, postgres
// long: starts processes
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';

needPostgres();

const folder = mkdtempSync(join(tmpdir(), 'accord-migration-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** A project with this API's migrations and one more, which `write` makes at the path that it is given. */
function projectWith(write: (path: string) => void): string {
  const project = join(folder, `project-${count++}`);
  cpSync(api.migrations, join(project, 'migrations'), { recursive: true });
  for (const engine of ['sqlite', 'postgres']) {
    write(join(project, 'migrations', engine, '010-more.sql'));
  }
  const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url));
  writeFileSync(
    join(project, 'main.mjs'),
    `import { api } from ${source('api/api.ts')};
     import { run } from ${source('kit/process/run.ts')};
     await run({ ...api, migrations: new URL('./migrations/', import.meta.url) });`,
  );
  return project;
}

function migrate(project: string, url: string, args: readonly string[] = []): Promise<string> {
  const options = { env: { PATH: process.env.PATH, DATABASE_URL: url } };
  const command = [join(project, 'main.mjs'), 'migrate', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (_, out, errors) => resolve(`${out}${errors}`));
  });
}

async function emptyDatabase(): Promise<string> {
  const url = await newDatabase();
  return url.startsWith('sqlite:') ? `sqlite:${join(folder, `${count++}.db`)}` : url;
}

async function tablesIn(url: string): Promise<unknown[]> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    database.close();
    return rows.map(({ name }) => name);
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  );
  await client.end();
  return rows.map(({ tablename }) => tablename);
}

const checkOf = (url: string) => ['--check', ...(url.startsWith('sqlite:') ? [] : [url])];

describe('a migration that ends its transaction is refused, and leaves nothing behind:', () => {
  it.each(['COMMIT', 'ROLLBACK', 'BEGIN', 'END; BEGIN', 'commit /* now */'])('%s', async (text) => {
    const url = await emptyDatabase();
    const sql = `CREATE TABLE half (id integer);\n${text};\nCREATE TABLE half (id integer);`;
    const project = projectWith((path) => writeFileSync(path, sql));
    const refusal =
      'accord: the migration 010-more failed: it has a transaction command such as BEGIN or COMMIT; all migrations are applied in one transaction\n';
    expect(await migrate(project, url)).toBe(refusal);
    expect(await tablesIn(url)).toEqual([]);
    expect(await migrate(project, url, checkOf(url))).toBe(refusal);
    expect(await tablesIn(url)).toEqual([]);
  });
});

it('a migration may have bodies of functions and triggers, quotes and backslashes', async () => {
  const url = await emptyDatabase();
  const rows = `CREATE TABLE more (name text); INSERT INTO more VALUES ('a''b\\'), ('COMMIT; $$');`;
  const body = url.startsWith('sqlite:')
    ? `CREATE TRIGGER kept AFTER INSERT ON more BEGIN UPDATE more SET name = ''; END;`
    : `SELECT name INTO other FROM more;
       CREATE FUNCTION one() RETURNS integer LANGUAGE plpgsql AS $do$ BEGIN RETURN 1; END $do$;
       CREATE FUNCTION two() RETURNS integer BEGIN ATOMIC SELECT 1; SELECT 2; END;
       DO $$ BEGIN PERFORM one(); END $$;
       CREATE TABLE third AS SELECT two() AS id;`;
  const project = projectWith((path) => writeFileSync(path, `${rows}${body}`));
  expect(await migrate(project, url)).toContain('was made');
  expect(await tablesIn(url)).toContain('more');
});

describe('a migration is refused by its name', () => {
  it.each<[string, string, (path: string) => void]>([
    [
      'where it begins with a byte order mark',
      'begins with a byte order mark: save it as UTF-8 without one',
      (path) => writeFileSync(path, '\ufeffCREATE TABLE more (id integer)'),
    ],
    [
      'where it is not UTF-8',
      'is not UTF-8',
      (path) =>
        writeFileSync(path, Buffer.from("CREATE TABLE more (name text DEFAULT 'é')", 'latin1')),
    ],
    [
      'where it is empty',
      'is empty: say in a comment why there is nothing to do',
      (path) => writeFileSync(path, ' \n'),
    ],
    ['where it is a folder', 'is not a file', (path) => mkdirSync(path)],
    ['where it is a link to nothing', 'is not a file', (path) => symlinkSync('absent.sql', path)],
  ])('%s', async (_, reason, write) => {
    const url = await emptyDatabase();
    const project = projectWith(write);
    const refusal = `accord: the migration 010-more.sql ${reason}\n`;
    expect(await migrate(project, url, checkOf(url))).toBe(refusal);
    expect(await migrate(project, url)).toBe(refusal);
    expect(await tablesIn(url)).toEqual([]);
  });

  it('unless it says in a comment that there is nothing to do', async () => {
    const project = projectWith((path) =>
      writeFileSync(path, '-- Only the other engine needs it.'),
    );
    expect(await migrate(project, await emptyDatabase())).toContain('was made');
  });
});
