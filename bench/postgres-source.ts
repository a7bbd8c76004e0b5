import { Client } from 'pg';
import { startPostgres } from '../tools/support/embedded-postgres.ts';
import { type Rows, rowsOf } from './data.ts';
import type { Source } from './engines.ts';

const BATCH = 10_000;
// Vacuum and checkpoints would fall into the slice of whichever server is measured then.
const settings = ['autovacuum=off', 'checkpoint_timeout=1d', 'max_wal_size=16GB'];

/** Databases of one PostgreSQL, started for the run, whose commits are on disk as by default. */
export async function postgresSource(): Promise<Source> {
  const { createDatabase, pid, remove } = await startPostgres(settings);
  const maintenance = await createDatabase('maintenance');
  return {
    create: createDatabase,
    async fill(url, size) {
      await withClient(url, async (client) => {
        for (const rows of rowsOf(size)) await insert(client, rows);
        await client.query('VACUUM (ANALYZE, FREEZE)');
      });
    },
    async copy(url, name) {
      await withClient(maintenance, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
        const template = new URL(url).pathname.slice(1);
        await client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`);
        await client.query('CHECKPOINT');
      });
      return Object.assign(new URL(url), { pathname: name }).href;
    },
    cluster: pid(),
    remove,
  };
}

async function insert(client: Client, { table, columns, count, row }: Rows): Promise<void> {
  const names = columns.map(([name]) => name).join();
  const lists = columns.map(([, type], i) => `$${i + 1}::${type}[]`).join();
  const text = `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${lists})`;
  for (let first = 1; first <= count; first += BATCH) {
    const length = Math.min(BATCH, count - first + 1);
    const rows = Array.from({ length }, (_, i) => row(first + i));
    const values = columns.map((_, column) => rows.map((each) => each[column]));
    await client.query(text, values);
  }
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
