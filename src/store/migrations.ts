import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

const folder = new URL('./migrations/sqlite/', import.meta.url);

/**
 * Applies, in order, the numbered files that the database has not seen; each is applied whole or not
 * at all. A database newer than this server is refused.
 */
export function migrate(database: DatabaseSync): { isNew: boolean } {
  const files = readdirSync(folder).sort();
  const version = userVersion(database);
  if (version > files.length) {
    throw new Error(
      `the database is at version ${version}, this server knows ${files.length}: use a newer server`,
    );
  }
  for (const [i, file] of files.entries()) {
    if (i < version) continue;
    const sql = readFileSync(new URL(file, folder), 'utf8');
    database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${i + 1}; COMMIT`);
  }
  return { isNew: version === 0 };
}

function userVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
