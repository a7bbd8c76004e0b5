import { readdirSync, readFileSync } from 'node:fs';

/** A numbered file of SQL; the database is at its version once it is applied. */
export type Migration = { readonly version: number; readonly sql: string };

export function migrationsOf(engine: 'sqlite' | 'postgres'): Migration[] {
  const folder = new URL(`./migrations/${engine}/`, import.meta.url);
  return readdirSync(folder)
    .sort()
    .map((file, i) => ({ version: i + 1, sql: readFileSync(new URL(file, folder), 'utf8') }));
}

/**
 * What a database of this version lacks. One newer than this server is refused; so is an older one when
 * this server may not bring it up to date.
 */
export function lacking(all: readonly Migration[], version: number, mayMigrate: boolean) {
  const known = all.length;
  const at = `the database is at version ${version}, this server`;
  if (version > known) throw new Error(`${at} knows ${known}: use a newer server`);
  if (version < known && !mayMigrate) {
    throw new Error(`${at} needs ${known} and MIGRATE is off: run npm run migrate`);
  }
  return all.slice(version);
}
