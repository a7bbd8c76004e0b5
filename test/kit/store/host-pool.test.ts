// engines: postgres
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createHostPool } from '../../../src/kit/store/postgres/host-pool.ts';
import { newDatabase } from '../../support/engine.ts';

it('a connection may break while it is borrowed and asked nothing', async () => {
  const connectionString = await newDatabase();
  const pool = createHostPool({ connectionString, max: 1, connectionTimeoutMillis: 5000 });
  const other = new Client({ connectionString });
  await other.connect();
  const { client, release } = await pool.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await other.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
  await ended;
  release(true);
  const next = await pool.connect();
  expect((await next.client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  next.release(false);
  await Promise.all([pool.end(), other.end()]);
});
