import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFairTurns } from '../../src/kit/fair-turn.ts';
import { withinContext } from '../../src/kit/request-context.ts';
import { checkTime, createSemaphore } from '../../src/kit/semaphore.ts';

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

describe('a place', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const always = Number.POSITIVE_INFINITY;
  const isTaken = async (entering: Promise<unknown>) => {
    let entered = false;
    void entering.then(() => {
      entered = true;
    });
    await setImmediate();
    return entered;
  };

  it('is one of as many as there are, and left once', async () => {
    const enter = createSemaphore(2);
    const leave = await enter(always);
    await enter(always);
    const [third, fourth] = [enter(always), enter(always)];
    expect(await isTaken(third)).toBe(false);
    leave();
    leave();
    expect([await isTaken(third), await isTaken(fourth)]).toEqual([true, false]);
    (await third)();
    expect(await isTaken(fourth)).toBe(true);
  });

  it('is waited for until a time in milliseconds, or without end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const enter = createSemaphore(1, () => new Error('no place'));
    const leave = await enter(always);
    const endless = enter(always);
    const bounded = enter(performance.now() + 60_000);
    const refused = vi.fn();
    bounded.catch(refused);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(refused).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1001);
    expect(refused).toHaveBeenCalledWith(new Error('no place'));
    const later = enter(performance.now() + 60_000);
    leave();
    (await endless)();
    await later;
    // Whoever is inside is refused no more.
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not needed for what was not done in its time', () => {
    vi.spyOn(performance, 'now').mockReturnValue(1000);
    for (const until of [1001, 1000]) expect(() => checkTime(until)).not.toThrow();
    expect(() => checkTime(999)).toThrow('takes too long');
  });
});

describe('turns of the event loop', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** Turns at given times; the pieces of work in them take as long as is said. */
  function createClock() {
    const callbacks: (() => void)[] = [];
    vi.stubGlobal('setImmediate', (callback: () => void) => callbacks.push(callback));
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const wait = createFairTurns();
    let served = 0;
    const ask = () => {
      void wait().then(() => {
        served++;
      });
    };
    const turn = async (at: number, took = 0) => {
      now = at;
      // The callbacks of one turn: what the first resumes has run when the second is called.
      const [resume, measure] = callbacks.splice(0, 2);
      resume?.();
      await Promise.resolve();
      now += took;
      measure?.();
      return served;
    };
    return { ask, turn, scheduled: () => callbacks.length };
  }

  it('are given one by one, and end with the work', async () => {
    const { ask, turn, scheduled } = createClock();
    for (let i = 0; i < 3; i++) ask();
    expect([await turn(0.5), await turn(1), await turn(2)]).toEqual([1, 2, 3]);
    expect(scheduled()).toBe(0);
    ask();
    expect(scheduled()).toBe(2);
    expect(await turn(3)).toBe(4);
    expect(scheduled()).toBe(0);
  });

  it('leave other work as much time as the last piece took', async () => {
    const { ask, turn } = createClock();
    for (let i = 0; i < 3; i++) ask();
    expect(await turn(1000, 10)).toBe(1);
    expect([await turn(1010.5), await turn(1011), await turn(1019)]).toEqual([1, 1, 1]);
    expect(await turn(1020, 20)).toBe(2);
    expect([await turn(1045), await turn(1059), await turn(1060)]).toEqual([2, 2, 3]);
  });

  it('go on at once where there is no other work', async () => {
    const { ask, turn } = createClock();
    for (let i = 0; i < 2; i++) ask();
    expect(await turn(1000, 10)).toBe(1);
    expect(await turn(1010.2)).toBe(1);
    expect(await turn(1010.24)).toBe(2);
  });

  it('wait where the last turn took 50 µs or more', async () => {
    const { ask, turn } = createClock();
    for (let i = 0; i < 2; i++) ask();
    expect(await turn(-10, 10)).toBe(1);
    expect([await turn(0), await turn(0.05), await turn(0.09)]).toEqual([1, 1, 2]);
  });
});
