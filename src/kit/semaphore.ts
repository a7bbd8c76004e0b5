import { performance } from 'node:perf_hooks';
import { createClientQueue } from './client-queue.ts';
import { ApiError } from './errors.ts';
import { currentClient } from './request-context.ts';

/**
 * Resolves when there is room, to a function that leaves; calling that again has no effect. Who waits until
 * `performance.now()` is `until` is refused.
 */
export type Semaphore = (until: number) => Promise<() => void>;

/** Lets `most` in at a time; of the others the clients take turns. */
export function createSemaphore(most: number, refusal: () => Error = tooLate): Semaphore {
  const waiting = createClientQueue<() => void>();
  let inside = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  }

  function wait(until: number): Promise<void> {
    const client = currentClient();
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        waiting.remove(client, enter);
        reject(refusal());
      };
      const isBounded = Number.isFinite(until);
      const timer = isBounded ? setTimeout(giveUp, until - performance.now()) : undefined;
      waiting.push(client, enter);
    });
  }

  return async (until) => {
    if (inside < most) inside++;
    else await wait(until);
    let isInside = true;
    return () => {
      if (isInside) leave();
      isInside = false;
    };
  };
}

/** Refuses what was not done in its time. */
export function checkTime(until: number): void {
  if (performance.now() > until) throw tooLate();
}

function tooLate(): ApiError {
  return new ApiError('unavailable', {
    detail:
      'The list takes too long to read. Nothing was changed; try again later, or ask for less.',
    cause: new Error('LIST_TIMEOUT'),
  });
}
