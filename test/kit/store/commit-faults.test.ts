import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { step } from '../../../src/kit/store/database.ts';
import { createGroupCommit } from '../../../src/kit/store/sqlite/group-commit.ts';
import { type Connected, connect } from '../../../src/kit/store/sqlite/sqlite-statements.ts';
import { realTime, shortSleeps, until } from '../../support/fake-time.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-commit-'));
const file = join(folder, 'faults.db');
const onTimed = vi.fn();
const options = { onStatement: () => {}, onTimed, listTimeout: 10_000 };
afterAll(() => rmSync(folder, { recursive: true }));

let database: DatabaseSync;
let other: DatabaseSync;
let open: Connected;
beforeEach(() => {
  rmSync(file, { force: true });
  database = new DatabaseSync(file);
  database.exec('CREATE TABLE t (a INTEGER CHECK (a > 0))');
  other = new DatabaseSync(file);
  open = connect(database, options);
});
afterEach(() => {
  vi.restoreAllMocks();
  onTimed.mockClear();
  other.close();
  open.close();
});

const first = ([column]: [unknown]) => column;
// As a full disk does, its failure ends the whole transaction.
const ending = 'INSERT OR ROLLBACK INTO t VALUES ($1)';
const write = (value: number, sql = 'INSERT INTO t VALUES ($1)') =>
  open.db.write(sql, first)(value);
const stored = () =>
  database
    .prepare('SELECT a FROM t ORDER BY a')
    .all()
    .map(({ a }) => a);
const statuses = async (writes: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map(({ status }) => status).join(' ');

describe('a write whose failure ends the transaction', () => {
  it('takes none of the same turn with it, and repeats none', async () => {
    const writes = [write(1), write(-2, ending), write(3), write(-4, ending), write(5)];
    expect(await statuses(writes)).toBe('fulfilled rejected fulfilled rejected fulfilled');
    await expect(writes[1]).rejects.toThrow('CHECK constraint failed');
    expect(stored()).toEqual([1, 3, 5]);
    expect(database.isTransaction).toBe(false);
  });

  it('is made once where it is alone', async () => {
    const { commit } = createGroupCommit(database, () => {});
    const made = vi.fn(() => database.exec('INSERT OR ROLLBACK INTO t VALUES (-1)'));
    await expect(commit(made)).rejects.toThrow('CHECK constraint failed');
    expect(made).toHaveBeenCalledTimes(1);
    await write(1);
    expect(stored()).toEqual([1]);
  });

  it('is told as it is where it is one of several steps', async () => {
    const steps = open.db.writeAll(function* () {
      yield* step('INSERT INTO t VALUES ($1)', first)(1);
      yield* step(ending, first)(-1);
    });
    expect(await statuses([write(2), steps, write(3)])).toBe('fulfilled rejected fulfilled');
    await expect(steps).rejects.toThrow('CHECK constraint failed');
    expect(stored()).toEqual([2, 3]);
  });

  it('leaves the others unavailable where another process takes the lock meanwhile', async () => {
    const { commit } = createGroupCommit(database, () => {});
    const losing = () => {
      try {
        database.exec('INSERT OR ROLLBACK INTO t VALUES (-1)');
      } catch (error) {
        other.exec('BEGIN IMMEDIATE');
        throw error;
      }
    };
    const writes = [commit(() => database.exec('INSERT INTO t VALUES (1)')), commit(losing)];
    for (const outcome of await Promise.allSettled(writes)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    other.exec('ROLLBACK');
    expect(stored()).toEqual([]);
  });
});

describe('while another process holds the database', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  // Each is tried again at least every 11 ms.
  const triedAgain = () => sleep(30);
  const outcomes = (read: () => unknown) => Promise.allSettled([write(1), read()]);

  it('reads and writes wait for a second', async () => {
    const read = open.db.read('SELECT a FROM t', first);
    other.exec('BEGIN EXCLUSIVE');
    const waiting = outcomes(read);
    now = 1000;
    await triedAgain();
    other.exec('COMMIT');
    const [written, found] = await waiting;
    expect([written.status, found.status]).toEqual(['fulfilled', 'fulfilled']);
  });

  it('a read is timed from when it was asked for, its wait included', async () => {
    now = 300;
    const read = open.db.read('SELECT a FROM t', first);
    other.exec('BEGIN EXCLUSIVE');
    const reading = read();
    expect(onTimed).not.toHaveBeenCalled();
    now = 1000;
    other.exec('COMMIT');
    expect(await reading).toEqual([]);
    expect(onTimed.mock.calls).toEqual([['read', 300, 700]]);
  });

  it('each is tried again within 1 to 11 ms', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const sleeps = shortSleeps();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const read = open.db.read('SELECT a FROM t', first);
    other.exec('BEGIN EXCLUSIVE');
    const waiting = outcomes(read);
    const delays = () => timers.mock.calls.flatMap(([, ms = 0]) => (ms < 100 ? ms : []));
    await until(() => sleeps.length > 1 && delays().length > 1);
    other.exec('COMMIT');
    await waiting;
    const all = new Set([...sleeps, ...delays()]);
    realTime();
    expect(all).toEqual(new Set([6]));
  });

  it('no longer than that, and those that came later wait on', async () => {
    const read = open.db.read('SELECT a FROM t', first);
    other.exec('BEGIN EXCLUSIVE');
    const waiting = outcomes(read);
    await turn();
    now = 1;
    const later = write(2);
    now = 1001;
    await triedAgain();
    other.exec('COMMIT');
    for (const outcome of await waiting) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    await later;
    expect(stored()).toEqual([2]);
  });
});

it('a write to what cannot be written to is refused at once, and does not wait for a lock', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => 0);
  const closed = connect(new DatabaseSync(file, { readOnly: true }), options);
  const write = closed.db.write('DELETE FROM t', first);
  const refused = Promise.allSettled([write(), write()]);
  const turns = async () => {
    for (let i = 0; i < 5; i++) await turn();
  };
  const [one, two] = (await Promise.race([refused, turns()])) ?? [];
  for (const outcome of [one, two]) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  }
  closed.close();
});
