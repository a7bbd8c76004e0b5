import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Question } from '../../../src/kit/store/store.ts';
import { collection } from '../../../src/kit/store/table-declarations.ts';
import { planOf, recordTables } from '../../support/recorded-tables.ts';

type Thing = {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly kind: 'few' | 'many' | 'rest';
  readonly body: string;
};
const fields = ['name', 'size', 'kind'] as const;
const tables = {
  things: collection<Thing>(
    { name: 'text', size: 'integer', kind: 'enum', body: 'long text' },
    { filter: [...fields, 'body'], sort: fields },
  ),
  short: collection<Thing>(
    { name: 'text', size: 'integer', kind: 'enum', body: 'text' },
    { filter: fields, sort: fields },
  ),
};

const COUNT = 6000;
const { store, database, ran, scans, close } = recordTables(tables);
afterAll(close);
for (const table of Object.keys(tables)) {
  // The sizes are the ids the other way round.
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})
    INSERT INTO ${table} (name, size, kind, body)
    SELECT 'name ' || i, ${COUNT} - i, iif(i < 2000, 'few', iif(i < 4000, 'many', 'rest')), 'x' FROM n`);
}
beforeEach(() => {
  ran.length = 0;
  Object.assign(scans, { entered: 0, left: 0 });
});

const bySize = [{ field: 'size' }] as const;
const read = async (question: Question<Thing>, limit: number, after?: Thing) => {
  const page = await store.things.page({ ...question, limit, after });
  return page.map(({ id }) => id);
};
/** Of the windows that were read: how many records each looks at. */
const windows = () =>
  ran.flatMap(({ sql, values }) => (sql.includes('CASE WHEN') ? [Number(values[0])] : []));
const counts = () => ran.filter(({ sql }) => sql.startsWith('SELECT count(*)')).length;
const idsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, i) => first - i);

describe('on SQLite a list with a condition that its order does not serve', () => {
  it('is found by the index of the condition where fewer than 2,000 records meet it', async () => {
    const question = { where: { kind: { eq: 'few' } }, sort: bySize } as const;
    expect(await read(question, 3)).toEqual([1999, 1998, 1997]);
    expect([counts(), windows()]).toEqual([1, []]);
    const list = ran.find(({ sql }) => sql.includes('ORDER BY'));
    expect(list && planOf(database, list)).toEqual([
      'SEARCH things USING INDEX things_by_kind (kind=?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ]);
  });

  it('is walked in windows that grow to 2,000 records where 2,000 or more do', async () => {
    const question = { where: { kind: { eq: 'many' } }, sort: bySize } as const;
    expect(await read(question, 5000)).toEqual(idsFrom(3999, 2000));
    expect(counts()).toBe(1);
    expect(windows()).toEqual([100, 200, 400, 800, 1600, 2000, 2000]);
    expect(scans).toEqual({ entered: 1, left: 1 });
  });

  it('is walked no further than it needs', async () => {
    const question = { where: { name: { contains: '9' } }, sort: [{ field: 'id' }] } as const;
    // 19 of the first 100 names have a 9; one more tells that there is a next page.
    expect((await read(question, 18)).length).toBe(18);
    expect(windows()).toEqual([100]);
    ran.length = 0;
    expect((await read(question, 19)).at(-1)).toBe(99);
    expect(windows()).toEqual([100, 200]);
    expect(scans).toEqual({ entered: 0, left: 0 });
  });

  it('takes turns with others from the first window of 2,000 records on', async () => {
    const question = (part: string) =>
      ({ where: { name: { contains: part } }, sort: [{ field: 'id' }] }) as const;
    // The windows before have 3,100 records.
    expect((await read(question('name 309'), 10)).at(-1)).toBe(3098);
    expect(scans).toEqual({ entered: 0, left: 0 });
    expect(await read(question('name 310'), 2)).toEqual([310, 3100]);
    expect(scans).toEqual({ entered: 1, left: 1 });
  });

  it('goes on after a record', async () => {
    const question = { where: { name: { contains: '99' } }, sort: bySize } as const;
    const first = await store.things.page({ ...question, limit: 25 });
    const whole = await read(question, COUNT);
    const rest = await read(question, COUNT, first.at(-1));
    expect([...first.map(({ id }) => id), ...rest]).toEqual(whole);
    expect(whole).toEqual(idsFrom(COUNT, COUNT).filter((id) => `${id}`.includes('99')));
  });

  it('ends with its last window', async () => {
    const question = {
      where: { name: { contains: 'nobody' }, size: { lt: 300 } },
      sort: bySize,
    } as const;
    expect(await read(question, 5)).toEqual([]);
    // The third has none of 300 records any more.
    expect(windows()).toEqual([100, 200, 400]);
    ran.length = 0;
    expect(await read({ ...question, where: { ...question.where, size: { lt: 299 } } }, 5)).toEqual(
      [],
    );
    expect(windows()).toEqual([100, 200]);
  });

  it('meets all conditions, those that the order serves too', async () => {
    const where = {
      size: { gte: 2010, lt: 4000 },
      kind: { eq: 'many' },
      name: { contains: '0' },
    } as const;
    const expected = idsFrom(3990, 1990).filter((id) => `${id}`.includes('0'));
    expect(await read({ where, sort: bySize }, COUNT)).toEqual(expected);
  });

  it.each<[string, Question<Thing>['where'], number]>([
    ['part of a text', { name: { contains: 'e' } }, 0],
    ['long text', { body: { eq: 'x' } }, 0],
    ['another, and part of a text before', { name: { contains: 'e' }, kind: { eq: 'few' } }, 1],
    ['others, until one is met by few', { kind: { eq: 'many' }, name: { eq: 'name 1' } }, 2],
  ])('is not counted where it is %s', async (_, where, expected) => {
    await read({ where, sort: bySize }, 1);
    expect(counts()).toBe(expected);
    const isWalked = !(where && 'name' in where && 'kind' in where);
    expect(windows().length > 0).toBe(isWalked);
  });

  it('needs no count and no window where its order serves it', async () => {
    await read({ where: { size: { lt: 10 } }, sort: bySize }, 5);
    await read({ where: { kind: { eq: 'many' } } }, 5);
    expect([counts(), windows(), scans.entered]).toEqual([0, [], 0]);
  });

  it('is given up when its time is over, and leaves its place', async () => {
    const late = recordTables(tables, { listTimeout: -1 });
    const names = 'name, size, kind, body';
    late.database.exec(
      `INSERT INTO short (${names}) VALUES ('a', 1, 'few', ''), ('b', 2, 'few', '')`,
    );
    const { page } = late.store.short;
    await expect(
      (async () => page({ where: { name: { contains: 'a' } }, limit: 1 }))(),
    ).rejects.toMatchObject({ code: 'unavailable' });
    expect(late.scans.entered).toBe(late.scans.left);
    // What an index finds is found.
    expect((await page({ where: { kind: { eq: 'few' } }, sort: bySize, limit: 1 })).length).toBe(1);
    expect((await page({ sort: bySize, limit: 1 })).length).toBe(1);
    late.close();
  });

  it('has a next page where there are more, and none where there are not', async () => {
    const where = { name: { contains: 'name 1' } } as const;
    for (const table of [store.things, store.short]) {
      for (const [question, count] of [
        [{ where, sort: bySize }, 1111],
        [{ where: { kind: { eq: 'few' } }, sort: bySize }, 1999],
        [{ sort: bySize }, COUNT],
        [{}, COUNT],
      ] as const) {
        const all = await table.page({ ...question, limit: COUNT + 1 });
        expect(all.length).toBe(count);
        expect((await table.list({ ...question, limit: count })).next).toBeUndefined();
        expect((await table.list({ ...question, limit: count + 1 })).next).toBeUndefined();
        const { next } = await table.list({ ...question, limit: count - 1 });
        expect(next).toBeDefined();
        expect(await table.page({ ...question, limit: 9, after: next })).toEqual(all.slice(-1));
      }
    }
  });
});
