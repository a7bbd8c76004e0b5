import { readdirSync, readFileSync } from 'node:fs';

/** A file of SQL. Databases record it by the file's name without its ending. */
export type Migration = { readonly name: string; readonly sql: string };

/** What a database records: how many migrations it has, and their names; older servers recorded none. */
export type Recorded = { readonly version: number; readonly names: readonly string[] };

/** What is left to record and to apply. */
export type Plan = { readonly unnamed: readonly string[]; readonly missing: readonly Migration[] };

const FILE = /^(\d{3}-[a-z0-9-]+)\.sql$/;

/** The migrations of an engine, in order of name; the folder has a subfolder for each engine. */
export function readMigrations(folder: URL, engine: 'sqlite' | 'postgres'): Migration[] {
  const files = new URL(`${engine}/`, folder);
  return readdirSync(files)
    .filter((file) => !file.startsWith('.'))
    .sort()
    .map((file) => {
      const name = file.match(FILE)?.[1];
      if (!name) throw new Error(`the migration ${file} is not named like 001-collections.sql`);
      return { name, sql: readFileSync(new URL(file, files), 'utf8') };
    });
}

/**
 * What a database lacks. One with a migration that this server does not know is refused, and one without a
 * migration that comes before another that it has. So is one that lacks any if this server may not migrate.
 */
export function planMigrations(
  all: readonly Migration[],
  recorded: Recorded,
  mayMigrate: boolean,
): Plan {
  const unnamed = unnamedOf(all, recorded);
  const applied = [...recorded.names, ...unnamed];
  const unknown = applied.filter((name) => !all.some((known) => known.name === name));
  if (unknown.length > 0) {
    const names = unknown.join(', ');
    throw new Error(`the database has ${names}, unknown to this server: use a newer server`);
  }
  const missing = all.filter(({ name }) => !applied.includes(name));
  const last = applied.sort().at(-1) ?? '';
  const early = missing.filter(({ name }) => name < last);
  if (early.length > 0) {
    const order = `the database lacks ${namesOf(early)} but has ${last}, which comes later`;
    throw new Error(`${order}: rename what is new so that it comes last`);
  }
  if (missing.length > 0 && !mayMigrate) {
    const names = namesOf(missing);
    throw new Error(`the database lacks ${names} and MIGRATE is off: run npm run migrate`);
  }
  return { unnamed, missing };
}

/** The same failure, with the name of its migration. */
export function failed({ name }: Migration, cause: unknown): Error {
  const { message } = Object(Object(cause).cause ?? cause);
  return new Error(`the migration ${name} failed: ${message}`, { cause });
}

/** Older servers stored only a version number: that of the last file applied. */
function unnamedOf(all: readonly Migration[], { version, names }: Recorded): string[] {
  if (version <= names.length) return [];
  const known = names.length || all.length;
  if (version > known || names.length > 0) {
    const at = `the database is at version ${version}, this server knows ${known}`;
    throw new Error(`${at}: use a newer server`);
  }
  const first = all.filter(({ name }) => Number(name.slice(0, 3)) <= version);
  if (first.length !== version) {
    const which = `the database is at version ${version}, and has not all of ${namesOf(first)}`;
    throw new Error(`${which}: rename what is new so that it comes last`);
  }
  return first.map(({ name }) => name);
}

function namesOf(migrations: readonly Migration[]): string {
  return migrations.map(({ name }) => name).join(', ');
}
