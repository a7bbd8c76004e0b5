import cluster, { type Worker } from 'node:cluster';
import type { Family } from './counters.ts';
import type { Guard } from './guard.ts';

/** Messages between workers, by way of the primary. A round is one request for the metrics of all. */
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

// A process may end before it gets a message; without a callback that is an 'error' event.
const ignore = () => {};

/** In the primary: passes the metrics of each worker to the one that asks. */
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

/** The metrics of all processes of this server as text for Prometheus. */
export function createExposition(
  families: () => readonly Family[],
  guard: Guard,
): () => Promise<string> {
  const { worker } = cluster;
  if (!worker) return () => text([families()]);
  const gather = createGather(worker, families, guard);
  return async () => {
    const all = [...(await gather())];
    return text(all.map(([id, told]) => told.map((family) => labelled(family, id))));
  };
}

/** Prometheus' library is loaded when somebody asks. */
async function text(processes: (readonly Family[])[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate(processes).metrics();
}

// A sum over processes would fall when one is replaced: Prometheus takes that for a counter reset.
function labelled(family: Family, worker: number): Family {
  const values = family.values.map((each) => ({ ...each, labels: { worker, ...each.labels } }));
  return { ...family, values };
}

type Told = Map<number, readonly Family[]>;

// A process that has just been started or is about to end may not answer.
const PATIENCE = 1000;

/** In a worker: asks every worker, itself included, for its metrics. */
function createGather(
  worker: Worker,
  families: () => readonly Family[],
  guard: Guard,
): () => Promise<Told> {
  const rounds = new Map<number, { told: Told; count: number; done(): void }>();
  let last = 0;

  const take = (message: Message) => {
    const { say, round } = message;
    if (say === 'tell') {
      const { to } = message;
      const told: Message = { say: 'told', round, to, from: worker.id, families: families() };
      worker.send(told, ignore);
      return;
    }
    const open = rounds.get(round);
    if (!open) return;
    if (say === 'asked') open.count = message.count;
    if (say === 'told') open.told.set(message.from, message.families);
    if (open.told.size === open.count) open.done();
  };
  worker.on('message', guard('metrics', take));

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
