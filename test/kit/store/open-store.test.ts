// engines: sqlite, postgres
import { Client } from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { records } from '../../../src/kit/store/table-declarations.ts';
import { needPostgres } from '../../support/engine.ts';
import { openTables } from '../../support/table-store.ts';

type Thing = { readonly id: number; readonly name: string };
const tables = { things: records<Thing>({ name: 'text' }, { filter: ['name'] }) };

needPostgres();
afterEach(() => void vi.restoreAllMocks());

describe('a store that is opened without further options', () => {
  it('gives a list that no index serves 10 s', async () => {
    const { store, url, close } = await openTables(tables);
    if (url.startsWith('sqlite:')) {
      await store.things.create({ name: 'a' });
      const listAt = async (ms: number) => {
        const now = vi.spyOn(performance, 'now').mockReturnValue(ms).mockReturnValueOnce(0);
        const listing = (async () =>
          store.things.page({ where: { name: { contains: 'a' } }, limit: 1 }))();
        return listing.finally(() => now.mockRestore());
      };
      expect(await listAt(10_000)).toHaveLength(1);
      await expect(listAt(10_000.5)).rejects.toMatchObject({ code: 'unavailable' });
    }
    await close();
  });

  it('holds up to 10 connections', async () => {
    const { store, url, close } = await openTables(tables);
    if (url.startsWith('postgres')) {
      const holder = new Client({ connectionString: url });
      const watcher = new Client({ connectionString: url });
      await Promise.all([holder.connect(), watcher.connect()]);
      const sessions = async (condition: string) => {
        const own = "datname = current_database() AND application_name = 'accord'";
        const sql = `SELECT FROM pg_stat_activity WHERE ${own} AND ${condition}`;
        return (await watcher.query(sql)).rows.length;
      };
      await holder.query('BEGIN; LOCK TABLE things');
      const lists = Array.from({ length: 12 }, async (_, i) =>
        store.things.page({ where: { name: { eq: `${i}` } }, limit: 1 }),
      );
      const all = Promise.allSettled(lists);
      await vi.waitFor(async () => expect(await sessions("wait_event_type = 'Lock'")).toBe(10), {
        timeout: 20_000,
      });
      await holder.query('COMMIT');
      await all;
      expect(await sessions('true')).toBe(10);
      await Promise.all([holder.end(), watcher.end()]);
    }
    await close();
  });
});
