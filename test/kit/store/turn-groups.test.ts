import { setImmediate as endOfTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import { inGroups } from '../../../src/kit/store/postgres/turn-groups.ts';
import { fakeTimers, realTime } from '../../support/fake-time.ts';

type Statement = { readonly asked: readonly number[] } & PromiseWithResolvers<void>;

/** Questions whose answers are ten times the question, when the test lets the statement be answered. */
function groups(waits: boolean) {
  const statements: Statement[] = [];
  const answer = async (asked: readonly number[]) => {
    const statement = { asked, ...Promise.withResolvers<void>() };
    statements.push(statement);
    await statement.promise;
    return asked.map((number) => number * 10);
  };
  const alone = vi.fn(async (number: number) => Number((await answer([number]))[0]));
  const ask = inGroups<number, number>({
    ...{ alone, together: answer, most: 2, keyOf: (number) => number, waits },
  });
  return {
    ask,
    alone,
    statements,
    asked: () => statements.map(({ asked }) => asked),
    /** Lets statements be answered, and those whom that concerns go on. */
    async answer(...which: readonly number[]) {
      for (const i of which) statements[i]?.resolve();
      for (let i = 0; i < 10; i++) await Promise.resolve();
    },
  };
}

/** More turns of the event loop than a group is waited for. */
async function gathered(): Promise<void> {
  for (let i = 0; i < 5; i++) await endOfTurn();
}

describe('what is asked', () => {
  it('alone is not asked as one of several', async () => {
    const { ask, alone, answer, asked } = groups(false);
    const [one, two, three] = [ask(1), ask(2), ask(3)];
    await endOfTurn();
    expect(asked()).toEqual([[1, 2], [3]]);
    expect(alone.mock.calls).toEqual([[3]]);
    await answer(0, 1);
    expect(await Promise.all([one, two, three])).toEqual([10, 20, 30]);
  });

  it('is asked one by one where several cannot be asked at once', async () => {
    const alone = vi.fn(async (number: number) => number * 10);
    const ask = inGroups<number, number>({ alone, most: 2, keyOf: (number) => number });
    expect(await Promise.all([ask(1), ask(2), ask(3)])).toEqual([10, 20, 30]);
    expect(alone.mock.calls).toEqual([[1], [2], [3]]);
  });

  it('twice in a turn is asked once, and once more in the next', async () => {
    const { ask, answer, asked } = groups(false);
    const both = [ask(1), ask(1)];
    await endOfTurn();
    both.push(ask(1));
    await endOfTurn();
    expect(asked()).toEqual([[1], [1]]);
    await answer(0, 1);
    expect(await Promise.all(both)).toEqual([10, 10, 10]);
  });

  it('does not wait for what is under way, unless it is said to', async () => {
    const { ask, asked } = groups(false);
    void ask(1);
    await endOfTurn();
    void ask(2);
    await endOfTurn();
    expect(asked()).toEqual([[1], [2]]);
  });

  it.each(['conflict', 'invalid-request'] as const)(
    'is asked alone when several fail with %s',
    async (code) => {
      const { ask, alone, statements, answer, asked } = groups(false);
      const both = [ask(1), ask(2)];
      await endOfTurn();
      statements[0]?.reject(new ApiError(code));
      await answer();
      expect(asked()).toEqual([[1, 2], [1], [2]]);
      expect(alone.mock.calls).toEqual([[1], [2]]);
      statements[1]?.reject(new ApiError(code));
      await answer(2);
      await expect(both[0]).rejects.toMatchObject({ code });
      expect(await both[1]).toBe(20);
    },
  );
});

describe('what waits for a statement that is under way', () => {
  beforeEach(fakeTimers);
  afterEach(realTime);

  it('is asked after 20 ms all the same, counted from its own turn', async () => {
    const { ask, answer, asked } = groups(true);
    void ask(1);
    void ask(2);
    await gathered();
    vi.advanceTimersByTime(10);
    void ask(3);
    await gathered();
    vi.advanceTimersByTime(19);
    expect(asked()).toEqual([[1, 2]]);
    vi.advanceTimersByTime(1);
    expect(asked()).toEqual([[1, 2], [3]]);
    // At 30 ms: the next waits for both.
    void ask(4);
    await gathered();
    await answer(0);
    expect(asked()).toHaveLength(2);
    await answer(1);
    await gathered();
    expect(asked()).toEqual([[1, 2], [3], [4]]);
    // The limit of the fourth is no limit of the fifth.
    vi.advanceTimersByTime(10);
    void ask(5);
    await gathered();
    vi.advanceTimersByTime(19);
    expect(asked()).toHaveLength(3);
    vi.advanceTimersByTime(1);
    expect(asked().at(-1)).toEqual([5]);
  });

  it('waits until the last that is under way ends', async () => {
    const { ask, answer, asked } = groups(true);
    void ask(1);
    await gathered();
    void ask(2);
    await gathered();
    vi.advanceTimersByTime(20);
    void ask(3);
    await gathered();
    await answer(0);
    await gathered();
    expect(asked()).toEqual([[1], [2]]);
    await answer(1);
    await gathered();
    expect(asked()).toEqual([[1], [2], [3]]);
  });

  it('is asked together with what comes in the turns after that ends', async () => {
    const { ask, answer, asked } = groups(true);
    void ask(1);
    await gathered();
    void ask(2);
    await gathered();
    await answer(0);
    void ask(3);
    await gathered();
    expect(asked()).toEqual([[1], [2, 3]]);
  });

  it('is asked together with what comes later in the turn in which that ends', async () => {
    const { ask, answer, asked } = groups(true);
    void ask(1);
    await gathered();
    void ask(2);
    await answer(0);
    void ask(3);
    expect(asked()).toEqual([[1]]);
    await gathered();
    expect(asked()).toEqual([[1], [2, 3]]);
  });

  it('leaves no timer behind when all are answered', async () => {
    const { ask, answer } = groups(true);
    void ask(1);
    await gathered();
    void ask(2);
    await gathered();
    await answer(0);
    await gathered();
    await answer(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
