// engines: sqlite
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../../src/kit/observe/log.ts';
import { startWorkers } from '../../../src/kit/process/workers.ts';

type Fake = EventEmitter & { readonly process: { readonly pid: number; kill(name: string): void } };

const address = 'http://127.0.0.1:7';
let workers: Fake[] = [];
let signals: string[] = [];
let lines: string[] = [];
let pauses: { readonly ms: unknown; end(): void }[] = [];
const log = createLog('info', (line) => lines.push(line));
const faults = () => lines.map((line) => JSON.parse(line)).map(({ msg, cause }) => [msg, cause]);
/** What has happened is known to everybody who waits for it. */
const settled = () => new Promise(setImmediate);

/** A process that does nothing by itself. */
function fakeWorker(): Worker {
  const pid = workers.length + 1;
  const kill = (name: string) => void signals.push(`${name} ${pid}`);
  const worker = Object.assign(new EventEmitter(), { process: { pid, kill } });
  workers.push(worker);
  Object.assign(cluster, { workers: { ...cluster.workers, [pid]: worker } });
  worker.on('exit', () =>
    Object.assign(cluster, { workers: { ...cluster.workers, [pid]: undefined } }),
  );
  return worker as unknown as Worker;
}

const { workers: none } = cluster;
const listeners = cluster.listeners('message');
beforeEach(() => {
  [workers, signals, lines, pauses] = [[], [], [], []];
  Object.assign(cluster, { workers: {} });
  vi.spyOn(cluster, 'fork').mockImplementation(fakeWorker);
  vi.spyOn(timers, 'setTimeout').mockImplementation(
    (ms) => new Promise((resolve) => pauses.push({ ms, end: () => resolve(undefined as never) })),
  );
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  Object.assign(cluster, { workers: none });
  for (const each of cluster.listeners('message').filter((own) => !listeners.includes(own))) {
    cluster.off('message', each as () => void);
  }
});

/** Starts as many as are wanted, each of which says where it serves. */
async function started(count: number) {
  const starting = startWorkers(count, log);
  workers[0]?.emit('message', address);
  await settled();
  for (const each of workers.slice(1)) each.emit('message', address);
  return starting;
}

it('the first process serves before the others start, and all before they are said to', async () => {
  let isStarted = false;
  const starting = startWorkers(3, log).then((all) => {
    isStarted = true;
    return all;
  });
  await settled();
  expect(workers).toHaveLength(1);
  // Messages of the rate limit and the metrics tell no address.
  workers[0]?.emit('message', { say: 'gather', round: 1 });
  await settled();
  expect(workers).toHaveLength(1);
  workers[0]?.emit('message', address);
  await settled();
  expect(workers).toHaveLength(3);
  workers[1]?.emit('message', address);
  await settled();
  expect(isStarted).toBe(false);
  workers[2]?.emit('message', address);
  expect((await starting).url).toBe(address);
  expect(faults()).toEqual([]);
});

it('one process is alone where one is wanted', async () => {
  expect((await started(1)).url).toBe(address);
  expect(workers).toHaveLength(1);
});

it.each([
  [7, null, '7'],
  [null, 'SIGKILL', 'SIGKILL'],
])('a process that ends with %s, %s is replaced at once', async (code, signal, cause) => {
  await started(2);
  workers[1]?.emit('exit', code, signal);
  await settled();
  expect(faults()).toEqual([['Process 2 failed', cause]]);
  expect([workers.length, pauses]).toEqual([3, []]);
  // The new one is replaced as well.
  workers[2]?.emit('message', address);
  await settled();
  workers[2]?.emit('exit', 1, null);
  await settled();
  expect(faults().at(-1)).toEqual(['Process 3 failed', '1']);
  expect(workers).toHaveLength(4);
});

it('a process that cannot be replaced is tried again after a second', async () => {
  await started(2);
  workers[0]?.emit('exit', 1, null);
  await settled();
  workers[2]?.emit('exit', 1, null);
  await settled();
  expect([workers.length, pauses.map(({ ms }) => ms)]).toEqual([3, [1000]]);
  pauses[0]?.end();
  await settled();
  expect(workers).toHaveLength(4);
  expect(faults()).toEqual([
    ['Process 1 failed', '1'],
    ['Process 1 failed', '1'],
  ]);
  workers[3]?.emit('message', address);
  await settled();
  expect([workers.length, pauses.length]).toEqual([4, 1]);
});

it('all are stopped, waited for and not replaced, nor is one that was about to be', async () => {
  const { stop } = await started(2);
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  expect(signals).toEqual(['SIGTERM 1', 'SIGTERM 2']);
  workers[0]?.emit('exit', 0, null);
  await settled();
  expect(isStopped).toBe(false);
  workers[1]?.emit('exit', 0, null);
  await stopping;
  await settled();
  expect(workers).toHaveLength(2);
  expect(faults()).toEqual([]);
});

it('a process that ends before it serves stops the others, and is told once they have ended', async () => {
  const starting = startWorkers(2, log);
  const told = vi.fn();
  starting.catch(told);
  workers[0]?.emit('message', address);
  await settled();
  workers[1]?.emit('exit', 1, null);
  await settled();
  expect(signals).toEqual(['SIGTERM 1']);
  expect(told).not.toHaveBeenCalled();
  workers[0]?.emit('exit', 0, null);
  await expect(starting).rejects.toThrow('a process ended before it served');
  const alone = startWorkers(2, log);
  workers[2]?.emit('exit', 1, null);
  await expect(alone).rejects.toThrow('a process ended before it served');
  expect(workers).toHaveLength(3);
});
