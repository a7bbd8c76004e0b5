// engines: postgres
// long: starts PgBouncer
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';
import { requireProgram } from '../../../tools/faults/program.ts';
import { startPgBouncer } from '../../../tools/support/pgbouncer.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { createClient } from '../../support/client.ts';
import { samples } from '../../support/collections.ts';
import { ENOUGH_CONNECTIONS, needPostgres, newDatabase } from '../../support/engine.ts';

needPostgres();
beforeEach(({ skip }) => {
  // In CI it is installed, or the tests fail.
  if (process.env.CI === 'true') requireProgram('pgbouncer', '--version');
  else if (spawnSync('pgbouncer', ['--version']).status !== 0) skip('no PgBouncer here');
});

const post = { method: 'POST', path: '/books', json: samples.books.input };
const started: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of started.splice(0).reverse()) await stop();
});

it('a server behind PgBouncer in transaction mode serves, with fewer connections than it has', async () => {
  const { request, log } = await served();
  const writes = await Promise.all(Array.from({ length: 40 }, () => request(post)));
  expect(new Set(writes.map(({ status }) => status))).toEqual(new Set([201]));
  const reads = await Promise.all(
    Array.from({ length: 40 }, (_, i) => request({ path: `/books/${i + 1}` })),
  );
  expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
  const query = 'mutation { createUser(name: "y", email: "y@example.com") { id } }';
  const users = await Promise.all(
    Array.from({ length: 10 }, () =>
      request({ method: 'POST', path: '/graphql', json: { query } }),
    ),
  );
  expect(users.filter(({ json }) => json.data?.createUser).length).toBe(1);
  const headers = { 'idempotency-key': 'once' };
  const once = await Promise.all(
    Array.from({ length: 10 }, () => request({ ...post, path: '/books', headers })),
  );
  expect(new Set(once.map(({ text }) => text)).size).toBe(1);
  expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

it('one that limits requests counts them in the database', async () => {
  const url = await newDatabase();
  const env = { RATE_LIMIT: '3/60' };
  const [one, other] = [await served(url, env), await served(url, env)];
  const statuses = [];
  for (const { request } of [one, other, one, other]) {
    statuses.push((await request({ path: '/books' })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});

it('one with DATABASE_READ_URL tells the position of each write', async () => {
  const url = await newDatabase();
  const { request, log } = await served(url, { DATABASE_READ_URL: url });
  const headers = { 'idempotency-key': 'once' };
  const writes = await Promise.all([
    ...Array.from({ length: 40 }, () => request(post)),
    ...Array.from({ length: 10 }, () => request({ ...post, headers })),
  ]);
  for (const { status, headers } of writes) {
    expect([status, headers['accord-position']]).toEqual([201, expect.stringMatching(/^\w{16}$/)]);
  }
  expect((await request({ path: '/books?limit=1000' })).json).toHaveLength(41);
  expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

it('one whose PgBouncer is restarted serves on', async () => {
  const { request, pooler } = await served();
  expect((await request(post)).status).toBe(201);
  await pooler.restart();
  expect((await request({ path: '/books/1' })).status).toBe(200);
  while ((await request(post)).status !== 201) await sleep(10);
  expect((await request({ path: '/readyz' })).status).toBe(200);
});

it('a statement takes as long as the database says', async () => {
  const url = await newDatabase();
  const other = new Client({ connectionString: url });
  await other.connect();
  started.push(() => other.end());
  const [database] = (await other.query('SELECT current_database() AS name')).rows;
  await other.query(`ALTER DATABASE ${database.name} SET statement_timeout = '1s'`);
  const { request } = await served(url);
  await other.query('BEGIN; LOCK TABLE books');
  const { status, json } = await request(post);
  expect([status, json.detail]).toEqual([503, expect.stringContaining('Nothing was changed')]);
  await other.query('COMMIT');
});

async function served(url?: string, env: Record<string, string> = {}) {
  const direct = url ?? (await newDatabase());
  const pooler = await startPgBouncer(inject('postgres'));
  started.push(pooler.stop);
  const DATABASE_URL = `${pooler.address(direct)}?prepared_statements=off`;
  const DATABASE_POOL = `${ENOUGH_CONNECTIONS}`;
  const log: string[] = [];
  const { url: at, stop } = await serve(api, {
    settings: readSettings({ PORT: '0', ...atOnce, DATABASE_URL, DATABASE_POOL, ...env }),
    log: createLog('info', (line) => log.push(line)),
  });
  started.push(stop);
  return { request: await createClient(at), pooler, log };
}
