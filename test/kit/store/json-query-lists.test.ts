// engines: sqlite, postgres
import { describe, expect, it } from 'vitest';
import type { JsonAsked, JsonQuery } from '../../../src/kit/store/json-query.ts';
import {
  id,
  large,
  list,
  maker,
  name,
  type Part,
  record,
  size,
  useJson,
} from '../../support/json-tables.ts';

const { json, read, statements, isPostgres } = useJson();

describe('a list in a statement', () => {
  const ids = async (asked: JsonAsked, room = large, members = [id]) =>
    Object(await read([list('things', 0, members)], [asked], room)).things?.map(
      ({ id }: { readonly id: string }) => Number(id),
    );

  it.each<[JsonAsked, number[]]>([
    [{}, [1, 2, 3]],
    [{ first: 2 }, [1, 2]],
    [{ first: 0 }, []],
    [{ first: 9, after: 1 }, [2, 3]],
    [{ after: '2' }, [3]],
    [{ sort: [{ field: 'size' }] }, [3, 1, 2]],
    [{ sort: [{ field: 'size', isDescending: true }], first: 2 }, [2, 1]],
    [{ where: { size: { gt: 0 } }, sort: [{ field: 'size' }] }, [1, 2]],
    [{ where: { name: { eq: 'z' } } }, [3]],
    [{ where: { id: { gt: 1 } } }, [2, 3]],
  ])('that is asked for %j has %j', async (asked, expected) => {
    expect(await ids(asked)).toEqual(expected);
  });

  it.each<[string, JsonAsked]>([
    ['a condition that its order does not serve', { where: { size: { gt: 0 } } }],
    [
      'another condition than its order serves',
      { where: { name: { eq: 'z' } }, sort: [{ field: 'size' }] },
    ],
    ['two fields in its order', { sort: [{ field: 'size' }, { field: 'name' }] }],
  ])('is refused with %s', (_, asked) => {
    expect(() => json().prepare([list('things', 0, [id])], [asked], large)).toThrow(
      expect.objectContaining({
        errors: [{ path: '/query', message: 'asks for more than one statement reads' }],
      }),
    );
  });

  it('may have as many records as there is room for', async () => {
    const [three, two, one] = [3, 2, 1].map((records) => ({ records, bytes: 1_000_000 }));
    expect(await ids({}, three)).toEqual([1, 2, 3]);
    expect(await ids({}, two)).toBeUndefined();
    expect(await ids({ first: 2 }, two)).toEqual([1, 2]);
    expect(await ids({ first: 1 }, one)).toEqual([1]);
    expect(await ids({ after: 2 }, one)).toEqual([3]);
    const tight = { records: 0, bytes: 1_000_000 };
    for (const [asked, room] of [
      [{}, tight],
      [{ first: 3 }, two],
    ] as const) {
      await expect(ids(asked, room)).rejects.toMatchObject({ code: 'invalid-request' });
    }
    // Also where all columns are read, and nothing else is measured.
    const parts = [list('parts', 0, [id, size])];
    expect(Object(await read(parts, [{}], { records: 5, bytes: 0 })).parts.length).toBe(5);
    expect(await read(parts, [{}], { records: 4, bytes: 0 })).toBeUndefined();
    expect(await read(parts, [{ first: 2 }], { records: 4, bytes: 0 })).toEqual({
      parts: [
        { id: '1', size: 3 },
        { id: '2', size: 1 },
      ],
    });
  });

  it('shares the room with the lists beside it and around it', async () => {
    const two = [list('things', 0, [id]), { ...list('parts', 1, [id]), key: 'b' }];
    const room = (records: number) => ({ records, bytes: 1_000_000 });
    expect(await read(two, [{}, {}], room(10))).toBeDefined();
    expect(await read(two, [{}, {}], room(9))).toBeUndefined();
    const inner = [list('things', 0, [id, list('parts', 1, [id], 'thingId')])];
    const asked = [{ first: 2 }, {}];
    expect(await read(inner, asked, room(6))).toEqual({
      things: [
        { id: '1', parts: [{ id: '1' }, { id: '2' }, { id: '3' }] },
        { id: '2', parts: [{ id: '4' }, { id: '5' }] },
      ],
    });
    expect(await read(inner, asked, room(5))).toBeUndefined();
  });

  it.each<[JsonAsked, number[] | undefined, number]>([
    [{}, [3, 1, 2], 3],
    [{}, undefined, 2],
    [{ first: 1 }, [3], 1],
    [{ first: 2, after: 1 }, [1, 2], 2],
    [{ sort: [{ field: 'size' }] }, [1, 2, 3], 3],
    [{ where: { size: { gte: 3 } } }, [3], 3],
    // All children of a parent are looked at where their order is no index.
    [{ sort: [{ field: 'size' }], first: 1 }, [1], 3],
    [{ sort: [{ field: 'size' }], first: 1 }, undefined, 2],
    [{ where: { size: { gte: 3 } }, first: 1 }, [3], 3],
    [{ where: { size: { gte: 3 } }, first: 1 }, undefined, 2],
    [{ where: { size: { gte: 3 } } }, undefined, 2],
    [{ where: { size: { gte: 2 } }, sort: [{ field: 'size' }], first: 1 }, [2], 3],
    [{ where: { size: { gte: 2 } }, sort: [{ field: 'size' }], first: 1 }, undefined, 2],
  ])(
    'of children that is asked for %j has %j in a room for %i',
    async (asked, expected, records) => {
      const query = [record('things', [list('parts', 1, [size], 'thingId')])];
      const room = { records, bytes: 1_000_000 };
      const parts: Part[] | undefined = Object(await read(query, [{ id: 1 }, asked], room)).it
        ?.parts;
      expect(parts?.map(({ size }) => size)).toEqual(expected);
    },
  );
});

describe('text that a statement does not read', () => {
  // name, note, body, at with its Z, mark.
  const unread = [3 + 1 + 16_384 + 22 + 1, 0 + 0 + 0 + 20 + 1, 1 + 0 + 16_385 + 20 + 1] as const;

  it('may have as many bytes in a list as there is room for', async () => {
    const bytes = unread[0] + unread[1] + unread[2];
    const query = [list('things', 0, [id, size])];
    expect(await read(query, [{}], { records: 1000, bytes })).toBeDefined();
    expect(await read(query, [{}], { records: 1000, bytes: bytes - 1 })).toBeUndefined();
    const named = [list('things', 0, [id, name])];
    const rest = bytes - 4;
    expect(await read(named, [{}], { records: 1000, bytes: rest })).toBeDefined();
    expect(await read(named, [{}], { records: 1000, bytes: rest - 1 })).toBeUndefined();
    // Of no more records than are asked for.
    const few = { records: 1000, bytes: unread[0] };
    expect(await read(query, [{ first: 1 }], few)).toBeDefined();
    expect(await read(query, [{ first: 2 }], few)).toBeUndefined();
  });

  it('may have as many in the record that another refers to', async () => {
    const query = [record('things', [maker([id])])];
    const made = { it: { maker: { id: '1' } } };
    // Ann, since an instant of 22 characters.
    expect(await read(query, [{ id: 1 }], { records: 1000, bytes: 25 })).toEqual(made);
    expect(await read(query, [{ id: 1 }], { records: 1000, bytes: 24 })).toBeUndefined();
    expect(await read(query, [{ id: 3 }], { records: 1000, bytes: 2 })).toBeDefined();
    expect(await read(query, [{ id: 3 }], { records: 1000, bytes: 1 })).toBeUndefined();
  });
});

it('records are read together, lists each for itself', async () => {
  if (!isPostgres()) return;
  const count = async (query: JsonQuery) => {
    const prepared = json().prepare(query, [{ id: 1 }, {}], large);
    const readOne = (id: number) => json().read(prepared, [{ id }, {}]);
    const before = statements();
    const together = await Promise.all([1, 2, 3, 4].map(readOne));
    const taken = statements() - before;
    expect(new Set(together).size).toBe(4);
    for (const [i, text] of together.entries()) expect(await readOne(i + 1)).toBe(text);
    return taken;
  };
  expect(await count([record('things', [id, maker([name])])])).toBe(1);
  expect(await count([record('things', [id, list('parts', 1, [id], 'thingId')])])).toBe(4);
});
