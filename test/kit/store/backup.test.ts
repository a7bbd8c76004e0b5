// long: starts processes
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUpSqlite } from '../../../src/kit/store/sqlite/sqlite-backup.ts';
import { command } from '../../../tools/support/server-command.ts';
import { startInstance } from '../../../tools/support/server-instance.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { startLoad } from '../../../tools/support/write-load.ts';

let folder: string;
let file: string;
let out: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'accord-backup-'));
  file = join(folder, 'live.db');
  out = join(folder, 'backup.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a backup of a server that is written to has all that was acknowledged before, and can be served', async () => {
  const live = await startInstance({ DATABASE_URL: `sqlite:${file}`, ...atOnce });
  await live.ready();
  const load = startLoad(live.url, 8);
  for (let i = 0; i < 100; i++) await load.nextAcknowledged();
  const mark = load.mark();
  const said = await command('backup', { DATABASE_URL: `sqlite:${file}` }, ['--out', out]);
  expect(said).toMatch(/^\S+backup\.db: \d+ pages of \S+live\.db, integrity check ok\n$/);
  await load.nextAcknowledged();
  await load.stop();
  await live.stop();
  expect(load.violations).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);

  const restored = await startInstance({ DATABASE_URL: `sqlite:${out}`, ...atOnce });
  await restored.ready();
  expect(mark.acknowledged()).toBeGreaterThan(0);
  expect(await mark.differences(restored.url)).toEqual([]);
  await restored.stop();
});

it('a write during a backup does not make it begin again', async () => {
  const live = new DatabaseSync(file);
  live.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)');
  const insert = live.prepare('INSERT INTO t VALUES (randomblob(1000))');
  for (let i = 0; i < 5000; i++) insert.run();
  let isOver = false;
  const backingUp = backUpSqlite(file, out).finally(() => {
    isOver = true;
  });
  let writes = 0;
  while (!isOver) {
    insert.run();
    writes++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await backingUp;
  live.close();
  expect(writes).toBeGreaterThan(0);
  const copy = new DatabaseSync(out, { readOnly: true });
  expect(copy.prepare('SELECT count(*) AS n FROM t').get()?.n).toBe(5000);
  copy.close();
});

it('a backup is read by nobody who may not read the database', async () => {
  new DatabaseSync(file).close();
  chmodSync(file, 0o600);
  await backUpSqlite(file, out);
  expect(statSync(out).mode & 0o777).toBe(0o600);
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a backup that %s ends leaves nothing behind', async (signal, code) => {
  const live = new DatabaseSync(file);
  live.exec(`CREATE TABLE t (x); INSERT INTO t
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    SELECT randomblob(100000) FROM n`);
  live.close();
  const main = new URL('../../../src/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main, 'backup', '--out', out], {
    env: { ...process.env, DATABASE_URL: `sqlite:${file}` },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const copied = () =>
    readdirSync(folder).some(
      (name) => /draft$/.test(name) && statSync(join(folder, name)).size > 0,
    );
  while (!copied()) await sleep(5);
  // As a terminal and `timeout` may do.
  child.kill(signal);
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
  expect(readdirSync(folder)).toEqual(['live.db']);
});

describe('a backup is refused, and leaves nothing behind,', () => {
  const database = () => {
    const made = new DatabaseSync(file);
    made.exec('CREATE TABLE t (x); INSERT INTO t VALUES (randomblob(20000))');
    made.close();
  };

  it('where the file is there already', async () => {
    database();
    writeFileSync(out, 'precious');
    await expect(backUpSqlite(file, out)).rejects.toThrow('a backup overwrites nothing');
    expect(readFileSync(out, 'utf8')).toBe('precious');
    expect(readdirSync(folder)).toEqual(['backup.db', 'live.db']);
  });

  it('where a link of its name leads to nothing', async () => {
    database();
    symlinkSync('absent.db', out);
    const said = await command('backup', { DATABASE_URL: `sqlite:${file}` }, ['--out', out]);
    expect(said).toBe(`accord: ${out} is there already: a backup overwrites nothing\nended with 1`);
    expect(readdirSync(folder)).toEqual(['backup.db', 'live.db']);
  });

  it('where another backup has made the file meanwhile', async () => {
    database();
    const all = await Promise.allSettled([1, 2, 3].map(() => backUpSqlite(file, out)));
    const reasons = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
    const refusal = `${out} is there already: a backup overwrites nothing`;
    expect(reasons).toEqual([refusal, refusal]);
    expect(readdirSync(folder)).toEqual(['backup.db', 'live.db']);
  });

  it('where there is no database', async () => {
    await expect(backUpSqlite(file, out)).rejects.toThrow(`there is no file ${file}`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('where the database is damaged', async () => {
    database();
    truncateSync(file, 8192);
    await expect(backUpSqlite(file, out)).rejects.toThrow(/damaged|malformed/);
    expect(readdirSync(folder)).toEqual(['live.db']);
  });

  it('where the folder is not there', async () => {
    database();
    await expect(backUpSqlite(file, join(folder, 'absent/backup.db'))).rejects.toThrow(
      'there is no folder',
    );
    expect(readdirSync(folder)).toEqual(['live.db']);
  });

  it.each([
    ['without --out', 'sqlite:live.db', [], 'backup takes --out <file>'],
    ['in memory', 'sqlite::memory:', ['--out', 'x.db'], 'in the memory of one process'],
    ['of PostgreSQL', 'postgres://u:p@h/d', ['--out', 'x.db'], 'use pg_dump or pg_basebackup'],
  ])('%s', async (_, DATABASE_URL, args, reason) => {
    const said = await command('backup', { DATABASE_URL }, args);
    expect(said).toContain(`accord: `);
    expect(said).toContain(reason);
    expect(said).toMatch(/ended with 1$/);
  });
});
