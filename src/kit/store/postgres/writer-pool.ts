import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { postgresAddress } from '../database-address.ts';
import { apiError, isBusy, isCutOff, isElsewhere, isReadOnly } from './postgres-failure.ts';
import { databaseSocket } from './session.ts';
import { awaitWriter, CONNECT_TIMEOUT, requireWrites } from './writer-search.ts';

export type WriterPool = {
  /** Uses a connection; a broken one is dropped. */
  use<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  end(): Promise<void>;
};

/**
 * A pool that connects on demand, to the host that takes writes. When that host is lost, or becomes a standby,
 * all its connections are dropped and the writer is looked for again.
 */
export function createWriterPool(address: string, config: PoolConfig): WriterPool {
  const { hosts, needsWriter } = postgresAddress(address);
  const patience = config.connectionTimeoutMillis ?? CONNECT_TIMEOUT;
  const closing = new AbortController();
  let current = hosts[0];
  let pool = createPool(current);
  // Of several hosts the first is only a guess.
  let isFound = hosts.length === 1;
  let search: Promise<void> | undefined;

  function createPool(host: string): Pool {
    const created = new Pool({
      ...config,
      connectionString: host,
      connectionTimeoutMillis: patience,
      stream: databaseSocket,
      ...(needsWriter && { onConnect: requireWrites }),
    });
    // Broken connections fail their query; without listeners these events would end the process.
    created.on('error', () => {});
    created.on('connect', (client) => client.on('error', () => {}));
    return created;
  }

  function replace(host: string): void {
    if (closing.signal.aborted) return;
    const before = pool;
    current = host;
    pool = createPool(host);
    // It ends when the last of its connections is released.
    void before.end();
  }

  /**
   * Looks for the writer, because the host of this pool is not; or may not be: one that does not answer keeps its
   * connections, and whoever waits for one is not told why.
   */
  function lookAgain(lost: Pool, isLost = true): void {
    // One host alone may be read-only for a while, and can be read from.
    if (hosts.length === 1 || lost !== pool || search) return;
    search = awaitWriter(hosts, closing.signal)
      .then((host) => {
        if (isLost || host !== current) replace(host);
      })
      .catch(() => {})
      .finally(() => {
        search = undefined;
      });
  }

  async function connect(): Promise<{ client: PoolClient; from: Pool }> {
    const start = performance.now();
    if (!isFound) lookAgain(pool);
    isFound = true;
    if (search && !(await isDone(search, patience))) {
      throw new Error(`none of ${hosts.length} hosts takes writes`);
    }
    const from = pool;
    try {
      return { client: await from.connect(), from };
    } catch (error) {
      if (isBusy(error)) lookAgain(from, false);
      if (hosts.length === 1 || !isElsewhere(error)) throw error;
      lookAgain(from);
      const left = patience - (performance.now() - start);
      if (left <= 0 || (search && !(await isDone(search, left)))) throw error;
      const next = pool;
      return { client: await next.connect(), from: next };
    }
  }

  return {
    async use(work) {
      const { client, from } = await connect().catch((error: unknown) => {
        throw apiError(error);
      });
      let isBroken = false;
      try {
        return await work(client);
      } catch (error) {
        isBroken = isCutOff(error) || isReadOnly(error);
        if (isReadOnly(error)) lookAgain(from);
        throw error;
      } finally {
        client.release(isBroken);
      }
    },
    async end() {
      closing.abort();
      await pool.end();
    },
  };
}

async function isDone(work: Promise<void>, within: number): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(within, false, { signal: over.signal }).catch(() => false);
  return Promise.race([work.then(() => true), late]).finally(() => over.abort());
}
