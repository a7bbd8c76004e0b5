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

  it('is refused where something else has the name of the kit’s table', async () => {
    const url = await newDatabase();
    const other = await session(url);
    await other.query('CREATE VIEW migrations AS SELECT 1 AS version');
    const { ready } = await opened(url, migrationsOf(words));
    await expect(ready).rejects.toThrow(/migrations/);
    await turns(10);
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
