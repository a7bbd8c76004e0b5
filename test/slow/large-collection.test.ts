import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../src/api/api.ts';
import { openStore } from '../../src/kit/store/open-store.ts';
import { residentBytes } from '../../tools/support/process-usage.ts';
import { atOnce, type Spawned, spawnServer } from '../../tools/support/server-process.ts';

const COUNT = 1_000_000;

describe('a collection of 1,000,000 books', () => {
  const folder = mkdtempSync(join(tmpdir(), 'accord-'));
  const file = join(folder, 'large.db');
  let server: Spawned;
  let url: string;

  beforeAll(async () => {
    await (await openStore(`sqlite:${file}`, api)).store.close();
    const database = new DatabaseSync(file);
    database.exec(`INSERT INTO books (title, pages)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})
      SELECT 'The book with the number ' || i, 1 + i % 1000 FROM n`);
    database.close();
    server = spawnServer({ DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'info', ...atOnce });
    url = await server.ready();
  });

  afterAll(async () => {
    server.child.kill();
    await server.ended();
    rmSync(folder, { recursive: true });
  });

  const memory = () => residentBytes(server.child.pid ?? 0);

  it('is listed whole with memory growing by less than 100 MB, others served meanwhile', async () => {
    await (await fetch(`${url}/books?limit=1000`)).text();
    const before = memory();
    let peak = before;
    let bystanders = 0;
    const response = await fetch(`${url}/books`);
    const { count, last } = await countRecords(response, async (pieces) => {
      peak = Math.max(peak, memory());
      if (pieces % 200 === 0) bystanders += (await fetch(`${url}/healthz`)).status === 200 ? 1 : 0;
    });
    expect(count).toBe(COUNT);
    expect(last).toBe(`{"id":${COUNT},"title":"The book with the number ${COUNT}","pages":1}]`);
    expect(bystanders).toBeGreaterThan(0);
    expect(peak - before).toBeLessThan(100_000_000);
  });

  it('costs no more than three times as much on its last page as on its first', async () => {
    const cpu = async (query: string) => {
      const start = cpuTime(server.child.pid ?? 0);
      for (let i = 0; i < 300; i++) await (await fetch(`${url}/books?${query}`)).text();
      return cpuTime(server.child.pid ?? 0) - start;
    };
    await cpu('limit=100');
    const first = await cpu('limit=100');
    const last = await cpu(`limit=100&after=${COUNT - 100}`);
    expect(last / first).toBeLessThan(3);
  });

  it('may be left in the middle by a client', async () => {
    const gone = new AbortController();
    const response = await fetch(`${url}/books`, { signal: gone.signal });
    await response.body?.getReader().read();
    gone.abort();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});

async function countRecords(response: Response, onPiece: (pieces: number) => Promise<void>) {
  const decoder = new TextDecoder();
  let count = 0;
  let pieces = 0;
  let tail = '';
  for await (const chunk of response.body ?? []) {
    const text = decoder.decode(chunk, { stream: true });
    for (const character of text) if (character === '{') count++;
    tail = (tail + text).slice(-200);
    await onPiece(pieces++);
  }
  return { count, last: tail.slice(tail.lastIndexOf('{')) };
}

/** CPU time of a process in clock ticks, as Linux tells it. */
function cpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
  return Number(fields[13]) + Number(fields[14]);
}
