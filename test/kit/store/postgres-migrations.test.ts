// engines: postgres
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../../src/kit/store/open-store.ts';
import type { StoreOptions } from '../../../src/kit/store/store-options.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';
import { soon, turns, until } from '../../support/fake-time.ts';

needPostgres();
const folder = mkdtempSync(join(tmpdir(), 'accord-migrating-'));
afterAll(() => rmSync(folder, { recursive: true }));
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of ends.splice(0).reverse()) await end();
});
let count = 0;

/** A folder with these migrations. */
function migrationsOf(...files: readonly string[]): URL {
  const path = join(folder, String(count++));
  mkdirSync(join(path, 'postgres'), { recursive: true });
  for (const [i, sql] of files.entries()) {
    writeFileSync(join(path, 'postgres', `00${i + 1}-step.sql`), sql);
  }
  return pathToFileURL(`${path}/`);
}

async function opened(url: string, migrations: URL, options: Partial<StoreOptions> = {}) {
  const open = await openStore(url, { tables: {}, migrations, ...options });
  ends.push(open.store.close);
  return open;
}

async function session(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  ends.push(() => client.end());
  return client;
}

const words = 'CREATE TABLE words (id integer)';
// Releases of any age take this lock.
const LOCK = 4_107_110_114;

describe('a database of PostgreSQL', () => {
  it('is migrated under a lock that all releases share, and again when that session is ended', async () => {
    const url = await newDatabase();
    const other = await session(url);
    await other.query(`SELECT pg_advisory_lock(${LOCK})`);
    const onWaiting = vi.fn();
    const { ready } = await opened(url, migrationsOf(words), { onWaiting });
    let isReady = false;
    void ready.then(() => {
      isReady = true;
    });
    const waiting = async () => {
      const { rows } = await other.query(`SELECT pid FROM pg_stat_activity
        WHERE wait_event = 'advisory' AND datname = current_database()`);
      return rows.map(({ pid }) => pid);
    };
    let [pid] = await waiting();
    while (pid === undefined && !isReady) [pid] = await waiting();
    expect(isReady).toBe(false);
    await other.query('SELECT pg_terminate_backend($1)', [pid]);
    await until(() => onWaiting.mock.calls.length > 0);
    await other.query(`SELECT pg_advisory_unlock(${LOCK})`);
    expect(await ready).toEqual({ isNew: true });
    expect((await other.query('SELECT * FROM words')).rows).toEqual([]);
  });

  it('is not migrated where that fails only in the end', async () => {
    const url = await newDatabase();
    const deferred = `CREATE TABLE a (id integer PRIMARY KEY);
      CREATE TABLE b (a integer REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED);
      INSERT INTO b VALUES (9)`;
    const { ready } = await opened(url, migrationsOf(words, deferred));
    await expect(ready).rejects.toMatchObject({ code: 'conflict' });
    const other = await session(url);
    const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
    expect((await other.query(tables)).rows).toEqual([]);
  });

  it.each([
    ['COPY words FROM STDIN', 'COPY'],
    ['SELECT DISTINCT id FROM words FOR UPDATE', 'FOR UPDATE'],
    ['CREATE TABLE words (id integer)', 'already exists'],
  ])('is told why a migration fails that has no transaction command: %s', async (sql, reason) => {
    const { ready } = await opened(await newDatabase(), migrationsOf(words, sql));
    const message = await ready.catch((error: Error) => error.message);
    expect(message).toMatch(/^the migration 002-step failed: /);
    expect(message).toContain(reason);
    expect(message).not.toContain('transaction command');
  });

  it.each([
    ['migrations', /"migrations"/],
    ['first_answers', /^the migration 001-first-answers failed: /],
  ])('is refused where something else has the name of the kit’s table %s', async (name, reason) => {
    const url = await newDatabase();
    const other = await session(url);
    await other.query(`CREATE VIEW ${name} AS SELECT 1 AS version`);
    const { ready } = await opened(url, migrationsOf(words));
    await expect(ready).rejects.toThrow(reason);
    await turns(10);
  });

  it('is not migrated where that cannot be recorded', async () => {
    const url = await newDatabase();
    const other = await session(url);
    await other.query(`CREATE TABLE migrations (version integer PRIMARY KEY CHECK (version > 9),
      applied_at timestamptz NOT NULL DEFAULT now())`);
    const { ready } = await opened(url, migrationsOf(words));
    await expect(ready).rejects.toMatchObject({ code: '23514' });
    await turns(10);
    expect((await other.query("SELECT to_regclass('words') AS words")).rows).toEqual([
      { words: null },
    ]);
  });

  it.each([
    [
      'duplicates',
      'CREATE UNIQUE INDEX once ON words (id)',
      /^the migration 002-step failed: .*once/,
    ],
    ['a transaction command', 'COMMIT', /^the migration 002-step failed: it has a transaction/],
  ])('is told where a migration fails at %s', async (_, sql, reason) => {
    const made = `${words}; INSERT INTO words VALUES (1), (1)`;
    const { ready } = await opened(await newDatabase(), migrationsOf(made, sql));
    await expect(ready).rejects.toThrow(reason);
  });

  it('is migrated later where a migration cannot be made yet', async () => {
    const url = await newDatabase();
    const other = await session(url);
    const held = `DO $$ BEGIN IF to_regclass('go') IS NULL THEN
      RAISE 'held' USING ERRCODE = '55P03'; END IF; END $$; ${words}`;
    const onWaiting = vi.fn(() => void other.query('CREATE TABLE go ()'));
    const { ready } = await opened(url, migrationsOf(held), { onWaiting });
    expect(await ready).toEqual({ isNew: true });
    expect(onWaiting.mock.calls).toEqual([[expect.objectContaining({ code: '55P03' })]]);
  });

  it('is refused where it is not encoded in UTF-8', async () => {
    const url = await newDatabase();
    const other = await session(url);
    const name = `${new URL(url).pathname.slice(1)}_latin`;
    await other.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    const latin = Object.assign(new URL(url), { pathname: `/${name}` }).href;
    const { ready } = await opened(latin, migrationsOf(words));
    await expect(ready).rejects.toThrow('the database is encoded in LATIN1, not in UTF8');
  });

  it('is taken over, with what its migrations need, where they have no names yet', async () => {
    const url = await newDatabase();
    const other = await session(url);
    const dropped = '-- contract after 001-step: nobody reads it\nDROP TABLE words';
    const more = 'CREATE TABLE more (id integer)';
    const recorded = async () =>
      (await other.query('SELECT version, name, needs FROM migrations ORDER BY version')).rows;
    const first = { version: 1, name: '001-step', needs: null };
    await (await opened(url, migrationsOf(words))).ready;
    expect(await recorded()).toEqual([first]);
    await other.query('ALTER TABLE migrations DROP COLUMN name, DROP COLUMN needs');
    const off = await opened(url, migrationsOf(words), { mayMigrate: false });
    expect(await off.ready).toEqual({ isNew: false });
    const lacking = await opened(url, migrationsOf(words, dropped), { mayMigrate: false });
    await expect(lacking.ready).rejects.toThrow('the database lacks 002-step and MIGRATE is off');
    const { ready } = await opened(url, migrationsOf(words, dropped, more));
    expect(await ready).toEqual({ isNew: false });
    expect(await recorded()).toEqual([
      first,
      { version: 2, name: '002-step', needs: '001-step' },
      { version: 3, name: '003-step', needs: null },
    ]);
    // An older release knows the first, another one nothing of it.
    expect(await (await opened(url, migrationsOf(words))).ready).toEqual({ isNew: false });
    await other.query("UPDATE migrations SET needs = '000-other' WHERE version = 2");
    const older = await opened(url, migrationsOf(words));
    await expect(older.ready).rejects.toThrow('which needs a server that knows 000-other');
  });

  it('is given the tables of the kit that it lacks', async () => {
    const url = await newDatabase();
    const other = await session(url);
    await (await opened(url, migrationsOf(words))).ready;
    await other.query('DROP TABLE first_answers, rate_limits');
    const off = await opened(url, migrationsOf(words), { mayMigrate: false });
    await expect(off.ready).rejects.toThrow(
      'the database lacks first_answers, rate_limits and MIGRATE is off',
    );
    expect(await (await opened(url, migrationsOf(words))).ready).toEqual({ isNew: false });
    expect((await other.query('SELECT FROM first_answers, rate_limits')).rows).toEqual([]);
  });

  it('is opened again where there is no migration', async () => {
    const url = await newDatabase();
    const migrations = migrationsOf();
    const outcomes = [];
    for (let i = 0; i < 2; i++) outcomes.push(await (await opened(url, migrations)).ready);
    expect(outcomes).toEqual([{ isNew: true }, { isNew: false }]);
  });

  it('is left with no connection but those of the pool, and with none when it is closed', async () => {
    const sockets = new Set<Socket>();
    const { connect } = Socket.prototype;
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args) {
      sockets.add(this);
      return Reflect.apply(connect, this, args);
    });
    const url = await newDatabase();
    sockets.clear();
    const { store, ready } = await openStore(url, { tables: {}, migrations: migrationsOf(words) });
    await ready;
    const open = () =>
      [...sockets].filter(({ writableEnded, destroyed }) => !writableEnded && !destroyed);
    expect(open()).toEqual([]);
    await Promise.all([store.ping(), store.ping()]);
    expect(open()).toHaveLength(2);
    await store.close();
    expect(await soon(() => open().length === 0)).toBe(true);
  });
});
