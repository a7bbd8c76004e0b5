// engines: sqlite
// long: starts processes
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { backUp } from '../../../src/kit/process/backup-command.ts';
import { copy } from '../../../src/kit/process/copy-command.ts';
import { migrate } from '../../../src/kit/process/migrate-command.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-migrate-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
let project: string;
beforeEach(() => {
  project = join(folder, String(count++));
  mkdirSync(project);
});

/** Runs a command of a server with one table, in its own folder; what it wrote, and its exit code. */
function run(args: readonly string[], columns = "{ label: 'text' }"): Promise<string> {
  const kit = (path: string) =>
    JSON.stringify(new URL(`../../../src/kit/${path}`, import.meta.url).href);
  const program = join(project, 'main.mjs');
  writeFileSync(
    program,
    `const { collection } = await import(${kit('store/table-declarations.ts')});
    const { run } = await import(${kit('process/run.ts')});
    const migrations = new URL('migrations/', import.meta.url);
    await run({ tables: { parcels: collection(${columns}) }, migrations });`,
  );
  const env = { PATH: process.env.PATH, DATABASE_URL: 'sqlite:own.db' };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd: project, env }, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}${error ? `ended with ${error.code}` : ''}`),
    );
  });
}

const files = (engine: string) => readdirSync(join(project, 'migrations', engine)).sort();

describe('migrate', () => {
  it('drafts the files of both engines, makes the database, and finds it up to date', async () => {
    expect(await run(['migrate', '--draft', 'parcels'])).toBe(
      'Drafted migrations/sqlite/001-parcels.sql: read it before you use it.\n' +
        'Drafted migrations/postgres/001-parcels.sql: read it before you use it.\n',
    );
    expect([files('sqlite'), files('postgres')]).toEqual([
      ['001-parcels.sql'],
      ['001-parcels.sql'],
    ]);
    const sql = (engine: string) =>
      readFileSync(join(project, 'migrations', engine, '001-parcels.sql'), 'utf8');
    expect(sql('sqlite')).toContain('parcels');
    expect(sql('postgres')).toContain('parcels');
    expect(sql('postgres')).not.toBe(sql('sqlite'));

    expect(await run(['migrate', '--draft', 'more'])).toBe(
      'The migrations lead to the tables that are declared.\n',
    );
    expect(await run(['migrate'])).toBe('The database sqlite:own.db was made.\n');
    expect(await run(['migrate'])).toBe('The database sqlite:own.db is up to date.\n');
    // Its log is removed when the last connection is closed.
    expect(existsSync(join(project, 'own.db-wal'))).toBe(false);

    const wider = "{ label: 'text', note: 'text | null' }";
    expect(await run(['migrate', '--draft', 'note'], wider)).toContain('sqlite/002-note.sql: read');
    expect(await run(['migrate'], wider)).toBe('The database sqlite:own.db is up to date.\n');
    expect(await run(['migrate', '--check'], wider)).toBe(
      'Releases can run beside the migrations of SQLite.\n',
    );
  });

  it.each([
    ['made', [], undefined],
    [
      'left as it was',
      [['999-broken.sql', 'DROP TABLE absent;\n']],
      'the migration 999-broken failed: no such table: absent',
    ],
  ] as const)('closes the database that it has %s', async (_, files, fault) => {
    const migrations = join(project, 'migrations');
    cpSync(api.migrations, migrations, { recursive: true });
    for (const [name, sql] of files) writeFileSync(join(migrations, 'sqlite', name), sql);
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.stubEnv('DATABASE_URL', `sqlite:${join(project, 'own.db')}`);
    const done = migrate({ ...api, migrations: pathToFileURL(`${migrations}/`) }, []);
    await (fault ? expect(done).rejects.toThrow(fault) : done);
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    // Its log is removed when the last connection is closed.
    expect(existsSync(join(project, 'own.db-wal'))).toBe(false);
  });

  it('tells where a release could not run beside a migration', async () => {
    await run(['migrate', '--draft', 'parcels']);
    for (const engine of ['sqlite', 'postgres']) {
      writeFileSync(join(project, 'migrations', engine, '002-less.sql'), 'DROP TABLE parcels;\n');
    }
    const said = await run(['migrate', '--check']);
    expect(said).toMatch(/^accord: the release before these migrations may fail beside them/);
    expect(said).toMatch(/\n- sqlite\/002-less\.sql [^\n]*\nended with 1$/);
  });
});

describe('a command that is given what it does not take is refused', () => {
  const usage = 'migrate takes nothing, --draft <name>, or --check [<empty database>]';
  it.each([
    [['more'], usage],
    [['--check', '--draft'], usage],
    [['--draft', '--check', 'a'], usage],
    [['--draft', 'a', 'b'], usage],
    [['--check', 'a', 'b'], usage],
    [['--chekc'], "Unknown option '--chekc'"],
  ])('migrate %j', async (args, told) => {
    vi.stubEnv('DATABASE_URL', `sqlite:${join(project, 'none.db')}`);
    await expect(migrate(api, args)).rejects.toThrow(told);
    vi.unstubAllEnvs();
    expect(readdirSync(project)).toEqual([]);
  });

  it.each([
    [[]],
    [['sqlite:a.db']],
    [['sqlite:a.db', 'sqlite:b.db']],
    [['sqlite::memory:', 'postgres://h/d']],
    [['sqlite:', 'postgres://h/d']],
    [['a.db', 'postgres://h/d']],
    [['postgres://h/d', 'sqlite:a.db']],
    [['sqlite:a.db', 'mysql://h/d']],
    [['sqlite:a.db', 'postgres://h:0/d']],
  ])('copy %j', async (args) => {
    const told = 'copy takes sqlite:<file> postgres://<address>';
    await expect(copy(api, args)).rejects.toThrow(told);
  });

  it.each([
    [[], 'sqlite:a.db', 'backup takes --out <file>'],
    [['--out', ''], 'sqlite:a.db', 'backup takes --out <file>'],
    [['--out', 'b.db'], 'sqlite::memory:', 'sqlite::memory: is in the memory of one process'],
    [
      ['--out', 'b.db'],
      'postgres://h/d',
      'PostgreSQL has backups of its own: use pg_dump or pg_basebackup',
    ],
    [['--in', 'b.db'], 'sqlite:a.db', "Unknown option '--in'"],
  ])('backup %j of %s', async (args, DATABASE_URL, told) => {
    await expect(backUp(readSettings({ DATABASE_URL }), args)).rejects.toThrow(told);
  });
});
