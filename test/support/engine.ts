import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { beforeEach, inject } from 'vitest';

/**
 * Connections for all who use a database at once in a test: one who waits for a connection for 2 s is refused, also where
 * that is because the machine stalls.
 */
export const ENOUGH_CONNECTIONS = 64;

/** Skips the tests of this file where there is no PostgreSQL. */
export function needPostgres(): void {
  if (!isMissing()) return;
  beforeEach(({ skip }) => skip('no PostgreSQL here'));
}

/** Whether these tests are to run on a PostgreSQL that there is not. */
export function isMissing(): boolean {
  return inject('postgres') === '';
}

/** The address of an empty database of the engine that the tests run on. */
export async function newDatabase(): Promise<string> {
  const postgres = inject('postgres');
  return postgres ? createDatabase(postgres) : 'sqlite::memory:';
}

async function createDatabase(postgres: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: postgres });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(postgres), { pathname: `/${name}` }).href;
}
