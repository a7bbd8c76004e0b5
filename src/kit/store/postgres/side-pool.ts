import { Pool } from 'pg';

const TIMEOUT = 1000;

/** A small pool with short time-outs, for what may fail while the database is away. */
export function createSidePool(url: string, name: string): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: name,
    max: 4,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
  });
  // Without a listener the loss of an idle connection would end the process.
  pool.on('error', () => {});
  return pool;
}
