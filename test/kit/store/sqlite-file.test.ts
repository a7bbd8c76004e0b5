import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openIntact } from '../../../src/kit/store/sqlite/integrity.ts';
import { records } from '../../../src/kit/store/table-declarations.ts';
import { openFiles } from '../../support/open-files.ts';
import { openTables } from '../../support/table-store.ts';

const tables = { words: records<{ readonly id: number; readonly text: string }>({ text: 'text' }) };
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'accord-file-'));
  file = join(folder, 'a.db');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('a store in a file', () => {
  it('is made with its folders, has a log, and is closed with nothing left open', async () => {
    const path = join(folder, 'b/c/a.db');
    const { store, close } = await openTables(tables, { url: `sqlite:${path}` });
    await store.words.create({ text: 'x' });
    await store.ping();
    expect(existsSync(`${path}-wal`)).toBe(true);
    await close();
    expect(openFiles(folder)).toEqual([]);
    expect(existsSync(`${path}-wal`)).toBe(false);
    await expect(store.ping()).rejects.toThrow();
    const again = await openTables(tables, { url: `sqlite:${path}` });
    expect(await again.store.words.find(1)).toEqual({ id: 1, text: 'x' });
    await again.close();
  });

  it('waits for another process without holding up this one', async () => {
    const { store, close } = await openTables(tables, { url: `sqlite:${file}` });
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const writing = store.words.create({ text: 'x' });
    await sleep(30);
    other.exec('COMMIT');
    other.close();
    expect(await writing).toMatchObject({ id: 1 });
    await close();
  });

  it('is not there while its file cannot be read', async () => {
    const { store, close } = await openTables(tables, { url: `sqlite:${file}` });
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(2000);
    vi.spyOn(StatementSync.prototype, 'all').mockImplementation(() => {
      throw Object.assign(new Error('database is locked'), { errcode: 5 });
    });
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
    vi.restoreAllMocks();
    await store.ping();
    await close();
  });

  it.each<[string, () => void]>([
    ['removed', () => rmSync(file)],
    [
      'replaced',
      () => {
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
    ],
  ])('is not there any more when that is %s', async (_, meddle) => {
    const { store, close } = await openTables(tables, { url: `sqlite:${file}` });
    await store.ping();
    meddle();
    await expect(store.ping()).rejects.toMatchObject({
      code: 'unavailable',
      cause: new Error(`${file} was removed or replaced: restart the server`),
    });
    await close();
  });

  it('that is refused is closed', async () => {
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE words (id INTEGER PRIMARY KEY, other TEXT)');
    other.close();
    await expect(openTables(tables, { url: `sqlite:${file}` })).rejects.toThrow();
    expect(openFiles(folder)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'of many megabytes is not read again for what was read before',
    async () => {
      const { store, close } = await openTables(tables, { url: `sqlite:${file}` });
      const text = 'x'.repeat(3000);
      for (let i = 0; i < 4000; i += 1) await store.words.create({ text });
      const readAll = async () => {
        for (let id = 1; id <= 4000; id += 1) await store.words.find(id);
      };
      await readAll();
      const before = bytesRead();
      await readAll();
      expect(bytesRead() - before).toBeLessThan(1_000_000);
      await close();
    },
  );

  it('waits at its start for the lock of another process for ten seconds', () => {
    const database = openIntact(file);
    expect(database.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 10_000 });
    database.close();
  });
});

describe('a store whose file is opened by other processes at the same time', () => {
  const wait = 'BEGIN IMMEDIATE; ROLLBACK';
  const change = 'PRAGMA journal_mode = WAL';
  /** Refuses to change the journal mode so many times, as SQLite does then; what was run, from there on. */
  function refused(times: number, errcode = 5): string[] {
    const { exec } = DatabaseSync.prototype;
    const ran: string[] = [];
    let left = times;
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
      this: DatabaseSync,
      sql: string,
    ) {
      if (sql === change || ran.length > 0) ran.push(sql);
      if (sql === change && left-- > 0) throw Object.assign(new Error('locked'), { errcode });
      return exec.call(this, sql);
    });
    return ran;
  }
  const opening = () => openTables(tables, { url: `sqlite:${file}` });

  it('waits for each of ten that come before it', async () => {
    const ran = refused(10);
    const { store, close } = await opening();
    const waits = Array.from({ length: 10 }, () => [change, wait]).flat();
    expect(ran.slice(0, 21)).toEqual([...waits, change]);
    // What SQLite is built with may be less.
    expect(ran[21]).toBe('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    expect(await store.words.create({ text: 'x' })).toEqual({ id: 1, text: 'x' });
    await close();
  });

  it.each([
    ['the eleventh', 11, 5, 21],
    ['another fault', 1, 10, 1],
  ])('is closed where %s keeps it from its log', async (_, times, errcode, statements) => {
    const ran = refused(times, errcode);
    await expect(opening()).rejects.toThrow('locked');
    expect(ran).toHaveLength(statements);
    expect(openFiles(folder)).toEqual([]);
  });
});

/** By this process, from files and all else. */
function bytesRead(): number {
  const [, bytes] = readFileSync('/proc/self/io', 'utf8').match(/^rchar: (\d+)$/m) ?? [];
  return Number(bytes);
}

describe('a file that is', () => {
  /** Writes over a part of a database of some pages. */
  function damaged(from: number, to: number): void {
    const database = new DatabaseSync(file);
    database.exec(`CREATE TABLE t (x); INSERT INTO t
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      SELECT randomblob(1000) FROM n`);
    database.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x5a, from, to));
  }
  const refusal = (reason: string) =>
    new RegExp(`^the database ${file} is damaged, restore it from a copy: ${reason}$`);

  it('no database is refused as damaged', () => {
    writeFileSync(file, 'not a database '.repeat(100));
    expect(() => openIntact(file)).toThrow(refusal('file is not a database'));
  });

  it('malformed from its first page on is refused as damaged', () => {
    damaged(100, 4096);
    expect(() => openIntact(file)).toThrow(refusal('database disk image is malformed'));
  });

  it('damaged in a page of a table is refused with the first finding, in one line', () => {
    damaged(4096 * 5, 4096 * 9);
    expect(() => openIntact(file)).toThrow(refusal('[^\n]*page[^\n]*'));
    expect(openFiles(folder)).toEqual([]);
  });

  it('a folder cannot be opened, which is no damage', () => {
    mkdirSync(file);
    expect(() => openIntact(file)).toThrow(
      `the database ${file} cannot be opened: unable to open database file`,
    );
  });

  it('larger than 512 MB is not looked through', () => {
    damaged(4096 * 5, 4096 * 9);
    truncateSync(file, 512_000_000);
    expect(() => openIntact(file)).toThrow(refusal('.*'));
    truncateSync(file, 512_000_001);
    openIntact(file).close();
  });
});
