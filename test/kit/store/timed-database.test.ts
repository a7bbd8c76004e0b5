import { afterEach, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/kit/store/database.ts';
import { timed, timedWrites } from '../../../src/kit/store/timed-database.ts';

afterEach(() => void vi.restoreAllMocks());

type Told = readonly [kind: string, start: number, ms: number];

/** A database whose statements give back what they were given, and fail for a negative number. */
function echo(): Database {
  const answer = (...values: unknown[]) => {
    if (Number(values[0]) < 0) throw new Error('failed');
    return values;
  };
  const statement =
    (...parts: unknown[]) =>
    async (...values: unknown[]) => [...parts.map(String), ...answer(...values)];
  // What is timed of it.
  return {
    read: (sql: string) => statement('read', sql),
    readOne: (sql: string, types: string[]) => statement('one', sql, types),
    write: (sql: string) => statement('write', sql),
    insert: (table: string, { sql }: { sql: string }) => statement('insert', table, sql),
    writeAll: async (steps: () => unknown) => steps(),
  } as unknown as Database;
}

const made = (row: unknown) => row;
const acts = {
  read: (db: Database) => db.read('a', made)(1, 2),
  'read one': (db: Database) => db.readOne('a', ['bigint'], made)(1, 2),
  write: (db: Database) => db.write('a', made)(1, 2),
  insert: (db: Database) => db.insert('t', { sql: 'a', plain: undefined })(1, 2),
  'write all': (db: Database) => db.writeAll(() => [1, 2] as never),
};
const failures = {
  read: (db: Database) => db.read('a', made)(-1),
  'read one': (db: Database) => db.readOne('a', ['bigint'], made)(-1),
  write: (db: Database) => db.write('a', made)(-1),
  insert: (db: Database) => db.insert('t', { sql: 'a', plain: undefined })(-1),
  'write all': (db: Database) => db.writeAll(() => Promise.reject(new Error('failed')) as never),
};
const kinds = ['read', 'read', 'write', 'write', 'write'];
const answers = [
  ['read', 'a', 1, 2],
  ['one', 'a', 'bigint', 1, 2],
  ['write', 'a', 1, 2],
  ['insert', 't', 'a', 1, 2],
  [1, 2],
];

it.each([
  ['all statements', timed, kinds],
  ['the writes', timedWrites, kinds.slice(2)],
])('%s are timed, once each, and answered as they are', async (_, time, expected) => {
  const told: Told[] = [];
  const db = time(echo(), (...each) => told.push(each));
  const start = performance.now();
  for (const [i, act] of Object.values(acts).entries()) expect(await act(db)).toEqual(answers[i]);
  const end = performance.now();
  expect(told.map(([kind]) => kind)).toEqual(expected);
  for (const [, began, ms] of told) {
    expect(began).toBeGreaterThanOrEqual(start);
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(began + ms).toBeLessThanOrEqual(end);
  }
  told.length = 0;
  for (const fail of Object.values(failures)) {
    await expect((async () => fail(db))()).rejects.toThrow('failed');
  }
  expect(told.map(([kind]) => kind)).toEqual(expected);
});

it('each is told with its start and what it took, in milliseconds, also where it fails', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const told: Told[] = [];
  const db = timed(echo(), (...each) => told.push(each));
  const expected: Told[] = [];
  for (const act of [...Object.values(acts), ...Object.values(failures)]) {
    const start = now;
    const acting = Promise.allSettled([act(db)]);
    now += 100;
    await acting;
    const kind = kinds[expected.length % kinds.length] ?? '';
    expected.push([kind, start, 100]);
  }
  expect(told).toEqual(expected);
});
