import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createAnswerBudget,
  type List,
  type ReadPage,
} from '../../../src/kit/graphql/answer-budget.ts';
import type { AnswerCosts } from '../../../src/kit/graphql/limits/check.ts';
import { createSemaphore } from '../../../src/kit/semaphore.ts';

const FOREVER = Number.POSITIVE_INFINITY;
const costs: AnswerCosts = {
  ofList: new Map([
    ['Query.plain', { ofRecord: 1, copies: 1 }],
    ['Query.wide', { ofRecord: 5, copies: 3 }],
  ]),
  copies: 4,
};
const budgetOf = (fields: number, longReads = createSemaphore(1), until = FOREVER) =>
  createAnswerBudget(fields, costs, longReads, until);

/** A list of one page; says how often it was read. */
function listOf(name: string, count: number, characters = 0, rest: Partial<List<number>> = {}) {
  const limits: number[] = [];
  const read: ReadPage<number> = (limit) => {
    limits.push(limit);
    return { records: Array.from({ length: count }, (_, i) => i), more: undefined };
  };
  return { limits, list: { name, read, lengthOf: () => characters, ...rest } };
}

/** The least budget that a list fits in. */
async function costOf(list: List<number>): Promise<number> {
  for (let fields = 0; ; fields++) {
    const budget = budgetOf(fields);
    const isRead = await Promise.try(() => budget.readAll(list)).then(
      () => true,
      () => false,
    );
    if (isRead) return fields;
  }
}

describe('A list costs', () => {
  it.each<[number, string, number, number, boolean]>([
    [0, 'Query.plain', 0, 0, false],
    [3, 'Query.plain', 3, 0, false],
    [15, 'Query.wide', 3, 0, false],
    // One that the document does not name.
    [3, 'Query.other', 3, 0, false],
    // Fifty characters are a field; what is left of them is none.
    [3, 'Query.plain', 3, 16, false],
    [4, 'Query.plain', 3, 17, false],
    [6, 'Query.plain', 3, 50, false],
    // Aliases repeat the text of a record.
    [24, 'Query.wide', 3, 50, false],
    // A list that is read once may be shown wherever an alias repeats it.
    [12, 'Query.plain', 3, 0, true],
    [60, 'Query.wide', 3, 0, true],
    [72, 'Query.wide', 3, 50, true],
  ])(
    '%i fields: %s with %i records of %i characters (shared: %s)',
    async (cost, name, count, characters, isShared) => {
      expect(await costOf(listOf(name, count, characters, { isShared }).list)).toBe(cost);
    },
  );

  it('what those before it left', async () => {
    const budget = budgetOf(10);
    const read = (count: number) => budget.readAll(listOf('Query.plain', count).list);
    expect(read(7)).toHaveLength(7);
    expect(read(3)).toHaveLength(3);
    expect(read(0)).toEqual([]);
    const { limits, list } = listOf('Query.plain', 1);
    expect(() => budget.readAll(list)).toThrow('Answer limit exceeded');
    expect(limits).toEqual([1]);
    // Nothing is read any more.
    expect(() => budget.readAll(list)).toThrow(
      'the lists hold too much for one answer, which takes 10 fields or 500 characters of text',
    );
    expect(limits).toEqual([1]);
  });
});

describe('A list is long', () => {
  it.each([
    ['Query.plain', 1000, 0, 1],
    ['Query.wide', 1000, 0, 1],
    ['Query.plain', 1, 50 * 4999, 1],
    ['Query.plain', 1, 50 * 5000, 2],
  ])(
    '%s with %i records of %i characters is read %i times',
    async (name, count, characters, times) => {
      const { limits, list } = listOf(name, count, characters);
      expect(await budgetOf(100_000).readAll(list)).toHaveLength(count);
      expect(limits).toHaveLength(times);
    },
  );

  it('and does not wait for room where it does not fit', () => {
    const { limits, list } = listOf('Query.wide', 1000, 1);
    const full = createSemaphore(0);
    expect(() => budgetOf(5059, full).readAll(list)).toThrow('Answer limit exceeded');
    expect(budgetOf(5060, full).readAll(list)).toBeInstanceOf(Promise);
    expect(limits).toHaveLength(2);
  });

  it('and is read on where its first page takes all that is left', async () => {
    const rest: ReadPage<number> = () => ({ records: [4], more: undefined });
    const read: ReadPage<number> = () => ({ records: [1, 2, 3], more: rest });
    const list = { name: 'Query.plain', read, lengthOf: () => 0 };
    await expect(budgetOf(3).readAll(list)).rejects.toThrow('Answer limit exceeded');
    expect(await budgetOf(4).readAll(list)).toEqual([1, 2, 3, 4]);
  });

  it('and lets other work run between its pages', async () => {
    let pages = 0;
    const from =
      (left: number): ReadPage<number> =>
      () => {
        pages++;
        return { records: [left], more: left > 1 ? from(left - 1) : undefined };
      };
    const list = { name: 'Query.plain', read: from(5), lengthOf: () => 0 };
    const records = budgetOf(10).readAll(list);
    const steps: number[] = [];
    for (let before = pages; pages < 6; before = pages) {
      await turn();
      steps.push(pages - before);
    }
    expect(Math.max(...steps)).toBe(1);
    expect(await records).toEqual([5, 4, 3, 2, 1]);
  });

  it('and leaves its room when the answer is made, which may be told twice', async () => {
    const longReads = createSemaphore(1);
    const first = budgetOf(100_000, longReads);
    const { list } = listOf('Query.plain', 1, 50 * 5000);
    await first.readAll(list);
    // It keeps its room for the other lists of its answer.
    expect(await first.readAll(list)).toHaveLength(1);
    first.close();
    first.close();
    const [second, third] = [budgetOf(100_000, longReads), budgetOf(100_000, longReads)];
    expect(await second.readAll(list)).toHaveLength(1);
    const waiting = Promise.resolve(third.readAll(list));
    second.close();
    expect(await waiting).toHaveLength(1);
  });
});

describe('After its time', () => {
  it('no list is read', () => {
    const late = performance.now() - 1;
    const { limits, list } = listOf('Query.plain', 1);
    expect(() => budgetOf(10, createSemaphore(1), late).readAll(list)).toThrow(
      expect.objectContaining({ code: 'unavailable' }),
    );
    expect(limits).toEqual([]);
    expect(budgetOf(10, createSemaphore(1), performance.now() + 60_000).readAll(list)).toEqual([0]);
  });
});
