// engines: sqlite
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { carryMetrics, createExposition } from '../../../src/kit/observe/cluster-metrics.ts';
import { family } from '../../../src/kit/observe/counters.ts';
import { createGuard } from '../../../src/kit/observe/guard.ts';

type Sent = Readonly<Record<string, unknown>>;
type Fake = EventEmitter & {
  readonly id: number;
  readonly sent: Sent[];
  isConnected(): boolean;
  send(message: Sent): void;
};

/** One end of the channel between a worker and the primary. */
function fakeWorker(id: number, isConnected = true): Fake {
  const sent: Sent[] = [];
  const own = {
    id,
    sent,
    isConnected: () => isConnected,
    send: (message: Sent) => void sent.push(message),
  };
  return Object.assign(new EventEmitter(), own);
}

describe('the metrics of several processes', () => {
  const { worker: none } = cluster;
  afterEach(() => {
    Object.assign(cluster, { worker: none });
    vi.useRealTimers();
  });
  const requests = (value: number) => [
    family('counter', 'r_total', 'R.', [{ labels: { a: 'b' }, value }]),
  ];

  function worker() {
    const fake = fakeWorker(1);
    Object.assign(cluster, { worker: fake });
    const failures: string[] = [];
    const ask = createExposition(
      () => requests(7),
      createGuard((name) => failures.push(name)),
    );
    const tell = (message: Sent) => fake.emit('message', message);
    return { fake, ask, tell, failures };
  }
  const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('r_total'));

  it('are asked of all, and labelled by worker', async () => {
    // The time for which they wait does not pass.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const { fake, ask, tell } = worker();
    const text = ask();
    expect(fake.sent).toEqual([{ say: 'gather', round: 1 }]);
    tell({ say: 'told', round: 1, to: 1, from: 2, families: requests(3) });
    tell({ say: 'told', round: 9, to: 1, from: 4, families: requests(4) });
    tell({ say: 'asked', round: 1, count: 2 });
    tell({ say: 'told', round: 1, to: 1, from: 1, families: requests(7) });
    expect(lines(await text)).toEqual([
      'r_total{worker="2",a="b"} 3',
      'r_total{worker="1",a="b"} 7',
    ]);
    // What comes late is of a round that is over.
    tell({ say: 'told', round: 1, to: 1, from: 3, families: requests(5) });
    const again = ask();
    expect(fake.sent.at(-1)).toEqual({ say: 'gather', round: 2 });
    tell({ say: 'asked', round: 2, count: 1 });
    tell({ say: 'told', round: 2, to: 1, from: 1, families: requests(8) });
    expect(lines(await again)).toEqual(['r_total{worker="1",a="b"} 8']);
  });

  it('are told to the one that asks', () => {
    const { fake, tell, failures } = worker();
    tell({ say: 'tell', round: 4, to: 2 });
    expect(fake.sent).toEqual([{ say: 'told', round: 4, to: 2, from: 1, families: requests(7) }]);
    expect(failures).toEqual([]);
  });

  it('are those of the workers that answer within a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const { ask, tell } = worker();
    let text: string | undefined;
    const asked = ask().then((told) => {
      text = told;
    });
    tell({ say: 'asked', round: 1, count: 2 });
    tell({ say: 'told', round: 1, to: 1, from: 1, families: requests(7) });
    vi.advanceTimersByTime(999);
    await new Promise(setImmediate);
    expect(text).toBeUndefined();
    vi.advanceTimersByTime(1);
    await asked;
    expect(lines(String(text))).toEqual(['r_total{worker="1",a="b"} 7']);
  });

  it('are forgotten once they are told', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const { ask, tell } = worker();
    const asked = async () => {
      const families = requests(7);
      const text = ask();
      tell({ say: 'asked', round: 1, count: 1 });
      tell({ say: 'told', round: 1, to: 1, from: 1, families });
      expect(lines(await text)).toHaveLength(1);
      return new WeakRef(families);
    };
    const told = await asked();
    for (let i = 0; i < 20 && told.deref(); i++) {
      await new Promise(setImmediate);
      collect();
    }
    expect(told.deref()).toBeUndefined();
  });

  it('go from worker to worker by way of the primary', async () => {
    const [one, two, gone] = [fakeWorker(101), fakeWorker(102), fakeWorker(103, false)];
    const before = cluster.workers;
    Object.assign(cluster, { workers: { 101: one, 102: two, 103: gone } });
    const listeners = cluster.listeners('message');
    carryMetrics();
    const say = (from: Fake, message: Sent) =>
      cluster.emit('message', from as unknown as Worker, message);
    say(one, { say: 'gather', round: 3 });
    expect(one.sent).toEqual([
      { say: 'asked', round: 3, count: 2 },
      { say: 'tell', round: 3, to: 101 },
    ]);
    expect(two.sent).toEqual([{ say: 'tell', round: 3, to: 101 }]);
    const told = { say: 'told', round: 3, to: 101, from: 102, families: [] };
    say(two, told);
    expect(one.sent.slice(2)).toEqual([told]);
    expect(two.sent).toHaveLength(1);
    // To one that has ended, and something that is none of these.
    say(two, { ...told, to: 104 });
    say(two, { say: 'other' });
    expect([one.sent.length, two.sent.length, gone.sent.length]).toEqual([3, 1, 0]);
    for (const each of cluster.listeners('message').filter((own) => !listeners.includes(own))) {
      cluster.off('message', each as () => void);
    }
    Object.assign(cluster, { workers: before });
  });
});

it('what only observes passes on what it is given, and its failures by name', () => {
  const failures: unknown[] = [];
  const told = createGuard((name, cause) => {
    failures.push([name, cause]);
    throw new Error('nobody is left to tell');
  });
  const seen: unknown[] = [];
  const observe = told('tap', (a: number, b: string) => {
    seen.push([a, b]);
    if (a === 2) throw 'why';
  });
  observe(1, 'x');
  observe(2, 'y');
  expect(seen).toEqual([
    [1, 'x'],
    [2, 'y'],
  ]);
  expect(failures).toEqual([['tap', 'why']]);
});
