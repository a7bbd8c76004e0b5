import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { carryMetrics } from '../observe/cluster-metrics.ts';
import type { Log } from '../observe/log.ts';

// Milliseconds between attempts to replace a worker.
const PAUSE = 1000;

export type Workers = {
  /** Where they serve, all at the same address. */
  readonly url: string;
  /** Drains them all. */
  stop(): Promise<void>;
};

/** Runs this program in several processes at one address. One that dies is replaced. */
export async function startWorkers(count: number, log: Log): Promise<Workers> {
  let isStopping = false;
  carryMetrics();

  /** Starts a process; resolves with its address when it serves. */
  async function startWorker(): Promise<string> {
    const worker = cluster.fork();
    const ended = once(worker, 'exit');
    const url = await Promise.race([addressOf(worker), ended.then(() => undefined)]);
    if (!url) throw new Error('a process ended before it served');
    void ended.then(([code, signal]) => replace(worker, signal ?? code));
    return url;
  }

  async function replace({ process: { pid } }: Worker, reason: unknown): Promise<void> {
    for (;;) {
      if (isStopping) return;
      log.failure(`Process ${pid}`, reason);
      try {
        await startWorker();
        return;
      } catch {
        await sleep(PAUSE);
      }
    }
  }

  async function stop(): Promise<void> {
    isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map(async (worker) => {
        const ended = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await ended;
      }),
    );
  }

  // The first makes the database if there is none; the others find it made.
  const url = await startWorker();
  try {
    await Promise.all(Array.from({ length: count - 1 }, startWorker));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** A worker's address, once it sends it; the rate limit's messages share the channel. */
function addressOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.on('message', (message) => {
      if (typeof message === 'string') resolve(message);
    });
  });
}

/** What a worker tells the primary. */
export const starter = {
  isThere: cluster.isWorker,
  isFirst: cluster.worker?.id === 1,
  serving: (url: string) => void cluster.worker?.send(url),
  leaving: () => void cluster.worker?.disconnect(),
};
