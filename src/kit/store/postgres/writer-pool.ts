import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient, PoolConfig } from 'pg';
import { postgresAddress } from '../database-address.ts';
import { type Borrowed, createHostPool, type HostPool } from './host-pool.ts';
import { apiError, isCutOff, isElsewhere, isReadOnly, PoolBusy } from './postgres-failure.ts';
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
export function createWriterPool(
  address: string,
  config: PoolConfig & { readonly max: number },
): WriterPool {
  const { hosts, needsWriter } = postgresAddress(address);
  const patience = config.connectionTimeoutMillis ?? CONNECT_TIMEOUT;
  const closing = new AbortController();
  let current = hosts[0];
  let pool = createPool(current);
  // Of several hosts the first is only a guess.
  let isFound = hosts.length === 1;
  let search: Promise<void> | undefined;

  function createPool(host: string): HostPool {
    return createHostPool({
      ...config,
      connectionString: host,
      connectionTimeoutMillis: patience,
      ...(needsWriter && { onConnect: requireWrites }),
    });
  }

  function replace(host: string): void {
    if (closing.signal.aborted) return;
    const before = pool;
    current = host;
    pool = createPool(host);
    void before.end();
  }

  /**
   * Looks for the writer, because the host of this pool is not; or may not be: one that does not answer keeps its
   * connections, and whoever waits for one is not told why.
   */
  function lookAgain(lost: HostPool, isLost = true): void {
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

  async function connect(): Promise<Borrowed & { readonly from: HostPool }> {
    const start = performance.now();
    if (!isFound) lookAgain(pool);
    isFound = true;
    if (search && !(await isDone(search, patience))) {
      throw new Error(`none of ${hosts.length} hosts takes writes`);
    }
    const from = pool;
    try {
      return { ...(await from.connect()), from };
    } catch (error) {
      if (error instanceof PoolBusy) lookAgain(from, false);
      if (hosts.length === 1 || !isElsewhere(error)) throw error;
      lookAgain(from);
      const left = patience - (performance.now() - start);
      if (left <= 0 || (search && !(await isDone(search, left)))) throw error;
      const next = pool;
      return { ...(await next.connect()), from: next };
    }
  }

  return {
    async use(work) {
      const { client, from, release } = await connect().catch((error: unknown) => {
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
        release(isBroken);
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
