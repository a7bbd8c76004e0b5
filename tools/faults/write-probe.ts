import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Cluster, createClusterDatabase } from './patroni.ts';

const PAUSE = 50;

/** When the cluster itself takes writes: asked of every host, without the server in between. */
export type WriteProbe = {
  /** When a write was committed, by `performance.now()`. */
  readonly committed: readonly number[];
  writing(): Promise<void>;
  stop(): Promise<void>;
};

export async function startWriteProbe(cluster: Cluster): Promise<WriteProbe> {
  await createClusterDatabase(cluster, 'probe');
  await once((await cluster.leader()).address('probe'), 'CREATE TABLE written (at float)');
  const committed: number[] = [];
  let isOver = false;
  const running = cluster.members.map(async ({ address }) => {
    while (!isOver) {
      const isDone = await once(address('probe'), 'INSERT INTO written VALUES (0)');
      if (isDone) committed.push(performance.now());
      await sleep(PAUSE);
    }
  });
  return {
    committed,
    async writing() {
      const now = performance.now();
      while ((committed.at(-1) ?? 0) <= now) await sleep(20);
    },
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

async function once(address: string, sql: string): Promise<boolean> {
  const client = new Client({
    connectionString: address,
    connectionTimeoutMillis: 1000,
    query_timeout: 1000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
    return true;
  } catch {
    return false;
  } finally {
    client.end().catch(() => {});
  }
}

/** The longest time within a span in which nothing happened. */
export function longestGap(times: readonly number[], from: number, to: number): number {
  const within = [from, ...times.filter((each) => each > from && each < to), to];
  return Math.max(...within.slice(1).map((each, i) => each - (within[i] ?? each)));
}
