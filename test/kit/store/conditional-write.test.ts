// engines: sqlite, postgres
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/kit/store/store.ts';
import { collection, records } from '../../../src/kit/store/table-declarations.ts';
import { isMissing, needPostgres } from '../../support/engine.ts';
import { openTables, type TableStore } from '../../support/table-store.ts';

type Thing = { readonly id: number; readonly name: string; readonly size: number | null };
type Part = { readonly id: number; readonly thingId: number };
type Code = { readonly id: number; readonly code: string };
const columns = { name: 'text', size: 'integer | null' } as const;
const tables = {
  things: collection<Thing>(columns),
  plain: records<Thing>(columns),
  parts: records<Part>({
    thingId: { type: 'integer', references: { table: 'things', onDelete: 'cascade' } },
  }),
  codes: records<Code>({ code: 'text' }, { unique: ['code'] }),
};

needPostgres();
let open: TableStore<typeof tables>;
beforeAll(async () => {
  if (!isMissing()) open = await openTables(tables);
});
afterAll(() => open?.close());

const fields = { name: 'a', size: 1 };
const other = { name: 'b', size: null };
/** A record of version 2. */
async function second(): Promise<number> {
  const { id } = await open.store.things.create(fields);
  await open.store.things.replace(id, fields);
  return id;
}

describe('a record of version 2', () => {
  const refused: Condition[] = [
    { among: [], notAmong: [] },
    { among: [1], notAmong: [] },
    { among: [1, 3], notAmong: [] },
    { among: undefined, notAmong: [2] },
    { among: undefined, notAmong: [1, 2] },
    { among: [2], notAmong: [2] },
    { among: undefined, notAmong: 'any' },
    { among: [2], notAmong: 'any' },
  ];
  const met: (Condition | undefined)[] = [
    undefined,
    { among: undefined, notAmong: [] },
    { among: [2], notAmong: [] },
    { among: [1, 2, 3], notAmong: [] },
    { among: undefined, notAmong: [1] },
    { among: undefined, notAmong: [1, 3] },
    { among: [2], notAmong: [1] },
  ];

  it.each(refused)('is neither replaced nor removed under %j', async (condition) => {
    const { things } = open.store;
    const id = await second();
    const failed = { code: 'precondition-failed' };
    await expect(things.replace(id, other, condition)).rejects.toMatchObject(failed);
    await expect(things.remove(id, condition)).rejects.toMatchObject(failed);
    expect(await things.get(id)).toMatchObject({
      version: 2,
      json: JSON.stringify({ id, ...fields }),
    });
  });

  it.each(met)('is replaced and removed under %j', async (condition) => {
    const { things } = open.store;
    const id = await second();
    const stored = { id, version: 3, json: JSON.stringify({ id, ...other }) };
    expect(await things.replace(id, other, condition)).toEqual(stored);
    expect(await things.get(id)).toEqual(stored);
    const next = await second();
    expect(await things.remove(next, condition)).toBe(true);
    expect(await things.get(next)).toBeUndefined();
    expect(await things.find(id)).toEqual({ id, ...other });
  });

  it.each([...refused, ...met])('is not made where there is none, under %j', async (condition) => {
    const { things } = open.store;
    expect(await things.replace(999_999, other, condition)).toBeUndefined();
    expect(await things.remove(999_999, condition)).toBe(false);
  });
});

describe('a record without a version', () => {
  it('is updated in the fields that are given', async () => {
    const { plain } = open.store;
    const { id } = await plain.create(fields);
    const neighbour = await plain.create(fields);
    expect(await plain.update(id, {})).toEqual({ id, ...fields });
    expect(await plain.update(id, { name: 'c' })).toEqual({
      id,
      name: 'c',
      size: 1,
    });
    expect(await plain.update(id, { size: null })).toEqual({ id, name: 'c', size: null });
    expect(await plain.update(id, { size: 7, name: 'd' })).toEqual({ id, name: 'd', size: 7 });
    expect(await plain.find(id)).toEqual({ id, name: 'd', size: 7 });
    expect(await plain.find(neighbour.id)).toEqual(neighbour);
    for (const changes of [{}, { name: 'x' }]) {
      expect(await plain.update(999_999, changes)).toBeUndefined();
    }
    expect([await plain.remove(id), await plain.remove(id)]).toEqual([true, false]);
  });

  it('is one of a page after a record, an id or a cursor', async () => {
    const { plain } = open.store;
    const made: Thing[] = [];
    for (let i = 0; i < 4; i++) made.push(await plain.create({ ...fields, size: 4 - i }));
    const [first, , third] = made;
    const rest = made.slice(1, 3);
    for (const after of [first, first?.id, String(first?.id)]) {
      expect(await plain.page({ limit: 2, after })).toEqual(rest);
    }
    expect((await plain.page({ limit: 1 }))[0]?.id).toBeLessThan(first?.id ?? 0);
    expect(await plain.page({ limit: 9, after: third, where: {}, sort: [] })).toEqual(
      made.slice(3),
    );
    expect(await plain.findAll(made.map(({ id }) => id).reverse())).toEqual(made);
  });
});

describe('a table with one rule', () => {
  it('refuses a parent that is not there by name, and uses up no id', async () => {
    const { parts } = open.store;
    const thingId = await second();
    const { id } = await parts.create({ thingId });
    await expect(parts.create({ thingId: 999_999 })).rejects.toMatchObject({
      ...{ code: 'not-found', detail: 'No thing has this id.' },
    });
    expect((await parts.create({ thingId })).id).toBe(id + 1);
  });

  it('refuses a value that another record has, and uses up no id', async () => {
    const { codes } = open.store;
    const { id } = await codes.create({ code: 'a' });
    await expect(codes.create({ code: 'a' })).rejects.toMatchObject({
      ...{ code: 'conflict', detail: undefined },
    });
    expect((await codes.create({ code: 'b' })).id).toBe(id + 1);
    await expect(codes.update(id, { code: 'b' })).rejects.toMatchObject({ code: 'conflict' });
  });
});
