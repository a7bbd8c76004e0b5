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
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT}) SELECT i FROM n`);
const records = [
  "books (title, pages, version) SELECT 'Book é😀 ' || i, 1 + i % 1000, 1 + i % 7",
  "tasks (title, done) SELECT 'Task ' || i, i % 2",
  "notes (title, body) SELECT 'Note ' || i, hex(randomblob(i % 200))",
  "items (name, quantity) SELECT 'Item ' || i, i",
  "users (name, email) SELECT 'User ' || i, 'u' || i || '@example.com'",
  `posts (user_id, title, body) SELECT i, 'Post ' || i, '"\\' || i`,
  "comments (post_id, body) SELECT i, 'Comment ' || i",
  "todos (title, done) SELECT 'To-do ' || i, i % 2",
];
for (const each of records) database.exec(`INSERT INTO ${each} FROM n`);
database.close();

const postgres = await startPostgres();
const url = await postgres.createDatabase('copy');
const start = performance.now();
const said = await command('copy', {}, [`sqlite:${file}`, url]);
process.stdout.write(said);
const counted = said.match(/: 100000 copied, each compared/g)?.length;
const elapsed = seconds(performance.now() - start);
check(counted === records.length, `${counted} tables of ${COUNT} records in ${elapsed}`);
const again = await command('copy', {}, [`sqlite:${file}`, url]);
check(again.includes('into an empty database'), `again: ${again.trim().replaceAll('\n', ', ')}`);
await postgres.remove();
rmSync(folder, { recursive: true });
process.exitCode = failures() === 0 ? 0 : 1;
