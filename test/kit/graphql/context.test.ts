import { describe, expect, it } from 'vitest';
import { createAnswerBudget } from '../../../src/kit/graphql/answer-budget.ts';
import { createLists } from '../../../src/kit/graphql/context.ts';
import { createSemaphore, type Semaphore } from '../../../src/kit/semaphore.ts';
import { columnsOf } from '../../../src/kit/store/columns.ts';
import type { ChildPage, ChildRecords, Page, Readable } from '../../../src/kit/store/store.ts';

type Thing = { readonly id: number; readonly parentId: number };

const columns = columnsOf({ parentId: 'integer' });
const listable = { name: 'things', columns, filter: columns, sort: columns };
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** A table in memory, with children of ten parents in turn, that says what it was asked. */
function tableOf(count: number) {
  const records = numbers(count).map((id): Thing => ({ id, parentId: id % 10 }));
  const asked: unknown[] = [];
  const from = (after: unknown) => Number(Object(after).id ?? after ?? 0);
  const textLength = () => 10;
  const readable = {
    ...{ listable, textLength },
    page({ limit, after, where }: Page<Thing>) {
      asked.push({ limit, after: from(after), ...(where && { where }) });
      return records.slice(from(after), from(after) + limit);
    },
    findAll(ids: readonly number[]) {
      asked.push(ids.length);
      return records.filter(({ id }) => ids.includes(id));
    },
  };
  const children: ChildRecords<Thing> = {
    ...{ listable, textLength, field: 'parentId', parentId: ({ parentId }) => parentId },
    ofParents(ids, { after, limit, ...question }: ChildPage<Thing>) {
      asked.push({ ids, ...question });
      const own = records.filter(({ parentId }) => ids.includes(parentId));
      return own.filter(({ id }) => id > from(after)).slice(0, limit);
    },
  };
  // Only what lists read of it.
  return { asked, table: readable as unknown as Readable<Thing>, children };
}

function listsWithin(fields = 1_000_000, longReads: Semaphore = createSemaphore(1)) {
  let budgets = 0;
  const costs = { ofList: new Map(), copies: 1 };
  const lists = createLists(() => {
    budgets++;
    return createAnswerBudget(fields, costs, longReads, Number.POSITIVE_INFINITY);
  });
  return { lists, budgets: () => budgets };
}

const ids = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id);

describe('A list', () => {
  it.each([
    // A list of more than a page is read again from its start, when there is room for it.
    [2500, undefined, [1000, 1000, 1000, 1000]],
    [2000, undefined, [1000, 1000, 1000, 1000]],
    [1000, undefined, [1000, 1000, 1000]],
    [999, undefined, [1000]],
    [2500, 0, []],
    [2500, 1, [1]],
    [2500, 999, [999]],
    [2500, 1000, [1000]],
    [2500, 1001, [1000, 1000, 1]],
    [2500, 2500, [1000, 1000, 1000, 500]],
    [2500, 9999, [1000, 1000, 1000, 1000]],
    [1500, 1200, [1000, 1000, 200]],
    [0, 5, [5]],
  ])('of %i, the first %s, is read in pages of %j', async (count, first, limits) => {
    const { lists } = listsWithin();
    const { table, asked } = tableOf(count);
    const found = await lists.all('Query.things', table, first === undefined ? {} : { first });
    expect(ids(found)).toEqual(numbers(Math.min(count, first ?? count)));
    expect(asked.map((page) => Object(page).limit)).toEqual(limits);
  });

  it('begins after a cursor, and keeps its conditions from page to page', async () => {
    const { lists } = listsWithin();
    const { table, asked } = tableOf(2500);
    const where = { parentId: { gte: 0 } };
    const found = await lists.all('Query.things', table, { after: '300', where });
    expect(ids(found)).toEqual(numbers(2500).slice(300));
    expect(asked.map((page) => Object(page).after)).toEqual([300, 300, 1300, 2300]);
    expect(asked.every((page) => Object(page).where !== undefined)).toBe(true);
    expect(ids(await lists.all('Query.things', tableOf(3).table))).toEqual([1, 2, 3]);
  });

  it('shares its budget with all others of the request', async () => {
    const { lists, budgets } = listsWithin(50);
    const { table, children } = tableOf(20);
    expect(budgets()).toBe(0);
    await lists.all('Query.things', table);
    await lists.children('Thing.things', children, 1);
    expect(() => lists.all('Query.things', table, { first: 20 })).not.toThrow();
    expect(() => lists.all('Query.things', table)).toThrow('Answer limit exceeded');
    expect(budgets()).toBe(1);
  });

  it.each([true, false])(
    'is read no further when its request is over (used before: %s)',
    async (isUsed) => {
      const longReads = createSemaphore(1);
      const { lists } = listsWithin(1_000_000, longReads);
      if (isUsed) await lists.all('Query.things', tableOf(2000).table);
      lists.close();
      const late = Promise.resolve(lists.all('Query.things', tableOf(2000).table));
      await expect(late).rejects.toThrow('the answer is made already');
      const others = listsWithin(1_000_000, longReads).lists;
      expect(await others.all('Query.things', tableOf(2000).table)).toHaveLength(2000);
    },
  );
});

describe('The children of records at one level', () => {
  it('are read together, those of each arguments and each field for themselves', async () => {
    const { lists } = listsWithin();
    const { children, asked } = tableOf(18);
    const args = { first: 9, after: '0' };
    const all = await Promise.all([
      lists.children('A.things', children, 1),
      lists.children('A.things', children, 9),
      lists.children('A.things', children, 77, {}),
      lists.children('A.things', children, 2, args),
      lists.children('A.things', children, 3, { ...args }),
      lists.children('B.things', children, 4),
    ]);
    expect(all.map(ids)).toEqual([[1, 11], [9], [], [2, 12], [3, 13], [4, 14]]);
    expect(asked).toEqual([
      { ids: [1, 9, 77], first: undefined, start: undefined },
      { ids: [2, 3], where: undefined, sort: undefined, first: 9, start: '0' },
      { ids: [4], first: undefined, start: undefined },
    ]);
    // Once for the request.
    expect(ids(await lists.children('A.things', children, 1))).toEqual([1, 11]);
    expect(asked).toHaveLength(3);
  });
});

describe('The parents of records at one level', () => {
  it('are read together, each once, and no more often than they are shown', async () => {
    const { lists } = listsWithin();
    const { table, asked } = tableOf(9);
    const parents = await Promise.all([
      ...[5, 6, 5, 5].map((id) => lists.parent('A.thing', table, id)),
      lists.parent('A.thing', table, null),
      lists.parent('A.thing', table, undefined),
      lists.parent('B.thing', table, 7),
    ]);
    expect(parents.map((each) => each?.id ?? each)).toEqual([5, 6, 5, 5, null, null, 7]);
    expect(asked).toEqual([2, 1]);
    expect((await lists.parent('A.thing', table, 5)).id).toBe(5);
    expect(asked).toEqual([2, 1, 1]);
  });

  it.each([
    [1000, [1000]],
    [1001, [1000, 1000, 1]],
    [2000, [1000, 1000, 1000]],
  ])('are read in pages: %i in %j', async (count, pages) => {
    const { lists } = listsWithin();
    const { table, asked } = tableOf(count);
    const found = await Promise.all(numbers(count).map((id) => lists.parent('A.thing', table, id)));
    expect(ids(found)).toEqual(numbers(count));
    expect(asked).toEqual(pages);
  });

  it('are charged as often as they are shown', async () => {
    const { table } = tableOf(9);
    // A record takes a field, and 50 characters of its text one more.
    const shown = (times: number, fields: number) => {
      const { lists } = listsWithin(fields);
      return Promise.all(numbers(times).map(() => lists.parent('A.thing', table, 5)));
    };
    expect(await shown(4, 1)).toHaveLength(4);
    await expect(shown(5, 1)).rejects.toThrow('Answer limit exceeded');
    expect(await shown(5, 2)).toHaveLength(5);
  });

  it('that were removed meanwhile are not found, and the others are', async () => {
    const { lists } = listsWithin();
    const { table } = tableOf(9);
    const [there, gone] = await Promise.allSettled([
      lists.parent('A.thing', table, 5),
      lists.parent('A.thing', table, 55),
    ]);
    expect(there).toMatchObject({ status: 'fulfilled', value: { id: 5 } });
    expect(gone).toMatchObject({
      reason: { code: 'not-found', detail: 'The record that this refers to was removed.' },
    });
  });
});
