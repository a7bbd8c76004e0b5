import { performance } from 'node:perf_hooks';

// A turn of the event loop that brought nothing takes some 10 µs.
const QUIET = 0.05;

/**
 * Lets long pieces of work, such as the pieces of a list, share the event loop with everything else: one piece a
 * turn, and the next when others have had as much time as the last one took, or had nothing to do. libuv accepts
 * one connection a turn, so that pieces that all run in each turn add up for whoever connects.
 */
export function createFairTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
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
    if (waiting.length > 0) schedule();
    else isScheduled = false;
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (!isScheduled) schedule();
    });
}

/** Of this process, which has one event loop. */
export const fairTurn = createFairTurns();
