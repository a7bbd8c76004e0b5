import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/kit/store/database.ts';
import { createIdempotent } from '../../../src/kit/store/idempotency.ts';
import { collection, records } from '../../../src/kit/store/table-declarations.ts';
import { recordTables } from '../../support/recorded-tables.ts';
import { openTables } from '../../support/table-store.ts';

type Thing = { readonly id: number; readonly name: string };
const tables = {
  things: collection<Thing>({ name: 'text' }),
  others: collection<Thing>({ name: 'text' }),
  plain: records<Thing>({ name: 'text' }),
};
const keys = (database: DatabaseSync) => {
  const row = database
    .prepare('SELECT count(*) AS n, min(expires) AS first FROM first_answers')
    .get();
  return { count: row?.n, first: row?.first };
};

afterEach(() => {
  vi.useRealTimers();
});

it('expired keys are deleted at the first key and at each 100th, 1,000 at a time', async () => {
  const { store, database, close } = recordTables(tables);
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
    INSERT INTO first_answers (key, request, expires, answer) SELECT 'old ' || i, '', i, '' FROM n`);
  const create = (key: string) => store.things.create({ name: 'x' }, { caller: 'me', key });
  await create('0');
  // The one that expired last is left.
  expect(keys(database)).toEqual({ count: 2, first: 1001 });
  for (let i = 1; i < 100; i++) await create(String(i));
  expect(keys(database)).toEqual({ count: 101, first: 1001 });
  await create('100');
  expect(keys(database).count).toBe(101);
  expect(keys(database).first).toBeGreaterThan(1001);
  close();
});

it('expired keys that cannot be deleted fail no request, and are deleted another time', async () => {
  const { store, database, close } = recordTables(tables);
  database.exec(`INSERT INTO first_answers (key, request, expires, answer) VALUES ('old', '', 1, '');
    CREATE TRIGGER locked BEFORE DELETE ON first_answers BEGIN SELECT RAISE(ABORT, 'locked'); END`);
  const create = (key: number) =>
    store.things.create({ name: 'x' }, { caller: 'me', key: String(key) });
  expect(await create(0)).toMatchObject({ id: 1, version: 1 });
  expect(keys(database)).toEqual({ count: 2, first: 1 });
  database.exec('DROP TRIGGER locked');
  for (let i = 1; i <= 100; i++) await create(i);
  expect(keys(database).count).toBe(101);
  expect(keys(database).first).toBeGreaterThan(1);
  close();
});

it('a key is claimed when the expired ones are deleted', async () => {
  const deleted = Promise.withResolvers<never[]>();
  const writeAll = vi.fn(async () => 'made');
  // What is used of it.
  const db = { write: () => () => deleted.promise, writeAll } as unknown as Database;
  const making = createIdempotent(db, 1000)(
    { key: ['k'], request: [] },
    () => [][Symbol.iterator]() as never,
  );
  await turn();
  expect(writeAll).not.toHaveBeenCalled();
  deleted.resolve([]);
  expect(await making).toBe('made');
});

it('a key is that of its caller in its table', async () => {
  const { store, close } = recordTables(tables);
  const ids = { things: 0, others: 0 };
  for (const [table, caller, key] of [
    ['things', 'me', 'a'],
    ['things', 'me', 'b'],
    ['things', 'you', 'a'],
    ['others', 'me', 'a'],
  ] as const) {
    const create = () => store[table].create({ name: 'x' }, { caller, key });
    const made = await create();
    expect(made).toEqual({ ...made, id: ++ids[table], version: 1 });
    expect(await create()).toEqual(made);
    const reused = store[table].create({ name: 'y' }, { caller, key });
    await expect(reused).rejects.toMatchObject({ code: 'key-reused' });
  }
  close();
});

it('a key is valid for as long as is said, to the millisecond', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  const { store, close } = recordTables(tables, { keyLifetime: 500 });
  const create = () => store.things.create({ name: 'x' }, { caller: 'me', key: 'k' });
  const { id } = await create();
  vi.setSystemTime(1_000_499);
  expect((await create()).id).toBe(id);
  vi.setSystemTime(1_000_500);
  expect((await create()).id).toBe(id + 1);
  // It is valid anew from then on.
  vi.setSystemTime(1_000_999);
  expect((await create()).id).toBe(id + 1);
  close();
});

it('a key is valid for a day where nothing else is said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'accord-keys-'));
  const file = join(folder, 'keys.db');
  const { store, close } = await openTables(tables, { url: `sqlite:${file}` });
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  await store.things.create({ name: 'x' }, { caller: 'me', key: 'k' });
  await close();
  const database = new DatabaseSync(file);
  expect(keys(database)).toEqual({ count: 1, first: 1_000_000 + 24 * 60 * 60 * 1000 });
  database.close();
  rmSync(folder, { recursive: true });
});

it('the same fields are updated by one statement, which is prepared once', async () => {
  const { store, prepared, ran, close } = recordTables(tables);
  const { id } = await store.plain.create({ name: 'a' });
  for (const name of ['b', 'c'])
    expect(await store.plain.update(id, { name })).toEqual({ id, name });
  expect(prepared.filter((sql) => sql.startsWith('UPDATE "plain"')).length).toBe(1);
  // Plain pages are rows, which are read faster than JSON.
  ran.length = 0;
  expect(await store.plain.page({ limit: 1 })).toEqual([{ id, name: 'c' }]);
  expect(ran.map(({ sql }) => /json/.test(sql))).toEqual([false]);
  close();
});
