// engines: sqlite, postgres
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, inject, it } from 'vitest';
import { api } from '../../src/api/api.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { serve } from '../../src/kit/serve.ts';
import { atOnce } from '../../tools/support/server-process.ts';
import { needPostgres, newDatabase } from '../support/engine.ts';

needPostgres();
const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['a handler is missing', { handlers: () => ({}) }, {}, /no handler for/],
  [
    'a handler and the tables are missing',
    { handlers: () => ({}) },
    { MIGRATE: 'off' },
    /no handler for|the database lacks/,
  ],
  ['mocks are refused', { handlers: () => ({}), mocks: true }, { NODE_ENV: 'production' }, /MOCKS/],
  [
    'the demo fails',
    { demo: () => Promise.reject(new Error('no demo')) },
    { SEED_DEMO: 'true' },
    /no demo/,
  ],
  ['the port is taken', {}, { PORT: '1', HOST: '192.0.2.1' }, /EADDRNOTAVAIL|EACCES/],
  ['the address is none', {}, { HOST: '999.1.1.1' }, /^cannot listen with HOST=999\.1\.1\.1: /],
])('a start that fails because %s leaves no database open', async (_, parts, env, message) => {
  const isPostgres = Boolean(inject('postgres'));
  const file = join(folder, `${crypto.randomUUID()}.db`);
  const address = isPostgres ? await newDatabase() : `sqlite:${file}`;
  // There is nothing to drain, and no load balancer to wait for.
  const own = { DATABASE_URL: address, DRAIN_DELAY: '600000', ...env };
  const settings = readSettings({ PORT: '0', ...atOnce, ...own });
  const started = serve({ ...api, ...parts }, { settings, log: createLog('silent', () => {}) });
  await expect(started).rejects.toThrow(message);
  if (isPostgres) {
    expect(await connections(address)).toBe(0);
  } else {
    // SQLite removes its log when the last connection is closed.
    expect([existsSync(file), existsSync(`${file}-wal`)]).toEqual([true, false]);
  }
});

async function connections(address: string): Promise<number> {
  const client = new Client({ connectionString: inject('postgres') });
  await client.connect();
  const question = 'SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = $1';
  try {
    // The other end of a connection learns of its end later.
    for (let i = 0; ; i++) {
      const { rows } = await client.query(question, [new URL(address).pathname.slice(1)]);
      if (rows[0].open === 0 || i === 100) return rows[0].open;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await client.end();
  }
}
