import { DatabaseSync } from 'node:sqlite';
import { type Catalogue, contractions } from './catalogue.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { ownMigrations } from './own-tables.ts';
import { runMigration } from './postgres/migration-run.ts';
import { readPostgresCatalogue } from './postgres/postgres-catalogue.ts';
import { createSession } from './postgres/session.ts';
import { CONNECT_TIMEOUT, findWriter } from './postgres/writer-search.ts';
import { readSqliteCatalogue } from './sqlite/sqlite-catalogue.ts';
import { apply } from './sqlite/sqlite-migrations.ts';

/**
 * Refuses migrations that the release before them cannot run beside, unless they declare it. They are applied to
 * SQLite in memory, or to an empty PostgreSQL database, which is left empty.
 */
export async function requireExpanding(folder: URL, postgres?: string): Promise<void> {
  const lines = await undeclaredContractions(folder, postgres);
  if (lines.length === 0) return;
  const list = lines.map((line) => `\n- ${line}`).join('');
  throw new Error(`${advice}:${list}`);
}

const advice = `the release before these migrations may fail beside them; drop or restrict nothing until no release \
that runs needs it, then in a migration that begins with "-- contract after <migration that these releases know>: <reason>"`;

/**
 * What keeps the release before a migration from running beside it, a line for each migration: it drops or
 * changes something, or may refuse what that release writes, and does not declare that. The catalogues before
 * and after each are compared; values that a migration changes are not seen.
 */
async function undeclaredContractions(folder: URL, postgres?: string): Promise<string[]> {
  const engine = postgres === undefined ? 'sqlite' : 'postgres';
  const migrations = readMigrations(folder, engine);
  const { begin, apply, read, close } =
    postgres === undefined ? inMemory() : await onHost(postgres);
  try {
    await begin();
    const lines = [];
    let before = await read();
    if (before.size > 0) {
      throw new Error('migrations are checked in an empty database, and this one has tables');
    }
    for (const migration of [...migrations, ...ownMigrations(engine)]) {
      await apply(migration);
      const after = await read();
      const found = contractions(before, after).join(', ');
      if (migration.needs === undefined && found) {
        lines.push(`${engine}/${migration.name}.sql ${found}`);
      }
      before = after;
    }
    return [...lines, ...misdeclared(migrations, engine)];
  } finally {
    await close();
  }
}

type Checked = {
  begin(): Promise<unknown>;
  apply(migration: Migration): Promise<void>;
  read(): Promise<Catalogue>;
  /** Undoes what was applied. */
  close(): Promise<void>;
};

function inMemory(): Checked {
  const database = new DatabaseSync(':memory:');
  return {
    begin: async () => {},
    apply: async (migration) => apply(database, migration),
    read: async () => readSqliteCatalogue(database),
    close: async () => database.close(),
  };
}

async function onHost(url: string): Promise<Checked> {
  const { client, end } = createSession({
    connectionString: await findWriter(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  return {
    begin: () => client.connect().then(() => client.query('BEGIN')),
    apply: (migration) => runMigration(client, migration),
    read: () => readPostgresCatalogue(async (sql) => (await client.query(sql)).rows),
    // The transaction ends with its session.
    close: end,
  };
}

function misdeclared(migrations: readonly Migration[], engine: string): string[] {
  return migrations.flatMap(({ name, needs }) => {
    if (needs === undefined || (needs < name && migrations.some((each) => each.name === needs))) {
      return [];
    }
    return [
      `${engine}/${name}.sql is declared to contract after ${needs}, which is no migration before it`,
    ];
  });
}
