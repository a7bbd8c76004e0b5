import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { step } from '../../../src/kit/store/database.ts';
import { type Connected, connect } from '../../../src/kit/store/sqlite/sqlite-statements.ts';

const onStatement = vi.fn();
const onTimed = vi.fn();
let database: DatabaseSync;
let open: Connected;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)');
  open = connect(database, { onStatement, onTimed, listTimeout: 1234 });
});
afterEach(() => {
  if (database.isOpen) open.close();
  vi.restoreAllMocks();
  vi.clearAllMocks();
});

const row = (columns: readonly unknown[]) => columns;

describe('a connection to SQLite', () => {
  it('keeps the last 500 statements prepared', async () => {
    const prepare = vi.spyOn(database, 'prepare');
    const ask = (i: number) => open.db.read(`SELECT ${i}`, row)();
    for (let i = 0; i < 500; i++) await ask(i);
    expect(prepare).toHaveBeenCalledTimes(500);
    await ask(0);
    await ask(499);
    expect(prepare).toHaveBeenCalledTimes(500);
    await ask(500);
    await ask(1);
    expect(prepare).toHaveBeenCalledTimes(501);
    expect(await ask(0)).toEqual([[0]]);
    expect(prepare).toHaveBeenCalledTimes(502);
  });

  it('lets four lists look at every record at a time, each for as long as is set', async () => {
    const { enter, longest } = open.db.scans;
    const [leave] = await Promise.all([1, 2, 3, 4].map(() => enter(Number.POSITIVE_INFINITY)));
    const entered = vi.fn();
    const fifth = enter(Number.POSITIVE_INFINITY).then(entered);
    await turn();
    expect(entered).not.toHaveBeenCalled();
    leave?.();
    await fifth;
    expect(longest).toBe(1234);
  });

  it('binds true as 1 and false as 0, wherever they stand', async () => {
    const values = [true, 'x', null, 2.5, false] as const;
    expect(await open.db.read('SELECT $1, $2, $3, $4, $5', row)(...values)).toEqual([
      [1, 'x', null, 2.5, 0],
    ]);
    const ask = step('SELECT $2, $1, $3', row);
    const found = await open.db.writeAll(() => ask(false, 1, true));
    expect(found).toEqual([[1, 0, 1]]);
  });

  it('tells the id of what it inserted, or that there was nothing to insert', async () => {
    const insert = open.db.insert('t', { sql: '(a) SELECT $1 WHERE $2', plain: undefined });
    expect(await insert(7, true)).toBe(1);
    expect(await insert(8, false)).toBeUndefined();
    expect(await insert(9, true)).toBe(2);
    expect(await open.db.readOne('SELECT a FROM t WHERE id = $1', ['bigint'], row)(2)).toEqual([9]);
    expect(
      await open.db.readOne('SELECT a FROM t WHERE id = $1', ['bigint'], row)(3),
    ).toBeUndefined();
  });

  it('counts each statement once, and times each read', async () => {
    const before = performance.now();
    await open.db.read('SELECT 1', row)();
    const after = performance.now();
    expect(onStatement).toHaveBeenCalledTimes(1);
    expect(onTimed).toHaveBeenCalledTimes(1);
    const [kind, start, ms] = onTimed.mock.calls[0] ?? [];
    expect(kind).toBe('read');
    expect(start).toBeGreaterThanOrEqual(before);
    expect(start + ms).toBeLessThanOrEqual(after);
    await open.db.insert('t', { sql: '(a) VALUES ($1)', plain: undefined })(1);
    expect(onStatement).toHaveBeenCalledTimes(2);
    await open.db.write('DELETE FROM t', row)();
    expect(onStatement).toHaveBeenCalledTimes(3);
    await open.db.writeAll(() => step('SELECT 1', row)());
    expect(onStatement).toHaveBeenCalledTimes(4);
  });

  it('tells the time of a read in milliseconds', async () => {
    let now = 50;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const slow = (columns: readonly unknown[]) => {
      now += 120;
      return columns;
    };
    expect(await open.db.read('SELECT 1', slow)()).toEqual([[1]]);
    expect(await open.db.readOne('SELECT 2', [], slow)()).toEqual([2]);
    expect(onTimed.mock.calls).toEqual([
      ['read', 50, 120],
      ['read', 170, 120],
    ]);
  });

  it('closes its file, and what was asked for after that fails', async () => {
    const read = open.db.read('SELECT 1', row);
    const write = open.db.write('DELETE FROM t', row);
    open.close();
    expect(database.isOpen).toBe(false);
    expect(() => read()).toThrow();
    await expect(write()).rejects.toThrow();
  });
});
