import { constants, type DatabaseSync } from 'node:sqlite';
import {
  failed,
  type Migration,
  nothingRecorded,
  ownTransaction,
  planMigrations,
  type Recorded,
  readMigrations,
} from '../migrations.ts';
import { allTables, type OwnMigration, ownMigrations, requireOwn } from '../own-tables.ts';
import type { StoreOptions } from '../store-options.ts';
import { type Difference, requireSame, schemaDifferences } from '../table-schema.ts';
import { readSqliteSchema, sqliteSchemaDialect } from './sqlite-schema.ts';

type Declared = Pick<StoreOptions, 'tables' | 'migrations'>;

/** Applies, all or none, the migrations that the database lacks; the tables are to be as declared. */
export function migrate(
  database: DatabaseSync,
  mayMigrate: boolean,
  { tables, migrations }: Declared,
): { isNew: boolean } {
  const outcome = migrateTables(database, mayMigrate, migrations);
  requireSame(differencesIn(database, tables));
  return outcome;
}

export function differencesIn(
  database: DatabaseSync,
  tables: StoreOptions['tables'],
): Difference[] {
  return schemaDifferences(allTables(tables), readSqliteSchema(database), sqliteSchemaDialect);
}

export function migrateTables(
  database: DatabaseSync,
  mayMigrate: boolean,
  folder: URL,
): { isNew: boolean } {
  const all = readMigrations(folder, 'sqlite');
  const { unnamed, missing } = planMigrations(all, recordedIn(database), mayMigrate);
  const lacking = requireOwn(ownMissing(database), mayMigrate);
  if (!mayMigrate || unnamed.length + missing.length + lacking.length === 0) {
    return { isNew: false };
  }
  database.exec('BEGIN IMMEDIATE');
  // Read again under the lock: another process may have migrated meanwhile.
  const recorded = recordedIn(database);
  const plan = planMigrations(all, recorded, mayMigrate);
  database.exec(`CREATE TABLE IF NOT EXISTS migrations (
    name       TEXT PRIMARY KEY,
    applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
  ) STRICT`);
  const columns = database.prepare("SELECT name FROM pragma_table_info('migrations')").all();
  if (!columns.some(({ name }) => name === 'needs')) {
    database.exec('ALTER TABLE migrations ADD COLUMN needs TEXT');
  }
  const record = database.prepare('INSERT INTO migrations (name, needs) VALUES (?, ?)');
  for (const name of plan.unnamed) record.run(name, null);
  for (const migration of plan.missing) {
    apply(database, migration);
    record.run(migration.name, migration.needs ?? null);
  }
  for (const migration of ownMissing(database)) apply(database, migration);
  // Older servers compare the number of migrations.
  const version = Math.max(all.length, recorded.version);
  database.exec(`PRAGMA user_version = ${version}; COMMIT`);
  return { isNew: recorded.version === 0 };
}

/** Runs a migration, which may not begin or end a transaction. */
export function apply(database: DatabaseSync, migration: Migration): void {
  let isRefused = false;
  database.setAuthorizer((action) => {
    isRefused ||= action === constants.SQLITE_TRANSACTION;
    return isRefused ? constants.SQLITE_DENY : constants.SQLITE_OK;
  });
  try {
    database.exec(migration.sql);
  } catch (error) {
    throw failed(migration, isRefused ? ownTransaction() : error);
  } finally {
    database.setAuthorizer(null);
  }
}

function ownMissing(database: DatabaseSync): OwnMigration[] {
  return ownMigrations('sqlite').filter(({ table }) => !hasTable(database, table));
}

function hasTable(database: DatabaseSync, name: string): boolean {
  const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
  return database.prepare(table).get(name) !== undefined;
}

export function recordedIn(database: DatabaseSync): Recorded {
  const { user_version: version } = Object(database.prepare('PRAGMA user_version').get());
  if (!hasTable(database, 'migrations')) return { ...nothingRecorded, version };
  const rows = database.prepare('SELECT * FROM migrations').all();
  return {
    version,
    names: rows.map(({ name }) => String(name)),
    needs: new Map(rows.flatMap(({ name, needs }) => (needs ? [[`${name}`, `${needs}`]] : []))),
  };
}
