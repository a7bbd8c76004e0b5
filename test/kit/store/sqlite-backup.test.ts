import fs, {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backUpSqlite } from '../../../src/kit/store/sqlite/sqlite-backup.ts';
import { openFiles } from '../../support/open-files.ts';

let folder: string;
let file: string;
let out: string;
let live: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'accord-copy-of-'));
  file = join(folder, 'live.db');
  out = join(folder, 'backup.db');
  live = new DatabaseSync(file);
  live.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    SELECT randomblob(2000) FROM n`);
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  if (live.isOpen) live.close();
  rmSync(folder, { recursive: true });
});

const draft = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.draft')) ?? '');

it('a backup resolves to its number of pages, and leaves no file open', async () => {
  const pages = await backUpSqlite(file, out);
  const copy = new DatabaseSync(out);
  expect(copy.prepare('PRAGMA page_count').get()).toEqual({ page_count: pages });
  expect(pages).toBeGreaterThan(100);
  copy.close();
  live.close();
  expect(openFiles(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['backup.db', 'live.db']);
});

it('a backup is for nobody else to read until it has the rights of the database', async () => {
  chmodSync(file, 0o640);
  const backingUp = backUpSqlite(file, out);
  expect(statSync(draft()).mode & 0o777).toBe(0o600);
  await backingUp;
  expect(statSync(out).mode & 0o777).toBe(0o640);
});

it('a backup is on disk before it has its name, and its name before it is there', async () => {
  const calls: string[] = [];
  const { linkSync, fsyncSync } = fs;
  vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    calls.push(`flush ${fs.fstatSync(descriptor).ino}`);
    fsyncSync(descriptor);
  });
  vi.spyOn(fs, 'linkSync').mockImplementation((from, to) => {
    calls.push('name');
    linkSync(from, to);
  });
  syncBuiltinESMExports();
  await backUpSqlite(file, out);
  expect(calls).toEqual([`flush ${statSync(out).ino}`, 'name', `flush ${statSync(folder).ino}`]);
});

it('a backup waits for the lock of another process for five seconds', async () => {
  const { exec } = DatabaseSync.prototype;
  const waits: unknown[] = [];
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    sql: string,
  ) {
    waits.push(this.prepare('PRAGMA busy_timeout').get()?.timeout);
    return exec.call(this, sql);
  });
  await backUpSqlite(file, out);
  expect(waits).toEqual([5000]);
});

it('a backup that cannot have its name says why, and leaves nothing behind', async () => {
  vi.spyOn(fs, 'linkSync').mockImplementation(() => {
    throw Object.assign(new Error('no links in this file system'), { code: 'EPERM' });
  });
  syncBuiltinESMExports();
  await expect(backUpSqlite(file, out)).rejects.toThrow('no links in this file system');
  live.close();
  expect(readdirSync(folder)).toEqual(['live.db']);
});

it('a backup that is aborted leaves none of the files that SQLite makes beside its own', async () => {
  let made: string[] = [];
  const signal = Object.assign(new AbortController().signal, {
    throwIfAborted() {
      made = ['-wal', '-shm', '-journal'].map((end) => draft() + end);
      for (const path of made) writeFileSync(path, '');
      throw new Error('enough');
    },
  });
  await expect(backUpSqlite(file, out, signal)).rejects.toThrow('enough');
  expect(made).toHaveLength(3);
  expect(made.filter((path) => existsSync(path))).toEqual([]);
  live.close();
  expect(readdirSync(folder)).toEqual(['live.db']);
  expect(openFiles(folder)).toEqual([]);
});

it('a backup of a database that is damaged in one page is refused', async () => {
  live.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0x5a, 4096 * 50, 4096 * 51));
  await expect(backUpSqlite(file, out)).rejects.toThrow(
    /^the copy is damaged, and so may be the database: .*page/s,
  );
  expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual([]);
});
