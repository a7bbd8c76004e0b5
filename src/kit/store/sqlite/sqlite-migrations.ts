import type { DatabaseSync } from 'node:sqlite';
import { failed, planMigrations, type Recorded, readMigrations } from '../migrations.ts';

/** Applies, all or none, the migrations that the database lacks. */
export function migrate(
  database: DatabaseSync,
  mayMigrate: boolean,
  folder: URL,
): { isNew: boolean } {
  const all = readMigrations(folder, 'sqlite');
  const { unnamed, missing } = planMigrations(all, recordedIn(database), mayMigrate);
  if (!mayMigrate || unnamed.length + missing.length === 0) return { isNew: false };
  database.exec('BEGIN IMMEDIATE');
  // Read again under the lock: another process may have migrated meanwhile.
  const recorded = recordedIn(database);
  const plan = planMigrations(all, recorded, mayMigrate);
  database.exec(`CREATE TABLE IF NOT EXISTS migrations (
    name       TEXT PRIMARY KEY,
    applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
  ) STRICT`);
  const record = database.prepare('INSERT INTO migrations (name) VALUES (?)');
  for (const name of plan.unnamed) record.run(name);
  for (const migration of plan.missing) {
    try {
      database.exec(migration.sql);
    } catch (error) {
      throw failed(migration, error);
    }
    record.run(migration.name);
  }
  // Older servers compare the number of migrations.
  database.exec(`PRAGMA user_version = ${all.length}; COMMIT`);
  return { isNew: recorded.version === 0 };
}

export function recordedIn(database: DatabaseSync): Recorded {
  const { user_version: version } = Object(database.prepare('PRAGMA user_version').get());
  const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'";
  if (!database.prepare(table).get()) return { version, names: [] };
  const rows = database.prepare('SELECT name FROM migrations').all();
  return { version, names: rows.map(({ name }) => String(name)) };
}
