import cluster, { type Worker } from 'node:cluster';
import type { Family } from './counters.ts';
import type { Guard } from './guard.ts';

/** What processes say to each other by way of the one that started them. */
type Message =
  | { readonly say: 'gather'; readonly round: number }
  | { readonly say: 'asked'; readonly round: number; readonly count: number }
  | { readonly say: 'tell'; readonly round: number; readonly to: number }
  | {
      readonly say: 'told';
      readonly round: number;
      readonly to: number;
      readonly from: number;
      readonly families: readonly Family[];
    };

/** In the process that started the others: carries what they count from each to the one that asks. */
export function carryMetrics(): void {
  cluster.on('message', (worker: Worker, message: Message) => {
    if (message.say === 'told') cluster.workers?.[message.to]?.send(message, ignore);
    if (message.say !== 'gather') return;
    const { round } = message;
    const there = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected());
    worker.send({ say: 'asked', round, count: there.length } satisfies Message, ignore);
    for (const each of there) {
      each?.send({ say: 'tell', round, to: worker.id } satisfies Message, ignore);
    }
  });
}

// A process may end before it is told; without a callback that would be an error event of the worker's.
const ignore = () => {};

type Told = Map<number, readonly Family[]>;

/** The number of a process that is not one of several; theirs begin at 1. */
export const ALONE = 0;

// A process that has just been started or is about to end may not answer.
const PATIENCE = 1000;

/** What every process of this server counts, by its number. */
export function createGather(
  families: () => readonly Family[],
  { quiet }: Guard,
): () => Promise<Told> {
  const { worker } = cluster;
  if (!worker) return async () => new Map([[ALONE, families()]]);
  const rounds = new Map<number, { told: Told; count: number; done(): void }>();
  let last = 0;

  const take = (message: Message) => {
    const { say, round } = message;
    if (say === 'tell') {
      const { to } = message;
      const all = families();
      worker.send(
        { say: 'told', round, to, from: worker.id, families: all } satisfies Message,
        ignore,
      );
      return;
    }
    const open = rounds.get(round);
    if (!open) return;
    if (say === 'asked') open.count = message.count;
    if (say === 'told') open.told.set(message.from, message.families);
    if (open.told.size === open.count) open.done();
  };
  worker.on('message', quiet('metrics', take));

  return async () => {
    last++;
    const round = last;
    const told: Told = new Map();
    await new Promise<void>((done) => {
      rounds.set(round, { told, count: Number.POSITIVE_INFINITY, done });
      setTimeout(done, PATIENCE).unref();
      worker.send({ say: 'gather', round } satisfies Message);
    });
    rounds.delete(round);
    return told;
  };
}
