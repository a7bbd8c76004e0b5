import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../src/api/api.ts';
import { openStore } from '../../src/kit/store/open-store.ts';
import { type Postgres, startPostgres } from '../../tools/support/embedded-postgres.ts';
import { cpuTime } from '../../tools/support/process-usage.ts';
import { atOnce, type Spawned, spawnServer } from '../../tools/support/server-process.ts';
import { lastCursor } from '../support/last-cursor.ts';

const COUNT = 1_000_000;
const PAGES = 300;

describe('a collection of 1,000,000 books on PostgreSQL', () => {
  let postgres: Postgres;
  let client: Client;
  let server: Spawned;
  let url: string;
  const figures: string[] = [];

  beforeAll(async () => {
    postgres = await startPostgres(['fsync=off', 'autovacuum=off']);
    const address = await postgres.createDatabase('large');
    const { store, ready } = await openStore(address, api);
    await ready;
    await store.close();
    client = new Client({ connectionString: address });
    await client.connect();
    await client.query(`INSERT INTO books (title, pages)
      SELECT 'The book with the number ' || i, 1 + i % 1000 FROM generate_series(1, ${COUNT}) AS i`);
    await client.query('VACUUM ANALYZE books');
    server = spawnServer({ DATABASE_URL: address, LOG_LEVEL: 'info', ...atOnce });
    url = await server.ready();
  }, 300_000);
  afterAll(async () => {
    server?.child.kill();
    await server?.ended();
    await client?.end();
    await postgres?.remove();
    mkdirSync('artefacts', { recursive: true });
    writeFileSync('artefacts/large-postgres-collection.txt', `${figures.join('\n')}\n`);
  });

  /** How often the table was read as a whole, and by an index. Sessions tell it once a second at most. */
  async function scans(least = 0): Promise<{ readonly whole: number; readonly byIndex: number }> {
    for (;;) {
      const { rows } = await client.query(
        `SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'books'`,
      );
      const byIndex = Number(rows[0].idx_scan);
      if (byIndex >= least) return { whole: Number(rows[0].seq_scan), byIndex };
      await sleep(100);
      // A session that has nothing to do tells it with its next statement.
      await (await fetch(`${url}/books/1`)).text();
    }
  }

  it.each([
    ['in order of id', '', `after=${COUNT - 20}`],
    ['sorted by a number', 'sort=-pages', undefined],
    ['sorted by text', 'sort=title', undefined],
    ['filtered and sorted', 'pages[gte]=500&sort=pages', undefined],
  ])('a page of 20 %s costs at its end about as much as the first', async (name, query, end) => {
    const last = end ?? `after=${await lastCursor(url, query)}`;
    const cpu = () => cpuTime(server.child.pid ?? 0) + cpuTime(postgres.pid());
    const read = async (more: string) => {
      const start = cpu();
      for (let i = 0; i < PAGES; i++) {
        const response = await fetch(`${url}/books?${query}&limit=20&${more}`);
        expect(await response.json()).toHaveLength(20);
      }
      return cpu() - start;
    };
    await read('');
    const before = await scans();
    const ratios: number[] = [];
    for (let round = 0; round < 5; round++) {
      const first = await read('');
      ratios.push((await read(last)) / first);
    }
    const after = await scans(before.byIndex + 9 * PAGES);
    // Demanded is 1.3, in a quiet run, as on SQLite.
    figures.push(`${name}: ${ratios.map((each) => each.toFixed(2)).join(' ')}`);
    expect(after.whole).toBe(before.whole);
    expect(ratios.toSorted((a, b) => a - b)[2]).toBeLessThan(3);
  });
});
