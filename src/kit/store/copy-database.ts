import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { type Columns, tables } from '../../api/tables.ts';
import type { Dialect } from './database.ts';
import { migrationsFolder, planMigrations, readMigrations } from './migrations.ts';
import { postgresDialect } from './postgres/postgres-dialect.ts';
import { migrate } from './postgres/postgres-migrations.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import { recordedIn } from './sqlite/sqlite-migrations.ts';

const BATCH = 500;

// What hangs on another table comes after it.
const copied: Readonly<Record<string, Columns>> = {
  ...Object.fromEntries(
    Object.entries(tables).map(([name, columns]) => [name, { version: 'integer', ...columns }]),
  ),
  users: { name: 'text', email: 'text' },
  posts: { user_id: 'integer', title: 'text', body: 'text' },
  comments: { post_id: 'integer', body: 'text' },
  todos: { title: 'text', done: 'boolean' },
  first_answers: { key: 'text', request: 'text', expires: 'integer', answer: 'text' },
};

export type Progress = (table: string, done: number, total: number) => void;

/**
 * Copies a SQLite database, as it is at this moment, into an empty PostgreSQL database: every record with
 * its id and version, and where the ids go on. Each record is read back and compared. All or nothing.
 */
export async function copySqliteToPostgres(file: string, url: string, onProgress: Progress) {
  const source = new DatabaseSync(file, { readOnly: true });
  const target = new Client({ connectionString: url });
  try {
    source.exec('BEGIN');
    requireKnown(source);
    await migrate(url, true, migrationsFolder);
    await target.connect();
    await target.query('BEGIN');
    await target.query(`LOCK TABLE ${Object.keys(copied).join()}`);
    const counts = new Map<string, number>();
    for (const name of Object.keys(copied)) await requireEmpty(target, name);
    for (const [name, columns] of Object.entries(copied)) {
      counts.set(name, await copyTable(source, target, name, columns, onProgress));
      await setNextId(source, target, name);
    }
    await target.query('COMMIT');
    return counts;
  } finally {
    source.close();
    await target.end();
  }
}

function requireKnown(source: DatabaseSync): void {
  planMigrations(readMigrations(migrationsFolder, 'sqlite'), recordedIn(source), false);
  const found = source.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const unknown = found
    .map(({ name }) => String(name))
    .filter((name) => !copied[name] && name !== 'migrations' && !name.startsWith('sqlite_'));
  if (unknown.length > 0) throw new Error(`the copy does not know the table ${unknown.join()}`);
}

async function requireEmpty(target: Client, name: string): Promise<void> {
  const { rows } = await target.query(`SELECT FROM ${name} LIMIT 1`);
  if (rows.length > 0) throw new Error(`${name} has records: a copy goes into an empty database`);
}

async function copyTable(
  source: DatabaseSync,
  target: Client,
  name: string,
  columns: Columns,
  onProgress: Progress,
): Promise<number> {
  const total = Number(source.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.n);
  const read = source.prepare(batch(sqliteDialect, name, columns).replace(/\$(\d)/g, '?$1'));
  const names = ['id', ...Object.keys(columns)].join();
  const insert = `INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${names} FROM json_to_recordset($1) AS given (${definitions(columns)})`;
  const readBack = batch(postgresDialect, name, columns);

  let done = 0;
  let cursor = 0;
  onProgress(name, done, total);
  while (done < total) {
    const { json, count, last } = Object(read.get(cursor, BATCH));
    await target.query(insert, [json]);
    const { rows } = await target.query(readBack, [cursor, BATCH]);
    if (rows[0].json !== json) throw new Error(`${name} after id ${cursor} differ in the copy`);
    done += count;
    cursor = last;
    onProgress(name, done, total);
  }
  const { rows } = await target.query(`SELECT count(*) AS n FROM ${name}`);
  if (Number(rows[0].n) !== total) throw new Error(`${name}: ${rows[0].n} of ${total} copied`);
  return total;
}

/** Records as JSON, which both engines write alike. */
function batch(dialect: Dialect, name: string, columns: Columns): string {
  const list = dialect.list(dialect.record(columns));
  return `SELECT ${list} AS json, count(*) AS count, max(id) AS last FROM
    (SELECT * FROM ${name} WHERE id > $1 ORDER BY id LIMIT $2) AS batch`;
}

function definitions(columns: Columns): string {
  const types = {
    text: 'text',
    'long text': 'text',
    integer: 'bigint',
    boolean: 'boolean',
  } as const;
  return ['id bigint', ...Object.entries(columns).map(([n, type]) => `${n} ${types[type]}`)].join();
}

/** Ids go on where they were, also after records that are no more. */
async function setNextId(source: DatabaseSync, target: Client, name: string): Promise<void> {
  const last = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name)?.seq;
  if (last === undefined) return;
  await target.query("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [name, String(last)]);
}
