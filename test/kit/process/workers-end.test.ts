// slow: starts processes
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { atOnce, spawnServer } from '../../../tools/support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is the same on every database. */
describe('WORKERS=2', () => {
  it('ends both when the one that started them is killed', async () => {
    const DATABASE_URL = `sqlite:${join(folder, 'orphans.db')}`;
    const server = spawnServer({ DATABASE_URL, WORKERS: '2' });
    const url = await server.ready();
    server.child.kill('SIGKILL');
    await server.ended();
    while (await fetch(url).catch(() => undefined)) await sleep(10);
  });

  it('does not start where one would not', async () => {
    const first = spawnServer({ DATABASE_URL: 'sqlite::memory:', ...atOnce });
    const { port } = new URL(await first.ready());
    const DATABASE_URL = `sqlite:${join(folder, 'taken.db')}`;
    const second = spawnServer({ DATABASE_URL, WORKERS: '2', PORT: port });
    expect(await second.ended()).toBe(1);
    expect(second.output()).toContain('EADDRINUSE');
    first.child.kill();
    await first.ended();
  });
});
