import { syncBuiltinESMExports } from 'node:module';
import type { TimerOptions } from 'node:timers';
import timers, { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';

/** From now on timers wait for `settlesAfter`. */
export function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

/** Whether work whose timer is set is over when so many milliseconds have passed, and not one earlier. */
export async function settlesAfter(ms: number, work: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  work.then(settle, settle);
  vi.advanceTimersByTime(ms - 1);
  await turns(100);
  if (isSettled) return false;
  vi.advanceTimersByTime(1);
  for (let i = 0; i < 1000 && !isSettled; i++) await turns(100);
  return isSettled;
}

/** Turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

/** Resolves as soon as it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

/** Whether it is so within some thousand turns of the event loop. */
export async function soon(isSo: () => boolean): Promise<boolean> {
  for (let i = 0; i < 5000 && !isSo(); i++) await turn();
  return isSo();
}

/** Whether work waits for something else, and is over when that is. */
export async function waitsFor(work: Promise<unknown>, letGo: () => void): Promise<boolean> {
  let isOver = false;
  void work.then(() => {
    isOver = true;
  });
  await turns(100);
  const isWaiting = !isOver;
  letGo();
  await work;
  return isWaiting;
}

/** Makes the waiting of `node:timers/promises` short; for how long each was to wait. */
export function shortSleeps(): number[] {
  const { setTimeout: sleep } = timers;
  return replacedSleeps((value, options) => sleep(1, value, options));
}

/** Makes the waiting of `node:timers/promises` endless; for how long each was to wait. */
export function endlessSleeps(): number[] {
  return replacedSleeps(() => new Promise(() => {}));
}

function replacedSleeps(
  sleep: <T>(value: T | undefined, options: TimerOptions | undefined) => Promise<T>,
): number[] {
  const asked: number[] = [];
  vi.spyOn(timers, 'setTimeout').mockImplementation((ms = 0, value, options) => {
    asked.push(ms);
    return sleep(value, options);
  });
  syncBuiltinESMExports();
  return asked;
}

/** Ends what the functions above began. */
export function realTime(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}
