import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { untilSignal } from '../../../src/kit/process/signals.ts';

// No signal that anybody else listens to.
const [ONE, OTHER] = ['SIGUSR2', 'SIGWINCH'] as const;
let now = 0;
let exits: unknown[] = [];

beforeEach(() => {
  exits = [];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(process, 'exit').mockImplementation((code) => exits.push(code) as never);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.removeAllListeners(ONE).removeAllListeners(OTHER);
});

it.each([
  [0, []],
  [200, []],
  [200.5, [1]],
  [5000, [1]],
])('a second signal after %d ms ends the process with %j', async (later, codes) => {
  now = 1000;
  const first = untilSignal([ONE, OTHER]);
  process.emit(ONE, ONE);
  now += later;
  process.emit(OTHER, OTHER);
  expect(await first).toBe(ONE);
  expect(exits).toEqual(codes);
});
