import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient, PoolConfig } from 'pg';
import type { Position } from '../replica-reading.ts';
import { type Borrowed, createHostPool, type HostPool } from './host-pool.ts';
import { isCutOff, isElsewhere, isStatementTimeout } from './postgres-failure.ts';
import { createSession } from './session.ts';
import { replayedPosition } from './wal-position.ts';

/** One replica, with connections of its own. */
export type ReplicaHost = {
  /** Whether it is worth asking; `use` knows. */
  mayHave(least: Position): boolean;
  /** What `work` gave; undefined where the replica is away, or has not come as far as `least`. */
  use<T>(
    least: Position,
    work: (client: PoolClient) => Promise<T>,
  ): Promise<{ readonly value: T } | undefined>;
  end(): Promise<void>;
};

/** Told when a host cannot be reached any more, and when it can be again. */
type Tell = { lost(cause: unknown): void; back(): void };

/** What a server has replayed, and when it said so. */
type Replayed = { readonly position: Position; readonly at: number };

// How long what a connection said holds: its server may be promoted. And how long one that is behind is not asked.
const FRESH = 1000;
const BEHIND = 100;
const TIMEOUT = 1000;
const RETRY_EVERY = 1000;

/** A replica is used when it was found to be one; one that fails is left until it is found again. */
export function createReplicaHost(
  address: string,
  config: PoolConfig & { readonly max: number },
  tell: Tell,
): ReplicaHost {
  const closing = new AbortController();
  // By connection, because an address may stand for several servers. On one it only grows.
  const replayed = new WeakMap<PoolClient, Replayed>();
  let last: Replayed = { position: '', at: Number.NEGATIVE_INFINITY };
  let pool: HostPool | undefined;
  let isLost = false;
  void find();

  async function find(): Promise<void> {
    while (!closing.signal.aborted) {
      const isFound = await isReplica(address).then(noteReached, noteLost);
      if (isFound) {
        if (closing.signal.aborted) return;
        const limits = { connectionString: address, connectionTimeoutMillis: TIMEOUT };
        pool = createHostPool({ ...config, ...limits });
        return;
      }
      await sleep(RETRY_EVERY, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  function noteReached(isReplica: boolean): boolean {
    if (isLost && !closing.signal.aborted) tell.back();
    isLost = false;
    return isReplica;
  }

  function noteLost(cause: unknown): boolean {
    if (!isLost && !closing.signal.aborted) tell.lost(cause);
    isLost = true;
    return false;
  }

  function leave(left: HostPool): void {
    if (left !== pool) return;
    pool = undefined;
    void left.end();
    void find();
  }

  async function replayedBy(client: PoolClient, least: Position): Promise<Position | undefined> {
    const known = replayed.get(client);
    const at = performance.now();
    if (known && known.position >= least && at - known.at < FRESH) return known.position;
    const position = await replayedPosition(client, TIMEOUT);
    if (position === undefined) return undefined;
    last = { position, at };
    replayed.set(client, last);
    return position;
  }

  async function connect(from: HostPool): Promise<Borrowed | undefined> {
    try {
      return await from.connect();
    } catch (error) {
      if (isElsewhere(error)) leave(from);
      return undefined;
    }
  }

  return {
    mayHave: (least) =>
      pool !== undefined && (last.position >= least || performance.now() - last.at >= BEHIND),
    async use(least, work) {
      const from = pool;
      const borrowed = from && (await connect(from));
      if (!borrowed) return undefined;
      const { client, release } = borrowed;
      let isUsable = false;
      try {
        const position = await replayedBy(client, least);
        isUsable = position !== undefined;
        return isUsable && String(position) >= least ? { value: await work(client) } : undefined;
      } catch (error) {
        isUsable = !isCutOff(error);
        // The writer would take as long. Any other statement it may answer: a table may be new.
        if (isStatementTimeout(error)) throw error;
        return undefined;
      } finally {
        release(!isUsable);
        if (!isUsable) leave(from);
      }
    },
    async end() {
      closing.abort();
      await pool?.end();
    },
  };
}

/** Rejects where the host cannot be reached. */
async function isReplica(address: string): Promise<boolean> {
  const { client, end } = createSession({
    connectionString: address,
    connectionTimeoutMillis: TIMEOUT,
  });
  try {
    await client.connect();
    return (await replayedPosition(client, TIMEOUT)) !== undefined;
  } finally {
    void end();
  }
}
