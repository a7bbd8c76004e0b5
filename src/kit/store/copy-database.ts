import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { type Column, quoted, sqlTypes, version } from './columns.ts';
import type { Dialect } from './database.ts';
import {
  planMigrations,
  readMigrations,
  requireKnown as requireKnownMigrations,
} from './migrations.ts';
import { allTables } from './own-tables.ts';
import { postgresDialect } from './postgres/postgres-dialect.ts';
import { migrate } from './postgres/postgres-migrations.ts';
import { findWriter } from './postgres/writer-search.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import { recordedIn } from './sqlite/sqlite-migrations.ts';
import { withQuestionMarks } from './sqlite/sqlite-statements.ts';
import type { StoreOptions } from './store-options.ts';
import { parentsFirst } from './table.ts';
import type { Tables } from './table-declarations.ts';
import { plainName } from './table-schema.ts';

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
  const target = new Client({ connectionString: await findWriter(url) });
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    source.exec('BEGIN');
    const [known, recorded] = [readMigrations(migrations, 'sqlite'), recordedIn(source)];
    planMigrations(known, recorded, false);
    // A newer release may have added columns, which would be lost.
    requireKnownMigrations(known, recorded);
    requireKnown(source, copied);
    await migrate(url, true, { tables, migrations });
    await target.connect();
    const names = [...copied.keys()].map(quoted).join();
    // Records of one table may refer to later ones.
    await target.query(`BEGIN; SET CONSTRAINTS ALL DEFERRED; LOCK TABLE ${names}`);
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
function copiedColumns(declared: Tables): Map<string, Column[]> {
  return new Map(
    parentsFirst(allTables(declared)).map(({ name, kind, columns }) => [
      name,
      [...(kind === 'collection' ? [version] : []), ...columns].map(asStored),
    ]),
  );
}

/** A column with what it holds, be it JSON text. PostgreSQL reads it by the column's name. */
function asStored(column: Column): Column {
  const type = sqlTypes[column.type] === 'text' ? 'text' : column.type;
  return { ...column, field: plainName(column), type, absent: 'null' };
}

function requireKnown(source: DatabaseSync, copied: ReadonlyMap<string, unknown>): void {
  const found = source.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const unknown = found
    .map(({ name }) => String(name))
    .filter((name) => !copied.has(name) && name !== 'migrations' && !name.startsWith('sqlite_'));
  if (unknown.length > 0) throw new Error(`the copy does not know the table ${unknown.join()}`);
}

async function requireEmpty(target: Client, name: string): Promise<void> {
  const { rows } = await target.query(`SELECT FROM ${quoted(name)} LIMIT 1`);
  if (rows.length > 0) throw new Error(`${name} has records: a copy goes into an empty database`);
}

async function copyTable(
  source: DatabaseSync,
  target: Client,
  name: string,
  columns: readonly Column[],
  onProgress: Progress,
): Promise<number> {
  const total = Number(source.prepare(`SELECT count(*) AS n FROM ${quoted(name)}`).get()?.n);
  const read = source.prepare(withQuestionMarks(batch(sqliteDialect, name, columns)));
  const names = ['id', ...columns.map(({ name }) => name)].join();
  const insert = `INSERT INTO ${quoted(name)} (${names}) OVERRIDING SYSTEM VALUE
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
  const { rows } = await target.query(`SELECT count(*) AS n FROM ${quoted(name)}`);
  if (Number(rows[0].n) !== total) throw new Error(`${name}: ${rows[0].n} of ${total} copied`);
  return total;
}

/** Records as JSON, which both engines write the same. */
function batch(dialect: Dialect, name: string, columns: readonly Column[]): string {
  const list = dialect.list(columns);
  return `SELECT ${list} AS json, count(*) AS count, max(id) AS last FROM
    (SELECT * FROM ${quoted(name)} WHERE id > $1 ORDER BY id LIMIT $2) AS batch`;
}

function definitions(columns: readonly Column[]): string {
  return ['id bigint', ...columns.map(({ name, type }) => `${name} ${sqlTypes[type]}`)].join();
}

/** Ids continue after the highest that was ever given. */
async function setNextId(source: DatabaseSync, target: Client, name: string): Promise<void> {
  // It may be set back to 0, which is no number of a sequence of PostgreSQL.
  const given = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ? AND seq > 0');
  const last = given.get(name)?.seq;
  if (last === undefined) return;
  await target.query("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [
    quoted(name),
    String(last),
  ]);
}
