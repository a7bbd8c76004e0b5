import type { DatabaseSync } from 'node:sqlite';
import { lacking, migrationsOf } from '../migrations.ts';

/** Applies, all or none, the migrations that the database has not seen. */
export function migrate(database: DatabaseSync, mayMigrate: boolean): { isNew: boolean } {
  const all = migrationsOf('sqlite');
  if (lacking(all, userVersion(database), mayMigrate).length === 0) return { isNew: false };
  database.exec('BEGIN IMMEDIATE');
  // Another process may have been quicker; now it is this one's turn.
  const version = userVersion(database);
  for (const { sql } of lacking(all, version, mayMigrate)) database.exec(sql);
  database.exec(`PRAGMA user_version = ${all.length}; COMMIT`);
  return { isNew: version === 0 };
}

function userVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
