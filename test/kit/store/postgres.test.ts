// engines: postgres
// long: waits for a cluster that is stopped and started
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { tables } from '../../../src/api/tables.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { type Running, serve } from '../../../src/kit/serve.ts';
import { columnName } from '../../../src/kit/store/columns.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { freePort } from '../../../tools/support/free-port.ts';
import { command } from '../../../tools/support/server-command.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { blocked } from '../../support/blocked-session.ts';
import { type Client as Api, createClient } from '../../support/client.ts';
import { collections, samples } from '../../support/collections.ts';
import { ENOUGH_CONNECTIONS, needPostgres, newDatabase } from '../../support/engine.ts';
import { openLink } from '../../support/link.ts';

needPostgres();

const started: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of started.splice(0).reverse()) await stop();
});

const json = samples.books.input;
const post = { method: 'POST', path: '/books', json };

describe('a server whose database', () => {
  it('ends an idle connection serves on', async () => {
    const { api, other } = await served();
    expect((await api(post)).status).toBe(201);
    await endSessions(other);
    expect((await api({ path: '/books/1' })).status).toBe(200);
    expect((await api(post)).status).toBe(201);
  });

  it('ends a connection in the middle of a read reads again', async () => {
    const { api, other } = await served();
    await api(post);
    await other.query('BEGIN; LOCK TABLE books');
    const reading = api({ path: '/books/1' });
    await blocked(other);
    await endSessions(other);
    await other.query('COMMIT');
    expect((await reading).status).toBe(200);
  });

  it('ends a connection in the middle of a write does not write again, and says so', async () => {
    const { api, other } = await served();
    await other.query('BEGIN; LOCK TABLE books');
    const writing = api(post);
    await blocked(other);
    await endSessions(other);
    await other.query('COMMIT');
    const { status, headers, json } = await writing;
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(json.detail).toContain('Look before you try again');
    expect((await api({ path: '/books' })).text).toBe('[]');
  });

  it('ends a connection in the middle of a mutation says so too', async () => {
    const { api, other } = await served();
    await other.query('BEGIN; LOCK TABLE todos');
    const query = 'mutation { addTodo(title: "once") { id } }';
    const writing = api({ method: 'POST', path: '/graphql', json: { query } });
    await blocked(other);
    await endSessions(other);
    await other.query('COMMIT');
    const [error] = (await writing).json.errors;
    expect(error.extensions.code).toBe('UNAVAILABLE');
    expect(error.message).toContain('Look before you try again');
  });

  it('undoes a write because of another tries it once more', async () => {
    const { api, other } = await served('options=-c default_transaction_isolation=serializable');
    await api(post);
    await other.query('BEGIN; UPDATE books SET pages = 1');
    const put = { method: 'PUT', path: '/books/1', json };
    const writing = api(put);
    await blocked(other);
    await other.query('COMMIT');
    expect((await writing).status).toBe(200);
  });

  it('finds an address taken by another at the same moment says that it is', async () => {
    const { api, other } = await served();
    await other.query("BEGIN; INSERT INTO users (name, email) VALUES ('x', 'x@example.com')");
    const query = 'mutation { createUser(name: "y", email: "x@example.com") { id } }';
    const writing = api({ method: 'POST', path: '/graphql', json: { query } });
    await blocked(other);
    await other.query('COMMIT');
    const { json } = await writing;
    expect(json.errors[0].extensions.code).toBe('CONFLICT');
  });

  it('takes too long answers 503, and nothing was changed', async () => {
    const { api, other, log } = await served('statement_timeout=300', await readyDatabase());
    await other.query('BEGIN; LOCK TABLE books');
    const { status, json: problem } = await api(post);
    expect([status, problem.detail]).toEqual([503, expect.stringContaining('Nothing was changed')]);
    expect(log.join()).toContain('statement timeout');
    await other.query('COMMIT');
    expect((await api({ path: '/books' })).text).toBe('[]');
  });

  it('hangs answers 503, is not ready, and serves when it is back', async () => {
    const { address, silence, speak } = await linkTo(await readyDatabase());
    const { api } = await served('query_timeout=500', address);
    silence();
    expect((await api({ path: '/readyz' })).status).toBe(503);
    expect((await api({ path: '/books' })).status).toBe(503);
    expect((await api(post)).status).toBe(503);
    speak();
    expect((await api(post)).status).toBe(201);
  });

  it('is not there yet waits for it, says so, is not ready meanwhile, and then serves', async () => {
    const { address, open } = await linkTo(await newDatabase(), 'closed');
    const log: string[] = [];
    const port = String(await freePort());
    const starting = served('', address, { PORT: port }, log);
    const api = await createClient(`http://127.0.0.1:${port}`);
    const database = address.replace(/\/\/.*@/, '//');
    const line = `Listening at http://127.0.0.1:${port}, waiting for the database ${database}`;
    while (!log.join().includes(line)) await sleep(10);
    expect((await api({ path: '/healthz' })).status).toBe(200);
    for (const path of ['/readyz', '/books', '/books/1']) {
      const { status, headers } = await api({ path });
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    }
    await open();
    await starting;
    expect((await api({ path: '/readyz' })).status).toBe(200);
    expect((await api(post)).status).toBe(201);
    expect(log.filter((each) => each.includes('waiting for the database')).length).toBe(1);
    expect(log.join()).toContain(`Connected to the database ${database}`);
    expect(log.join()).not.toMatch(/not a secret|not%20a%20secret/);
  });
});

describe('the start is refused, without a word of the password,', () => {
  it.each([
    ['for a wrong password', () => ({ password: 'wrong' }), 'password authentication failed'],
    ['for a database that is not there', () => ({ pathname: '/absent' }), 'does not exist'],
  ])('%s', async (_, change, reason) => {
    const url = new URL(await newDatabase());
    const wrong = Object.assign(url, change()).href;
    const log: string[] = [];
    const refusal = await served('', wrong, {}, log).catch((error: Error) => error.message);
    expect(refusal).toContain(reason);
    expect(log.join() + refusal).not.toMatch(/wrong|not a secret|not%20a%20secret/);
  });
});

describe('the store', () => {
  it.each(collections)('has the columns of %s that SQLite has', async (name) => {
    const { other } = await served();
    const { rows } = await other.query(
      'SELECT column_name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position',
      [name],
    );
    const columns = rows.map(({ column_name }) => `"${column_name}"`);
    const fields = ['id', 'version', ...Object.keys(tables[name].columns)];
    expect(columns).toEqual(fields.map(columnName));
  });

  it('is made by one of many that open an empty database at once', async () => {
    const url = await newDatabase();
    const opened = await Promise.all(Array.from({ length: 6 }, () => openStore(url, api)));
    const isNew = await Promise.all(opened.map(async ({ ready }) => (await ready).isNew));
    expect(isNew.filter(Boolean).length).toBe(1);
    for (const { store } of opened) await store.ping();
    for (const { store } of opened) await store.close();
  });

  it('lets one of many users at once have an address', async () => {
    const options = { ...api, poolSize: ENOUGH_CONNECTIONS };
    const { store, ready } = await openStore(await newDatabase(), options);
    await ready;
    const create = () => store.users.create({ name: 'x', email: 'x@example.com' });
    const made = await Promise.allSettled(Array.from({ length: 20 }, create));
    expect(made.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    const reasons = made.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(new Set(reasons)).toEqual(new Set(['conflict']));
    await store.close();
  });

  it('of a newer server is refused, and one that is not in UTF-8', async () => {
    const url = await readyDatabase();
    const other = await session(url);
    await other.query('INSERT INTO migrations (version) VALUES (999)');
    const newer = await openStore(url, api);
    await expect(newer.ready).rejects.toThrow('the database is at version 999');
    await newer.store.close();
    await other.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    const latin = await openStore(Object.assign(new URL(url), { pathname: '/latin' }).href, api);
    await expect(latin.ready).rejects.toThrow('encoded in LATIN1');
    await latin.store.close();
  });

  it('that is not up to date is refused by a server that may not migrate', async () => {
    const url = await newDatabase();
    const refused = await openStore(url, { ...api, mayMigrate: false });
    await expect(refused.ready).rejects.toThrow('MIGRATE is off: run npm run migrate');
    await refused.store.close();
    expect(await command('migrate', { DATABASE_URL: url })).toMatch(
      /^The database .* was made\.$/m,
    );
    expect(await command('migrate', { DATABASE_URL: url })).toContain('is up to date.');
    const admitted = await openStore(url, { ...api, mayMigrate: false });
    expect(await admitted.ready).toEqual({ isNew: false });
    await admitted.store.close();
  });

  it('can be closed while it waits for its database', async () => {
    const { store, ready } = await openStore(`postgres://x@127.0.0.1:${await freePort()}/x`, api);
    await store.close();
    await expect(ready).rejects.toThrow();
  });
});

type Served = { readonly api: Api; readonly other: Client; readonly log: string[] };

/** A server on a database of its own, and a session of another on the same database. */
async function served(
  parameters = '',
  address?: string,
  env: Record<string, string> = {},
  log: string[] = [],
): Promise<Served> {
  const url = address ?? (await newDatabase());
  const config = readSettings({
    PORT: '0',
    ...atOnce,
    DATABASE_URL: `${url}?${parameters}`,
    ...env,
  });
  const lines = createLog('info', (line) => log.push(line));
  const running: Running = await serve(api, { settings: config, log: lines });
  started.push(running.stop);
  return { api: await createClient(running.url), other: await session(url), log };
}

/** A database with its tables, whose making may take longer than a server of little patience gives it. */
async function readyDatabase(): Promise<string> {
  const url = await newDatabase();
  const { store, ready } = await openStore(url, api);
  await ready;
  await store.close();
  return url;
}

async function linkTo(url: string, state?: 'closed') {
  const link = await openLink(url, state);
  started.push(link.cut);
  return link;
}

async function session(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  started.push(() => client.end());
  return client;
}

/** Ends the sessions of all others on this database. */
async function endSessions(other: Client): Promise<void> {
  await other.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);
}
