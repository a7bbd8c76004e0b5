import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { postgresAddress } from '../database-address.ts';
import { isMistaken } from './postgres-failure.ts';
import { createSession } from './session.ts';

/** Milliseconds to wait for a connection from the server or the pool. */
export const CONNECT_TIMEOUT = 2000;
const RETRY_EVERY = 250;

/** The address of the host that takes writes, of those that an address names. Where it is one it is not asked. */
export async function findWriter(address: string): Promise<string> {
  const { hosts } = postgresAddress(address);
  if (hosts.length === 1) return hosts[0];
  try {
    return await Promise.any(hosts.map(requireWriter));
  } catch (error) {
    const { errors } = error as AggregateError; // Promise.any rejects with nothing else.
    // A standby that lags may not know the database yet.
    throw errors.find((each) => !isMistaken(each)) ?? errors[0];
  }
}

/** The first of these hosts to take writes, however long that takes. */
export async function awaitWriter(hosts: readonly string[], closing: AbortSignal): Promise<string> {
  const over = new AbortController();
  const signal = AbortSignal.any([closing, over.signal]);
  // Each on its own: one that does not answer holds up no other.
  const attempts = hosts.map(async (host) => {
    for (;;) {
      try {
        return await requireWriter(host);
      } catch {
        await sleep(RETRY_EVERY, undefined, { signal });
      }
    }
  });
  return Promise.any(attempts).finally(() => over.abort());
}

async function requireWriter(host: string): Promise<string> {
  const { client, end } = createSession({
    connectionString: host,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  try {
    await client.connect();
    await requireWrites(client);
    return host;
  } finally {
    void end();
  }
}

/** Fails on a standby, and on a server that is set to read only. */
export async function requireWrites(client: ClientBase): Promise<void> {
  const query = {
    text: "SELECT current_setting('transaction_read_only') AS is_read_only",
    query_timeout: CONNECT_TIMEOUT,
  };
  const { rows } = await client.query(query);
  if (rows[0]?.is_read_only !== 'off') throw new Error('this server takes no writes');
}
