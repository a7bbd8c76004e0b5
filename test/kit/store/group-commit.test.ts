import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { step } from '../../../src/kit/store/database.ts';
import { type Connected, connect } from '../../../src/kit/store/sqlite/sqlite-statements.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-'));
const file = join(folder, 'group.db');
afterAll(() => rmSync(folder, { recursive: true }));

let open: Connected;
let database: DatabaseSync;
beforeEach(() => {
  rmSync(file, { force: true });
  database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER CHECK (a > 0))');
  open = connect(database, { onStatement: () => {}, onTimed: () => {}, listTimeout: 10_000 });
});
afterEach(() => open.close());

const first = ([column]: [unknown]) => column;
const insert = (...values: number[]) => {
  const write = open.db.write('INSERT INTO t VALUES ($1)', first);
  return Promise.allSettled(values.map((value) => write(value)));
};
const stored = () =>
  database
    .prepare('SELECT a FROM t ORDER BY a')
    .all()
    .map(({ a }) => a);
/** How often the log was committed to: SQLite's counter of changes by others, seen from a reader. */
function commitsSeen(): () => number {
  const reader = new DatabaseSync(file, { readOnly: true });
  let seen = 0;
  let last: unknown;
  const look = () => {
    const now = reader.prepare('PRAGMA data_version').get()?.data_version;
    if (last !== undefined && now !== last) seen++;
    last = now;
    return seen;
  };
  look();
  return look;
}

/** Writes in each of some turns of the event loop; for each write, how many commits had been made once it was answered. */
async function insertInTurns(turns: number): Promise<number[]> {
  const look = commitsSeen();
  const write = open.db.write('INSERT INTO t VALUES ($1)', first);
  const answered: Promise<number>[] = [];
  for (let turn = 0; turn < turns; turn++) {
    // Two in the first: what it brought is more than the one write that begins a group.
    for (const value of turn === 0 ? [1, 2] : [turn + 2]) answered.push(write(value).then(look));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Promise.all(answered);
}

describe('the writes of turns in a row', () => {
  it('share one transaction', async () => {
    expect(await insertInTurns(4)).toEqual([1, 1, 1, 1, 1]);
  });

  it('do not wait for each other for ever', async () => {
    const commits = await insertInTurns(40);
    expect(commits.at(-1)).toBeGreaterThan(5);
    expect(stored()).toHaveLength(41);
  });
});

describe('the writes of one turn', () => {
  it('share one transaction', async () => {
    const look = commitsSeen();
    const log: number[] = [];
    await Promise.all(
      [1, 2, 3].map(async (value) => {
        await open.db.write('INSERT INTO t VALUES ($1)', first)(value);
        // Whoever is answered sees all of them on disk.
        log.push(look());
      }),
    );
    expect(stored()).toEqual([1, 2, 3]);
    expect(log).toEqual([1, 1, 1]);
  });

  it('do not share the failure of one among them', async () => {
    const outcomes = await insert(1, -1, 3);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual([1, 3]);
  });

  it('are not seen by a reader before their commit', async () => {
    const pending = insert(1, 2);
    expect(await open.db.read('SELECT a FROM t', first)()).toEqual([]);
    await pending;
    expect(stored()).toEqual([1, 2]);
  });

  it('all get a try of their own when they cannot be committed together', async () => {
    // Checked at the commit: one row that points to nothing makes the whole transaction fail.
    database.exec(`PRAGMA foreign_keys = ON; CREATE TABLE parent (id INTEGER PRIMARY KEY);
      INSERT INTO parent VALUES (1);
      CREATE TABLE child (p INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)`);
    const write = open.db.write('INSERT INTO child VALUES ($1)', first);
    const outcomes = await Promise.allSettled([write(1), write(2), write(1)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(database.prepare('SELECT count(*) AS n FROM child').get()).toEqual({ n: 2 });
    expect(database.isTransaction).toBe(false);
  });

  it('wait for another process, those that came meanwhile with them', async () => {
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const first = insert(1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const second = insert(2);
    other.exec('COMMIT');
    other.close();
    expect([...(await first), ...(await second)].map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
    ]);
    expect(stored()).toEqual([1, 2]);
  });

  it('are committed when the database is closed', async () => {
    const pending = insert(1, 2);
    open.close();
    expect((await pending).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    database = new DatabaseSync(file);
    open = connect(database, { onStatement: () => {}, onTimed: () => {}, listTimeout: 10_000 });
    expect(stored()).toEqual([1, 2]);
  });
});

describe('several statements as one write', () => {
  const one = step('INSERT INTO t VALUES ($1)', first);
  const both = (a: number, b: number) =>
    open.db.writeAll(function* () {
      yield* one(a);
      yield* one(b);
    });

  it('hold all, or none, whatever becomes of their neighbours', async () => {
    const outcomes = await Promise.allSettled([both(1, 2), both(3, -1), both(5, 6)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual([1, 2, 5, 6]);
  });
});

describe('a database that another process holds', () => {
  let other: DatabaseSync;
  beforeEach(() => {
    // Without a log even a reader must wait.
    database.exec('PRAGMA journal_mode = DELETE; INSERT INTO t VALUES (7)');
    other = new DatabaseSync(file);
    other.exec('BEGIN EXCLUSIVE');
  });
  afterEach(() => other.close());

  it('is read and written when it is let go', async () => {
    const reading = open.db.read('SELECT a FROM t', first)();
    const writing = insert(8);
    await new Promise((resolve) => setTimeout(resolve, 30));
    other.exec('COMMIT');
    // The write that came after it may have had its turn before.
    expect(await reading).toContainEqual(7);
    expect((await writing).map(({ status }) => status)).toEqual(['fulfilled']);
    expect(stored()).toEqual([7, 8]);
  });

  it('is unavailable after a while, to readers and writers', async () => {
    const reading = Promise.resolve(open.db.read('SELECT a FROM t', first)());
    await Promise.all([
      expect(reading).rejects.toMatchObject({ code: 'unavailable' }),
      expect(open.db.write('DELETE FROM t', first)()).rejects.toMatchObject({
        code: 'unavailable',
      }),
    ]);
    other.exec('COMMIT');
    expect(stored()).toEqual([7]);
  });
});

describe('a database that cannot be written to', () => {
  it('is unavailable to writers, all that came together, and read as before', async () => {
    database.exec('INSERT INTO t VALUES (7)');
    const closed = new DatabaseSync(file, { readOnly: true });
    const readOnly = connect(closed, {
      onStatement: () => {},
      onTimed: () => {},
      listTimeout: 10_000,
    });
    const write = readOnly.db.write('DELETE FROM t', first);
    for (const outcome of await Promise.allSettled([write(), write()])) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    expect(await readOnly.db.read('SELECT a FROM t', first)()).toEqual([7]);
    readOnly.close();
  });

  it('is not blamed for a statement that is wrong', () => {
    const read = open.db.read('SELECT a FROM t', first);
    database.exec('DROP TABLE t');
    expect(() => read()).toThrow('no such table');
  });
});
