import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from '../support/http-connection.ts';

/** What a crowd sends in each beat: so many requests at once on each connection, or on the next few of them. */
export type Burst = {
  readonly port: number;
  /** The address that it comes from. */
  readonly from: string;
  readonly connections: number;
  /** How many of the connections send in a beat; all, where nothing is said. */
  readonly next?: number;
  readonly requests: number;
  readonly path: string;
  /** Milliseconds between two beats. */
  readonly every: number;
  /** Takes the processor only while no other process wants it. */
  readonly yields?: boolean;
};

export type CrowdCounts = {
  readonly sent: number;
  /** By status; `closed` without an answer. */
  readonly answers: Readonly<Record<string, number>>;
};

/** Lets a process send bursts; ends when called. */
export async function startCrowd(burst: Burst): Promise<() => Promise<CrowdCounts>> {
  const child = fork(new URL('crowd-process.ts', import.meta.url), [JSON.stringify(burst)]);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await once(child, 'message');
  return async () => {
    const counted = once(child, 'message');
    child.send('end');
    const [counts] = await counted;
    if (child.exitCode === null) await once(child, 'exit');
    return counts as CrowdCounts;
  };
}

/** How long each answer took, in order, and how many were not 200. */
export type Waits = { readonly waited: readonly number[]; readonly failed: number };

/** Reads a record every so many milliseconds on one connection. */
export async function readSteadily(
  url: string,
  { from, path, every, duration }: Pick<Burst, 'from' | 'path' | 'every'> & { duration: number },
): Promise<Waits> {
  const connection = createConnection(url, from);
  const waited: number[] = [];
  let failed = 0;
  const end = performance.now() + duration;
  while (performance.now() < end) {
    // Not in step with the crowd.
    await sleep(every * (0.5 + Math.random()));
    const start = performance.now();
    const { status } = await connection.send('GET', path);
    waited.push(performance.now() - start);
    if (status !== 200) failed++;
  }
  connection.close();
  return { waited: waited.sort((a, b) => a - b), failed };
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
