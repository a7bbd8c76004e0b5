// engines: sqlite, postgres
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fromJson, whole } from '../../../src/kit/json-text.ts';
import { parts } from '../../../src/kit/store/collection-piece.ts';
import { collection } from '../../../src/kit/store/table-declarations.ts';
import { isMissing, needPostgres } from '../../support/engine.ts';
import { recordTables } from '../../support/recorded-tables.ts';
import { openTables, type TableStore } from '../../support/table-store.ts';

type Short = { readonly id: number; readonly name: string };
type Long = { readonly id: number; readonly body: string; readonly note: string | null };
const tables = {
  short: collection<Short>({ name: 'text' }, { filter: ['name'], sort: ['name'] }),
  long: collection<Long>({ body: 'long text', note: 'long text | null' }),
  single: collection<{ id: number; body: string }>({ body: 'long text' }),
};
const COUNT = 2500;

needPostgres();
let open: TableStore<typeof tables>;
let statements = 0;
beforeAll(async () => {
  if (isMissing()) return;
  open = await openTables(tables, { onStatement: () => statements++ });
  const { short, long, single } = open.store;
  const names = Array.from(
    { length: COUNT },
    (_, i) => `name ${String(COUNT - i).padStart(4, '0')}`,
  );
  await Promise.all(names.map((name) => short.create({ name })));
  // 65,536 bytes, and one more.
  await long.create({ body: 'é'.repeat(15_000), note: null });
  await long.create({ body: 'x'.repeat(35_000), note: 'x'.repeat(536) });
  await long.create({ body: 'x', note: null });
  await single.create({ body: 'x'.repeat(40_000) });
  await single.create({ body: 'x'.repeat(25_537) });
});
afterAll(() => open?.close());
beforeEach(() => {
  statements = 0;
});

describe('a list without a limit', () => {
  it.each([{}, { sort: [{ field: 'name' }] }, { where: { name: { contains: 'name' } } }] as const)(
    'is streamed in pieces of 100 and then 1,000 records, each read by a statement: %j',
    async (question) => {
      const { body, next } = await open.store.short.list(question);
      expect([typeof body, next]).toEqual(['object', undefined]);
      const lengths: number[] = [];
      let text = '';
      // A piece is a list without its brackets.
      for await (const piece of body) {
        text += piece;
        if (piece !== ']') lengths.push(fromJson<Short[]>(`[${piece.slice(1)}]` as never).length);
      }
      expect(lengths).toEqual([100, 1000, 1000, 400]);
      // SQLite looks for what no index serves in windows.
      const isWalked = 'where' in question && open.url.startsWith('sqlite:');
      if (!isWalked) expect(statements).toBe(4);
      expect(text).toBe(
        await whole((await open.store.short.list({ ...question, limit: COUNT })).body),
      );
    },
  );

  it('is one text where its first piece is all', async () => {
    const { body, next } = await open.store.short.list({ after: COUNT - 100 });
    expect([typeof body, next]).toEqual(['string', undefined]);
    expect(fromJson(await whole(body)).length).toBe(100);
    expect(typeof (await open.store.short.list({ after: COUNT - 101 })).body).toBe('object');
    const { body: none } = await open.store.short.list({ after: COUNT });
    expect(none).toBe('[]');
    const sorted = await open.store.short.list({
      sort: [{ field: 'name' }],
      where: { id: { gt: COUNT - 100 } },
    });
    expect(typeof sorted.body).toBe('string');
  });
});

describe('a page', () => {
  it('that no index serves leaves its place to the next one', async () => {
    const where = { name: { contains: 'name 00' } };
    for (let i = 1; i <= 12; i++) {
      expect((await open.store.short.page({ where, limit: i })).length).toBe(i);
    }
  });

  it('has a next one where there are more records', async () => {
    for (const [name, count] of [
      ['short', COUNT],
      ['long', 3],
    ] as const) {
      const table = open.store[name];
      expect((await table.list({ limit: count })).next).toBeUndefined();
      expect((await table.list({ limit: count - 1 })).next).toBe(count - 1);
      expect((await table.list({ limit: 1, after: count - 1 })).next).toBeUndefined();
    }
  });

  it('of 65,536 bytes of long text is one text, a longer one is streamed', async () => {
    const { long, single } = open.store;
    const two = await long.list({ limit: 2 });
    expect([typeof two.body, two.next]).toEqual(['string', 2]);
    const three = await long.list({ limit: 3 });
    expect([typeof three.body, three.next]).toEqual(['object', undefined]);
    const all = fromJson(await whole(three.body));
    expect(all.map(({ body, note }) => [body.length, note?.length])).toEqual([
      [15_000, undefined],
      [35_000, 536],
      [1, undefined],
    ]);
    expect(typeof (await single.list({ limit: 2 })).body).toBe('object');
    expect(typeof (await single.list({ limit: 1 })).body).toBe('string');
  });

  it('of up to 100 records shares a statement of PostgreSQL with others', async () => {
    if (!open.url.startsWith('postgres')) return;
    const pages = (limit: number) =>
      Promise.all([0, 10, 20].map((after) => open.store.short.list({ after, limit })));
    await pages(100);
    expect(statements).toBe(1);
    await pages(101);
    expect(statements).toBe(4);
  });
});

it.each<[number[], number[][]]>([
  [[], []],
  [[0], [[0]]],
  [[30_000, 35_536], [[30_000, 35_536]]],
  [
    [30_000, 35_537],
    [[30_000], [35_537]],
  ],
  [
    [70_000, 0, 1],
    [[70_000], [0, 1]],
  ],
  [
    [1, 70_000, 65_535, 1, 1],
    [[1], [70_000], [65_535, 1], [1]],
  ],
])('records of %j bytes are read in parts of %j', (sizes, expected) => {
  const sized = sizes.map((bytes, id) => ({ id, bytes }));
  expect(parts(sized).map((part) => part.map(({ bytes }) => bytes))).toEqual(expected);
});

it('SQLite answers at once, and a plain list by one statement for all places and limits', async () => {
  const { store, ran, close } = recordTables(tables);
  await store.short.create({ name: 'a' });
  ran.length = 0;
  const lists = [
    store.short.list({}),
    store.short.list({ after: 7, limit: 9 }),
    store.short.list({ where: {}, sort: [], limit: 101 }),
  ];
  expect(ran.map(({ values }) => values)).toEqual([
    [0, 100],
    [7, 9],
    [0, 101],
  ]);
  expect(new Set(ran.map(({ sql }) => sql)).size).toBe(1);
  const others = [
    store.short.list({ sort: [{ field: 'name' }] }),
    store.short.page({ sort: [{ field: 'name' }], limit: 1 }),
    ...[store.short.find(1), store.short.get(1), store.short.findAll([1])],
  ];
  for (const each of [...lists, ...others]) expect(each).not.toBeInstanceOf(Promise);
  close();
});
