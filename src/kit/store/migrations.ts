import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** A file of SQL. Databases record it by the file's name without its ending. */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  /** Of one that contracts: only releases that know this earlier migration may run beside it. */
  readonly needs: string | undefined;
};

/** What a database records: how many migrations it has, and their names; older servers recorded none. */
export type Recorded = {
  readonly version: number;
  readonly names: readonly string[];
  /** What those migrations need that contract. */
  readonly needs: ReadonlyMap<string, string>;
};

export const nothingRecorded: Recorded = { version: 0, names: [], needs: new Map() };

/** What is left to record and to apply. */
export type Plan = { readonly unnamed: readonly string[]; readonly missing: readonly Migration[] };

const FILE = /^(\d{3}-[a-z0-9-]+)\.sql$/;
const CONTRACT = /^-- contract after (\d{3}-[a-z0-9-]+): \S/;

/** The migrations of an engine, in order of name; the folder has a subfolder for each engine. */
export function readMigrations(folder: URL, engine: 'sqlite' | 'postgres'): Migration[] {
  const files = new URL(`${engine}/`, folder);
  return readdirSync(files)
    .filter((file) => !file.startsWith('.'))
    .sort()
    .map((file) => {
      const name = file.match(FILE)?.[1];
      if (!name) throw new Error(`the migration ${file} is not named like 001-collections.sql`);
      const sql = readSql(file, new URL(file, files));
      return { name, sql, needs: neededBy(name, sql) };
    });
}

function readSql(file: string, url: URL): string {
  const fault = (what: string) => new Error(`the migration ${file} ${what}`);
  if (!statSync(url, { throwIfNoEntry: false })?.isFile()) throw fault('is not a file');
  const bytes = readFileSync(url);
  if (!isUtf8(bytes)) throw fault('is not UTF-8');
  const sql = bytes.toString();
  // It would hide the declaration in the first line, and PostgreSQL takes it for part of a word.
  if (sql.startsWith('\ufeff')) {
    throw fault('begins with a byte order mark: save it as UTF-8 without one');
  }
  if (sql.trim() === '') throw fault('is empty: say in a comment why there is nothing to do');
  return sql;
}

/**
 * What a database lacks. One with a migration that this server does not know is taken where a newer release has
 * migrated it that may run beside this one. One without a migration that comes before another that it has is
 * refused. So is one that lacks any if this server may not migrate.
 */
export function planMigrations(
  all: readonly Migration[],
  recorded: Recorded,
  mayMigrate: boolean,
): Plan {
  const unnamed = unnamedOf(all, recorded);
  const applied = [...recorded.names, ...unnamed];
  const missing = all.filter(({ name }) => !applied.includes(name));
  const known = all.at(-1)?.name;
  const unknown = unknownIn(all, recorded);
  const isNewer = known !== undefined && unknown.every((name) => name > known);
  if (missing.length > 0 || !isNewer) requireKnown(all, recorded);
  for (const name of unknown) {
    const needed = recorded.needs.get(name);
    if (needed !== undefined && !all.some((each) => each.name === needed)) {
      throw new Error(`the database has ${name}, which needs a server that knows ${needed}`);
    }
  }
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

/** Refuses a database with a migration that this server does not know. */
export function requireKnown(all: readonly Migration[], recorded: Recorded): void {
  const unknown = unknownIn(all, recorded);
  if (unknown.length === 0) return;
  const names = unknown.join(', ');
  throw new Error(`the database has ${names}, unknown to this server: use a newer server`);
}

/** Of a migration with a transaction command, which would leave half of the migrations where the rest fails. */
export const ownTransaction = () =>
  new Error(
    'it has a transaction command such as BEGIN or COMMIT; all migrations are applied in one transaction',
  );

/** The same failure, with the name of its migration. */
export function failed({ name }: Migration, cause: unknown): Error {
  const { message } = Object(Object(cause).cause ?? cause);
  return new Error(`the migration ${name} failed: ${message}`, { cause });
}

/** Older servers stored only a version number: that of the last file applied. */
function unnamedOf(all: readonly Migration[], { version, names }: Recorded): string[] {
  if (version <= names.length) return [];
  const known = names.length || all.length;
  if (version > known) {
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

function unknownIn(all: readonly Migration[], { names }: Recorded): string[] {
  return names.filter((name) => !all.some((known) => known.name === name));
}

/** What the comment that a migration begins with declares: `-- contract after 006-subtitle: <reason>`. */
function neededBy(migration: string, sql: string): string | undefined {
  const lines = sql.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--'));
  const declaration = lines
    .slice(0, end < 0 ? lines.length : end)
    .find((line) => line.startsWith('-- contract'));
  if (declaration === undefined) return undefined;
  const needs = declaration.match(CONTRACT)?.[1];
  if (needs !== undefined) return needs;
  const form = '-- contract after <migration>: <reason>';
  throw new Error(`the migration ${migration} says "${declaration}", which is not "${form}"`);
}

function namesOf(migrations: readonly Migration[]): string {
  return migrations.map(({ name }) => name).join(', ');
}
