import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Connected, connect } from '../../../src/kit/store/sqlite/sqlite-statements.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-shared-read-'));
const file = join(folder, 'a.db');
let database: DatabaseSync;
let other: DatabaseSync;
let open: Connected;
beforeEach(() => {
  rmSync(file, { force: true });
  database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER)');
  other = new DatabaseSync(file);
  open = connect(database, { onStatement: () => {}, onTimed: () => {}, listTimeout: 10_000 });
});
afterEach(() => {
  open.close();
  other.close();
});

const first = ([column]: [unknown]) => column;
const read = () => open.db.read('SELECT count(*) FROM t', first)();
/** As many reads in one turn as make the next one share. */
async function readMany(count = 10): Promise<void> {
  for (let i = 0; i < count; i++) void read();
  await nextTurn();
  await nextTurn();
}

describe('the reads of one turn, where there are many', () => {
  it('see the database as it is at the first, and the next turn as it is then', async () => {
    await readMany();
    expect(read()).toEqual([0]);
    other.exec('INSERT INTO t VALUES (1)');
    expect(read()).toEqual([0]);
    await nextTurn();
    await nextTurn();
    expect(read()).toEqual([1]);
    expect(database.isTransaction).toBe(false);
  });

  it('end before something is written, which is seen at once', async () => {
    await readMany();
    expect(read()).toEqual([0]);
    expect(database.isTransaction).toBe(true);
    await open.db.write('INSERT INTO t VALUES ($1)', first)(1);
    expect(read()).toEqual([1]);
  });

  it('hold nothing up when one of them fails', async () => {
    const broken = open.db.read('SELECT json_extract(a, $1) FROM t', first);
    other.exec('INSERT INTO t VALUES (1)');
    await readMany();
    void read();
    expect(() => broken('no path')).toThrow();
    expect(read()).toEqual([1]);
    await open.db.write('INSERT INTO t VALUES ($1)', first)(2);
    expect(read()).toEqual([2]);
  });

  it('are not ended again where SQLite has ended them', async () => {
    await readMany();
    void read();
    database.exec('ROLLBACK');
    await nextTurn();
    await nextTurn();
    expect(read()).toEqual([0]);
  });

  it.each([
    [3, false],
    [4, true],
  ])('are shared after a turn with %i of them: %s', async (count, isShared) => {
    await readMany(count);
    void read();
    expect(database.isTransaction).toBe(isShared);
  });

  it('end when the database is closed', async () => {
    await readMany();
    void read();
    open.close();
    await nextTurn();
    database = new DatabaseSync(file);
    open = connect(database, { onStatement: () => {}, onTimed: () => {}, listTimeout: 10_000 });
    expect(read()).toEqual([0]);
  });
});

describe('a few reads in a turn', () => {
  it('each see the database as it is', async () => {
    expect(read()).toEqual([0]);
    other.exec('INSERT INTO t VALUES (1)');
    expect(read()).toEqual([1]);
    expect(database.isTransaction).toBe(false);
  });
});
