import { nothingRecorded, planMigrations, type Recorded, readMigrations } from '../migrations.ts';
import { allTables, ownMigrations, requireOwn } from '../own-tables.ts';
import type { StoreOptions } from '../store-options.ts';
import { requireSame, schemaDifferences } from '../table-schema.ts';
import { runMigration } from './migration-run.ts';
import { apiError } from './postgres-failure.ts';
import { postgresSchemaDialect, readPostgresSchema } from './postgres-schema.ts';
import { ANSWER_TIMEOUT } from './postgres-statements.ts';
import { createSession } from './session.ts';
import { CONNECT_TIMEOUT, findWriter } from './writer-search.ts';

// Any number that no other program uses in the same database.
const LOCK = 4_107_110_114;

/**
 * Applies, all or none, the migrations that the database lacks; one instance does, others wait. The tables are
 * to be as declared.
 */
export async function migrate(
  url: string,
  mayMigrate: boolean,
  { tables, migrations }: Pick<StoreOptions, 'tables' | 'migrations'>,
): Promise<{ isNew: boolean }> {
  const known = async <T>(promise: Promise<T>): Promise<T> =>
    promise.catch((error: unknown) => {
      throw apiError(error);
    });
  // A migration may take long: no statement time-out.
  const { client, end } = createSession({
    connectionString: await known(findWriter(url)),
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  const ask = async (text: string) => {
    const query = { text, query_timeout: ANSWER_TIMEOUT };
    return (await known(client.query(query))).rows;
  };

  async function recorded(): Promise<Recorded> {
    if ((await ask(migrationsTable)).length === 0) return nothingRecorded;
    const rows = await ask(`SELECT version, to_jsonb(each) ->> 'name' AS name,
        to_jsonb(each) ->> 'needs' AS needs
      FROM migrations AS each ORDER BY version`);
    return {
      version: rows.at(-1)?.version ?? 0,
      names: rows.flatMap(({ name }) => name ?? []),
      needs: new Map(rows.flatMap(({ name, needs }) => (needs ? [[name, needs]] : []))),
    };
  }

  async function ownMissing() {
    const rows = await ask('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()');
    const there = new Set(rows.map(({ tablename }) => tablename));
    return ownMigrations('postgres').filter(({ table }) => !there.has(table));
  }

  async function migrateTables(): Promise<{ isNew: boolean }> {
    const { unnamed, missing } = planMigrations(all, await recorded(), mayMigrate);
    const lacking = requireOwn(await ownMissing(), mayMigrate);
    if (!mayMigrate || unnamed.length + missing.length + lacking.length === 0) {
      return { isNew: false };
    }
    await known(client.query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK}); ${shortLocks}`));
    // Read again under the lock: another instance may have migrated meanwhile.
    const before = await recorded();
    const plan = planMigrations(all, before, mayMigrate);
    await known(client.query(createMigrations));
    for (const migration of plan.missing) await runMigration(client, migration);
    for (const migration of await ownMissing()) await runMigration(client, migration);
    // Older servers compare the highest version.
    for (const [i, { name, needs }] of all.entries()) {
      await known(client.query(record, [i + 1, name, needs]));
    }
    await known(client.query('COMMIT'));
    return { isNew: before.version === 0 };
  }

  const all = readMigrations(migrations, 'postgres');
  try {
    await known(client.connect());
    const [encoding] = await ask("SELECT current_setting('server_encoding') AS name");
    if (encoding?.name !== 'UTF8') {
      throw new Error(`the database is encoded in ${encoding?.name}, not in UTF8`);
    }
    const outcome = await migrateTables();
    const schema = await readPostgresSchema(ask);
    requireSame(schemaDifferences(allTables(tables), schema, postgresSchemaDialect));
    return outcome;
  } finally {
    await end();
  }
}

// Within a transaction to_regclass may not see a table that another has just created.
const migrationsTable =
  "SELECT FROM pg_tables WHERE tablename = 'migrations' AND schemaname = current_schema()";
const createMigrations = `CREATE TABLE IF NOT EXISTS migrations (
  version    integer     PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE migrations ADD COLUMN IF NOT EXISTS name text UNIQUE;
ALTER TABLE migrations ADD COLUMN IF NOT EXISTS needs text`;
const record = `INSERT INTO migrations (version, name, needs) VALUES ($1, $2, $3)
  ON CONFLICT (version) DO UPDATE SET name = excluded.name, needs = excluded.needs`;
// While a migration waits for a table, so do all who come later: it gives up before their statements do.
const shortLocks = "SET LOCAL lock_timeout = '2s'";
