// engines: postgres
// long: waits for hosts that fall silent
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';
import {
  type Postgres,
  type Standby,
  startPostgres,
} from '../../../tools/support/embedded-postgres.ts';
import { freePort } from '../../../tools/support/free-port.ts';
import { command } from '../../../tools/support/server-command.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { createClient } from '../../support/client.ts';
import { samples } from '../../support/collections.ts';
import { needPostgres } from '../../support/engine.ts';
import { openLink } from '../../support/link.ts';

needPostgres();

const post = { method: 'POST', path: '/books', json: samples.books.input };
const started: (() => Promise<unknown>)[] = [];
let primary: Postgres;
let standby: Standby;
let address: string;

beforeEach(async () => {
  primary = await startPostgres(['fsync=off']);
  started.push(primary.remove);
  address = await primary.createDatabase('hosts');
  standby = await primary.startStandby();
  started.push(standby.stop);
});
afterEach(async () => {
  for (const stop of started.splice(0).reverse()) await stop();
});

describe('a server with several hosts', () => {
  it('finds the one that takes writes, wherever it stands', async () => {
    const nobody = await freePort();
    const { request, log } = await served([nobody, standby.port, portOf(address)]);
    expect((await request(post)).status).toBe(201);
    expect((await request({ path: '/readyz' })).status).toBe(200);
    expect(log.join()).not.toMatch(/not a secret|not%20a%20secret/);
  });

  it('finds the writer again when it is lost, and loses nothing', async () => {
    const { request } = await served([portOf(address), standby.port]);
    const created = await request(post);
    expect(created.status).toBe(201);
    await caughtUp();
    await primary.stop('immediate');
    const { status, headers } = await request(post);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    await standby.promote();
    while ((await request({ path: '/readyz' })).status !== 200) await sleep(10);
    expect((await request({ path: '/books/1' })).text).toBe(created.text);
    expect((await request(post)).status).toBe(201);
  });

  it('finds the writer again when it falls silent while more wait than there are connections', async () => {
    const link = await openLink(address);
    started.push(link.cut);
    const { request } = await served([portOf(link.address), standby.port], { DATABASE_POOL: '2' });
    const put = { ...post, method: 'PUT', path: '/books/1' };
    while ((await request(post)).status !== 201) await sleep(10);
    // Both connections are open.
    await Promise.all(Array.from({ length: 10 }, () => request(put)));
    await caughtUp();
    link.silence();
    await standby.promote();
    let isFound = false;
    // Whoever is next for a connection has waited for long, and leaves before one to the silent host fails.
    const write = async (_: unknown, i: number) => {
      await sleep(50 * i);
      while (!isFound) isFound = (await request(put)).status === 200;
    };
    await Promise.all(Array.from({ length: 40 }, write));
  });

  it('waits for the first that takes writes for as long as for any connection', async () => {
    const { request } = await served([portOf(address), standby.port]);
    await caughtUp();
    await primary.stop('immediate');
    const writing = request(post);
    await standby.promote();
    const { status } = await writing;
    expect(status).toBe(201);
  });

  it('drops what is connected to a server that became read-only, and repeats the write', async () => {
    const { request } = await served([portOf(address), standby.port]);
    expect((await request(post)).status).toBe(201);
    const sessions = await backends(address);
    await setReadOnly(address, true);
    const writing = request(post);
    while ((await backends(address)).some((pid) => sessions.includes(pid))) await sleep(10);
    await setReadOnly(address, false);
    expect((await writing).status).toBe(201);
  });

  it('does not wait for a host that does not answer', async () => {
    const link = await openLink(address);
    started.push(link.cut);
    link.silence();
    const { request } = await served([portOf(link.address), portOf(address)]);
    expect((await request(post)).status).toBe(201);
  });

  it('is told of a wrong password by every host, and does not start', async () => {
    const wrong = [portOf(address), standby.port].map((port) => `127.0.0.1:${port}`).join();
    const refusal = await serverAt(`postgres://accord:wrong@${wrong}/hosts`, []).catch(String);
    expect(refusal).toContain('password authentication failed');
    expect(refusal).not.toContain('wrong');
  });

  it('migrates and copies on the writer', async () => {
    const DATABASE_URL = severalHosts([standby.port, portOf(address)]);
    expect(await command('migrate', { DATABASE_URL })).toMatch(/was made\.\n$/);
    const folder = mkdtempSync(join(tmpdir(), 'accord-hosts-'));
    started.push(async () => rmSync(folder, { recursive: true }));
    const file = `sqlite:${join(folder, 'from.db')}`;
    await command('migrate', { DATABASE_URL: file });
    expect(await command('copy', {}, [file, DATABASE_URL])).toContain('books: 0 copied');
  });

  it('counts requests for its rate limit on the writer', async () => {
    const env = { RATE_LIMIT: '3/60' };
    const ports = [standby.port, portOf(address)];
    const [one, other] = [await served(ports, env), await served(ports, env)];
    const statuses = [];
    for (const { request } of [one, other, one, other]) {
      statuses.push((await request({ path: '/books' })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe('a server with one host that is to take writes', () => {
  it('is not served by a standby, and is when that is promoted', async () => {
    const made = await served([portOf(address)]);
    expect((await made.request(post)).status).toBe(201);
    await caughtUp();
    const { request } = await served([standby.port]);
    expect((await request({ path: '/readyz' })).status).toBe(503);
    expect((await request(post)).status).toBe(503);
    await primary.stop('immediate');
    await standby.promote();
    expect((await request(post)).status).toBe(201);
  });
});

function severalHosts(ports: readonly number[]): string {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join();
  return `postgres://accord:not%20a%20secret@${hosts}/hosts?target_session_attrs=read-write`;
}

function served(ports: readonly number[], env: Record<string, string> = {}) {
  return serverAt(severalHosts(ports), [], env);
}

async function serverAt(DATABASE_URL: string, log: string[], env: Record<string, string> = {}) {
  const settings = readSettings({ PORT: '0', ...atOnce, DATABASE_URL, ...env });
  const lines = createLog('info', (line) => log.push(line));
  const running = await serve(api, { settings, log: lines });
  started.push(running.stop);
  return { request: await createClient(running.url), log };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function session<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return use(client).finally(() => client.end());
}

/** Resolves when the standby has all that the primary has. */
async function caughtUp(): Promise<void> {
  await session(address, async (client) => {
    const behind = `SELECT FROM pg_stat_replication WHERE replay_lsn < pg_current_wal_lsn()`;
    while ((await client.query(behind)).rows.length > 0) await sleep(10);
  });
}

async function setReadOnly(url: string, isReadOnly: boolean): Promise<void> {
  await session(url, async (client) => {
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly}`);
    await client.query('SELECT pg_reload_conf()');
  });
}

/** The processes that serve this database's sessions of servers. */
async function backends(url: string): Promise<number[]> {
  return session(url, async (client) => {
    const { rows } = await client.query(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'accord' AND query <> ''",
    );
    return rows.map(({ pid }) => pid);
  });
}
