// engines: sqlite, postgres
// long: starts processes
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { spawnServer } from '../../../tools/support/server-process.ts';
import { startLoad } from '../../../tools/support/write-load.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';

needPostgres();

const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('WORKERS=2', () => {
  it('serves from two, replaces one that is killed, loses nothing, drains both', async () => {
    const file = `sqlite:${join(folder, 'workers.db')}`;
    const DATABASE_URL = inject('postgres') ? await newDatabase() : file;
    const server = spawnServer({ DATABASE_URL, WORKERS: '2', SEED_DEMO: 'true' });
    const url = await server.ready();
    const pid = server.child.pid ?? 0;
    const [first, second] = children(pid);
    expect([first, second]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(server.output().match(/Accord is at/g)).toHaveLength(1);

    const load = startLoad(url, 8);
    await written(400);
    process.kill(first ?? 0, 'SIGKILL');
    while (children(pid).length < 2 || children(pid).includes(first ?? 0)) await sleep(10);
    await written(400);
    await load.stop();

    expect(load.violations).toEqual([]);
    expect(await load.differences(url)).toEqual([]);
    expect(Object(await (await fetch(`${url}/notes`)).json()).length).toBe(3);
    expect(server.output()).toMatch(
      new RegExp(`"cause":"SIGKILL","msg":"Process ${first} failed"`),
    );
    server.child.kill('SIGTERM');
    expect(await server.ended()).toBe(0);

    async function written(count: number) {
      const enough = load.acknowledged() + count;
      while (load.acknowledged() < enough) await load.nextAcknowledged();
    }
  });
});

/** The processes that a process has started, as Linux tells it. */
function children(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}
