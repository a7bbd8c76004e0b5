import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { type AnyColumns, type Column, columnsOf, sqlTypes } from './columns.ts';
import type { Dialect } from './database.ts';
import { planMigrations, readMigrations } from './migrations.ts';
import { postgresDialect } from './postgres/postgres-dialect.ts';
import { migrate } from './postgres/postgres-migrations.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import { recordedIn } from './sqlite/sqlite-migrations.ts';
import type { StoreOptions } from './store-options.ts';
import type { Tables } from './table-declarations.ts';

const BATCH = 500;

export type Progress = (table: string, done: number, total: number) => void;

type Declared = Pick<StoreOptions, 'tables' | 'migrations'>;

/**
 * Copies a snapshot of a SQLite database into an empty PostgreSQL database, in one transaction: every
 * record with its id and version, and the next ids. Each record is read back and compared.
 */
export async function copySqliteToPostgres(
  file: string,
  url: string,
  { tables, migrations }: Declared,
  onProgress: Progress,
): Promise<Map<string, number>> {
  const copied = copiedColumns(tables);
  const source = new DatabaseSync(file, { readOnly: true });
  const target = new Client({ connectionString: url });
  try {
    source.exec('BEGIN');
    planMigrations(readMigrations(migrations, 'sqlite'), recordedIn(source), false);
    requireKnown(source, copied);
    await migrate(url, true, migrations);
    await target.connect();
    await target.query('BEGIN');
    await target.query(`LOCK TABLE ${[...copied.keys()].join()}`);
    const counts = new Map<string, number>();
    for (const name of copied.keys()) await requireEmpty(target, name);
    for (const [name, columns] of copied) {
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

/** The columns of each table beside `id`, parents before their children. */
function copiedColumns(tables: Tables): Map<string, Column[]> {
  const version: AnyColumns = { version: 'integer' };
  const declared = Object.entries(tables).map(([name, { kind, columns }]): [string, AnyColumns] => [
    name,
    kind === 'collection' ? { ...version, ...columns } : columns,
  ]);
  const all: [string, AnyColumns][] = [...declared, ['first_answers', firstAnswers]];
  // The JSON has the columns' names, by which PostgreSQL reads it.
  const named = ({ name, type }: Column): Column => ({ field: name.slice(1, -1), name, type });
  return new Map(all.map(([name, columns]) => [name, columnsOf(columns).map(named)]));
}

const firstAnswers: AnyColumns = {
  key: 'text',
  request: 'text',
  expires: 'integer',
  answer: 'text',
};

function requireKnown(source: DatabaseSync, copied: ReadonlyMap<string, unknown>): void {
  const found = source.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const unknown = found
    .map(({ name }) => String(name))
    .filter((name) => !copied.has(name) && name !== 'migrations' && !name.startsWith('sqlite_'));
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
  columns: readonly Column[],
  onProgress: Progress,
): Promise<number> {
  const total = Number(source.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.n);
  const read = source.prepare(batch(sqliteDialect, name, columns).replace(/\$(\d)/g, '?$1'));
  const names = ['id', ...columns.map(({ name }) => name)].join();
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

/** Records as JSON, which both engines write the same. */
function batch(dialect: Dialect, name: string, columns: readonly Column[]): string {
  const list = dialect.list(dialect.record(columns));
  return `SELECT ${list} AS json, count(*) AS count, max(id) AS last FROM
    (SELECT * FROM ${name} WHERE id > $1 ORDER BY id LIMIT $2) AS batch`;
}

function definitions(columns: readonly Column[]): string {
  return ['id bigint', ...columns.map(({ name, type }) => `${name} ${sqlTypes[type]}`)].join();
}

/** Ids continue after the highest that was ever given. */
async function setNextId(source: DatabaseSync, target: Client, name: string): Promise<void> {
  const last = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name)?.seq;
  if (last === undefined) return;
  await target.query("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [name, String(last)]);
}
