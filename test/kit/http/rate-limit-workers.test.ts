// engines: sqlite
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atOnce, spawnServer } from '../../../tools/support/server-process.ts';

it('the processes of one machine share the count of RATE_LIMIT', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'accord-'));
  const DATABASE_URL = `sqlite:${join(folder, 'limit.db')}`;
  const server = spawnServer({ DATABASE_URL, WORKERS: '2', RATE_LIMIT: '10/3600', ...atOnce });
  const url = await server.ready();
  const ask = async () =>
    (await fetch(`${url}/books`, { headers: { connection: 'close' } })).status;
  const statuses = await Promise.all(Array.from({ length: 20 }, ask));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  server.child.kill('SIGTERM');
  expect(await server.ended()).toBe(0);
  rmSync(folder, { recursive: true });
});
