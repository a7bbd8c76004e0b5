import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFairTurns } from '../../src/kit/fair-turn.ts';
import { withinContext } from '../../src/kit/request-context.ts';
import { createSemaphore } from '../../src/kit/semaphore.ts';

/** Waits for a place as a client, three times as one and then once as another; the order of those who got one. */
async function order(wait: () => Promise<unknown>, leave: () => void): Promise<string[]> {
  const served: string[] = [];
  const ask = (client: string) =>
    new Promise<void>((resolve) => {
      withinContext({ client, reading: undefined }, async () => {
        await wait();
        served.push(client);
        leave();
        resolve();
      });
    });
  await Promise.all(['crowd', 'crowd', 'crowd', 'other'].map(ask));
  return served;
}

describe('places that clients share', () => {
  it('are given to each client in turn, where one has taken them all', async () => {
    const enter = createSemaphore(1);
    let leave = await enter(Number.POSITIVE_INFINITY);
    const asked = order(
      async () => {
        leave = await enter(Number.POSITIVE_INFINITY);
      },
      () => leave(),
    );
    await setImmediate();
    leave();
    expect(await asked).toEqual(['crowd', 'other', 'crowd', 'crowd']);
    // All have left: the place is free.
    (await enter(Number.POSITIVE_INFINITY))();
  });

  it('are refused to one that has waited long, and then given to the next', async () => {
    const enter = createSemaphore(1);
    const leave = await enter(Number.POSITIVE_INFINITY);
    await expect(enter(performance.now() + 1)).rejects.toThrow('takes too long');
    const next = enter(Number.POSITIVE_INFINITY);
    leave();
    (await next)();
  });

  it('are turns of the event loop, too', async () => {
    const served = await order(createFairTurns(), () => {});
    expect(served).toEqual(['crowd', 'other', 'crowd', 'crowd']);
  });
});
