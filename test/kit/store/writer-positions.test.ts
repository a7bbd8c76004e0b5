import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type WriterPositions,
  watchWriter,
} from '../../../src/kit/store/postgres/writer-positions.ts';

let position = '';
let watched: WriterPositions | undefined;
const ask = vi.fn(async () => position);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  watched?.stop();
  vi.useRealTimers();
  ask.mockReset().mockImplementation(async () => position);
});

const watch = (bound: number) => {
  watched = watchWriter(bound, ask);
  return watched;
};
/** Lets time pass; what was asked is answered. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it.each([
  [5000, 500],
  [2000, 500],
  [400, 100],
])('the writer is asked often enough for a bound of %i ms: every %i ms', async (bound, every) => {
  watch(bound);
  await pass(every - 1);
  expect(ask).toHaveBeenCalledTimes(0);
  await pass(1);
  expect(ask).toHaveBeenCalledTimes(1);
  await pass(3 * every);
  expect(ask).toHaveBeenCalledTimes(4);
});

it('a replica must be as far as the writer was at the earliest time within the bound', async () => {
  const { least } = watch(2000);
  expect(least()).toBeUndefined();
  position = 'A';
  await pass(500);
  position = 'B';
  await pass(500);
  expect(least()).toBe('A');
  // The first was asked for at 500 ms.
  await pass(1500);
  expect(least()).toBe('A');
  await pass(1);
  expect(least()).toBe('B');
});

it('a position is as old as its question, and one question is asked at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  ask.mockImplementationOnce(() => promise);
  ask.mockRejectedValue(new Error('away'));
  const { least } = watch(2000);
  await pass(1400);
  expect(ask).toHaveBeenCalledTimes(1);
  resolve('A');
  await pass(99);
  expect(ask).toHaveBeenCalledTimes(1);
  await pass(1001);
  // Asked at 500 ms.
  expect(least()).toBe('A');
  await pass(1);
  expect(least()).toBeUndefined();
  expect(ask.mock.calls.length).toBeGreaterThan(2);
});

it('a writer that comes back is known again, and one that is not watched is not asked', async () => {
  ask.mockRejectedValueOnce(new Error('away'));
  const { least, stop } = watch(2000);
  await pass(500);
  expect(least()).toBeUndefined();
  position = 'C';
  await pass(500);
  expect(least()).toBe('C');
  stop();
  await pass(5000);
  expect(ask).toHaveBeenCalledTimes(2);
  expect(least()).toBeUndefined();
});

it('what is too old is kept no longer, though nobody asks for it', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // A text as an object, which can be seen to be gone.
  let given: unknown = Object('A');
  const first = new WeakRef(Object(given));
  watched = watchWriter(2000, async () => given as string);
  await pass(500);
  given = 'B';
  await pass(2500);
  for (let i = 0; i < 20 && first.deref(); i++) {
    await turn();
    collect();
  }
  expect(first.deref()).toBeUndefined();
});
