import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { api } from '../../src/api/api.ts';
import { openStore } from '../../src/kit/store/open-store.ts';
import { createReport, seconds } from '../support/check-report.ts';
import { startPostgres } from '../support/embedded-postgres.ts';
import { command } from '../support/server-command.ts';

/** Copies 100,000 records of each kind from SQLite to PostgreSQL, and tries to do it again. */
const COUNT = 100_000;
const { check, failures } = createReport();
const folder = mkdtempSync(join(tmpdir(), 'accord-copy-'));
const file = join(folder, 'large.db');
await (await openStore(`sqlite:${file}`, api)).store.close();
const database = new DatabaseSync(file);
database.exec(`CREATE TEMP TABLE n AS
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT}) SELECT i FROM n;
  INSERT INTO books (title, pages, version) SELECT 'Book é😀 ' || i, 1 + i % 1000, 1 + i % 7 FROM n;
  INSERT INTO tasks (title, done) SELECT 'Task ' || i, i % 2 FROM n;
  INSERT INTO notes (title, body) SELECT 'Note ' || i, hex(randomblob(i % 200)) FROM n;
  INSERT INTO items (name, quantity) SELECT 'Item ' || i, i FROM n;
  INSERT INTO users (name, email) SELECT 'User ' || i, 'u' || i || '@example.com' FROM n;
  INSERT INTO posts (user_id, title, body) SELECT i, 'Post ' || i, '"\\' || i FROM n;
  INSERT INTO comments (post_id, body) SELECT i, 'Comment ' || i FROM n;
  INSERT INTO todos (title, done) SELECT 'To-do ' || i, i % 2 FROM n`);
database.close();

const postgres = await startPostgres();
const url = await postgres.createDatabase('copy');
const start = performance.now();
const said = await command('copy', {}, [`sqlite:${file}`, url]);
process.stdout.write(said);
const counted = said.match(/: 100000 copied, each compared/g)?.length;
check(counted === 8, `8 kinds of ${COUNT} records in ${seconds(performance.now() - start)}`);
const again = await command('copy', {}, [`sqlite:${file}`, url]);
check(again.includes('into an empty database'), `again: ${again.trim().replaceAll('\n', ', ')}`);
await postgres.remove();
rmSync(folder, { recursive: true });
process.exitCode = failures() === 0 ? 0 : 1;
