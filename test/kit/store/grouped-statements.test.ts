// engines: postgres
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, present } from '../../../src/kit/errors.ts';
import { fromJson } from '../../../src/kit/json-text.ts';
import { columnsOf } from '../../../src/kit/store/columns.ts';
import { groupedInsert, type Prepare } from '../../../src/kit/store/postgres/grouped-statements.ts';
import { inGroups } from '../../../src/kit/store/postgres/turn-groups.ts';
import { collection } from '../../../src/kit/store/table-declarations.ts';
import { isMissing, needPostgres } from '../../support/engine.ts';
import { openTables, type TableStore } from '../../support/table-store.ts';

type Planet = {
  readonly id: number;
  readonly name: string;
  readonly moons: number | null;
  readonly mass: number;
  readonly isGas: boolean;
  readonly $1?: string;
};
const tables = {
  planets: collection<Planet>({
    ...{ name: 'text', moons: 'integer | null', mass: 'number', isGas: 'boolean' },
    $1: 'text?',
  }),
};

needPostgres();
let open: TableStore<typeof tables>;
let statements = 0;
beforeAll(async () => {
  if (!isMissing()) open = await openTables(tables, { onStatement: () => statements++ });
});
afterAll(() => open?.close());
beforeEach(() => {
  statements = 0;
});

// What the text of a list in SQL could be mistaken for.
const names = ['', 'NULL', '{}', '{"a",b}', 'a\\b', '"', "'", ',', '\n', 'é💡', ' x ', '$1'];
const planetOf = (i: number) => ({
  name: `${names[i % names.length]}${i}`,
  moons: i % 3 === 0 ? null : i,
  mass: i / 8,
  isGas: i % 2 === 0,
  ...(i % 5 === 0 && { $1: present(names[i % names.length]) }),
});
const created = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => open.store.planets.create(planetOf(i))));

describe('what is asked of PostgreSQL in one turn of the event loop is few statements', () => {
  it('of creates, each of which is told its own id', async () => {
    // Of 201, 100 at a time.
    const all = await created(201);
    expect(statements).toBe(3);
    expect(new Set(all.map(({ id }) => id)).size).toBe(201);
    for (const [i, { id, json }] of all.entries()) {
      expect(fromJson(json)).toEqual({ id, ...planetOf(i) });
      expect((await open.store.planets.get(id))?.json).toBe(json);
    }
  });

  it('of reads, whether there are such records or not', async () => {
    const ids = (await created(31)).map(({ id }) => id);
    const asked = [...ids, 1_000_000, ...ids, Number.MAX_SAFE_INTEGER];
    statements = 0;
    const found = await Promise.all(asked.map((id) => open.store.planets.get(id)));
    // Of 33 ids, 16 at a time.
    expect(statements).toBe(3);
    expect(found.map((each) => each?.id)).toEqual([...ids, undefined, ...ids, undefined]);
  });

  it('of pages, each from its own place', async () => {
    const ids = (await created(40)).map(({ id }) => id);
    const pageOf = (after: number | undefined, limit: number) =>
      open.store.planets.page({ after: { id: after ?? 0, ...planetOf(0) }, limit });
    statements = 0;
    const pages = await Promise.all(ids.map((id, i) => pageOf(id, (i % 4) + 1)));
    expect(statements).toBe(3);
    for (const [i, page] of pages.entries()) {
      expect(page.map(({ id }) => id)).toEqual(ids.slice(i + 1, i + 2 + (i % 4)));
    }
    const limits = [3, 1, 2];
    const own = await Promise.all(limits.map((limit) => pageOf(ids[0], limit)));
    expect(own.map((page) => page.map(({ id }) => id))).toEqual(
      limits.map((limit) => ids.slice(1, 1 + limit)),
    );
  });
});

it('when the database is away for several they are told so, and none is asked alone', async () => {
  const asked: number[][] = [];
  const away = (numbers: readonly number[]) => {
    asked.push([...numbers]);
    return Promise.reject(new ApiError('unavailable'));
  };
  const ask = inGroups<number, number>({
    ...{ alone: (number) => away([number]), together: away },
    ...{ most: 2, keyOf: (number) => number },
  });
  const outcomes = await Promise.allSettled([1, 2, 1, 3, 4].map(ask));
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  expect(asked).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

describe('where what is asked waits for the statement that is under way', () => {
  function waiting() {
    const statements: ({ asked: readonly number[] } & PromiseWithResolvers<void>)[] = [];
    const answer = async (asked: readonly number[]) => {
      const statement = { asked, ...Promise.withResolvers<void>() };
      statements.push(statement);
      await statement.promise;
      return asked;
    };
    const ask = inGroups<number, number | undefined>({
      ...{ alone: async (number) => (await answer([number]))[0], together: answer },
      ...{ most: 2, keyOf: (number) => number, waits: true },
    });
    return { ask, statements, asked: () => statements.map(({ asked }) => asked) };
  }

  it('it is answered together, over several turns of the event loop', async () => {
    const { ask, statements, asked } = waiting();
    const answers = [ask(1)];
    await endOfTurn();
    for (const number of [2, 3, 4]) {
      answers.push(ask(number));
      await endOfTurn();
    }
    expect(asked()).toEqual([[1]]);
    statements[0]?.resolve();
    await answers[0];
    while (asked().length < 3) await endOfTurn();
    expect(asked()).toEqual([[1], [2, 3], [4]]);
    for (const { resolve } of statements) resolve();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
  });

  it('it does not wait for one that hangs, and one that fails is waited for no more', async () => {
    const { ask, statements, asked } = waiting();
    const first = ask(1);
    await endOfTurn();
    const second = ask(2);
    while (asked().length < 2) await endOfTurn();
    const third = ask(3);
    await endOfTurn();
    expect(asked()).toEqual([[1], [2]]);
    for (const { reject } of statements) reject(new ApiError('unavailable'));
    await expect(first).rejects.toThrow();
    await expect(second).rejects.toThrow();
    while (asked().length < 3) await endOfTurn();
    expect(asked()).toEqual([[1], [2], [3]]);
    statements[2]?.resolve();
    expect(await third).toBe(3);
  });
});

it('creates are told their ids in the order in which they were asked for, however those come back', async () => {
  const columns = columnsOf({ name: 'text' });
  const prepare: Prepare = (_, sql, make) => async () =>
    (sql.includes('unnest') ? [[9], [7], [8]] : [[6]]).map((row) => make(row as never));
  const insert = groupedInsert(prepare, 'planets', columns);
  expect(await Promise.all([insert('a'), insert('b'), insert('a')])).toEqual([7, 8, 9]);
  expect(await insert('a')).toBe(6);
});

it('a create that the database refuses takes no other with it', async () => {
  const wrong = { ...planetOf(1), name: 'a\u0000b' };
  const outcomes = await Promise.allSettled([
    open.store.planets.create(planetOf(0)),
    open.store.planets.create(wrong),
    open.store.planets.create(planetOf(2)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
