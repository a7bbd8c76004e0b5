import { Client } from 'pg';
import { lacking, migrationsOf } from '../migrations.ts';
import { ANSWER_TIMEOUT, CONNECT_TIMEOUT } from './database.ts';
import { apiError } from './failure.ts';

// Any number will do that nothing else in the same database uses.
const LOCK = 4_107_110_114;

/** Applies, all or none, the migrations that the database has not seen; one instance does, others wait. */
export async function migrate(url: string, mayMigrate: boolean): Promise<{ isNew: boolean }> {
  // A migration may take long, so its connection has no time-out of its own.
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT });
  // Unheard, a connection that breaks would end the process.
  client.on('error', () => {});
  const known = async <T>(promise: Promise<T>): Promise<T> =>
    promise.catch((error: unknown) => {
      throw apiError(error);
    });
  const ask = async (text: string): Promise<unknown> => {
    const query = { text, query_timeout: ANSWER_TIMEOUT };
    return Object((await known(client.query(query))).rows[0]).answer;
  };
  const version = async () =>
    (await ask(`SELECT EXISTS (${migrationsTable}) AS answer`))
      ? Number(await ask('SELECT coalesce(max(version), 0) AS answer FROM migrations'))
      : 0;

  const all = migrationsOf('postgres');
  try {
    await known(client.connect());
    const encoding = await ask("SELECT current_setting('server_encoding') AS answer");
    if (encoding !== 'UTF8') throw new Error(`the database is encoded in ${encoding}, not in UTF8`);
    if (lacking(all, await version(), mayMigrate).length === 0) return { isNew: false };
    await known(client.query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK})`));
    // Another instance may have been quicker; now it is this one's turn.
    const before = await version();
    if (before === 0) await known(client.query(createMigrations));
    for (const { version, sql } of lacking(all, before, mayMigrate)) {
      await known(client.query(`${sql}; INSERT INTO migrations (version) VALUES (${version})`));
    }
    await known(client.query('COMMIT'));
    return { isNew: before === 0 };
  } finally {
    await client.end();
  }
}

// Looked up as a row: within a transaction to_regclass may not see what another has just made.
const migrationsTable =
  "SELECT FROM pg_tables WHERE tablename = 'migrations' AND schemaname = current_schema()";
const createMigrations = `CREATE TABLE IF NOT EXISTS migrations (
  version    integer     PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;
