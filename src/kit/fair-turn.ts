import { performance } from 'node:perf_hooks';
import { createClientQueue } from './client-queue.ts';
import { currentClient } from './request-context.ts';

// An empty turn of the event loop takes about 10 µs.
const QUIET = 0.05;

/**
 * Runs at most one piece of long work, such as a piece of a list, per turn of the event loop. The next piece runs
 * once other work has had as much time as the last piece took, or there is none; the clients take turns. Otherwise each
 * new connection would wait for one piece of every list, because libuv accepts one connection per turn.
 */
export function createFairTurns(): () => Promise<void> {
  const waiting = createClientQueue<() => void>();
  let isScheduled = false;
  let looked = 0;
  let ended = 0;
  let took = 0;
  let started: number | undefined;

  // Two callbacks of one phase: what the first resumes has run when the second is called.
  function schedule(): void {
    isScheduled = true;
    setImmediate(resumeOne);
    setImmediate(measure);
  }

  function resumeOne(): void {
    const now = performance.now();
    const isQuiet = now - looked < QUIET;
    looked = now;
    if (!isQuiet && now - ended < took) return;
    started = now;
    waiting.shift()?.();
  }

  function measure(): void {
    if (started !== undefined) {
      ended = performance.now();
      took = ended - started;
      started = undefined;
    }
    if (!waiting.isEmpty()) schedule();
    else isScheduled = false;
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(currentClient(), resolve);
      if (!isScheduled) schedule();
    });
}

/** Of this process, which has one event loop. */
export const fairTurn = createFairTurns();
