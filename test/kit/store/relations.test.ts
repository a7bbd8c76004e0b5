// engines: sqlite, postgres
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, present } from '../../../src/kit/errors.ts';
import { fromJson, whole } from '../../../src/kit/json-text.ts';
import { brokenReferenceOf } from '../../../src/kit/store/relations.ts';
import { collection, records } from '../../../src/kit/store/table-declarations.ts';
import { ENOUGH_CONNECTIONS, isMissing, needPostgres } from '../../support/engine.ts';
import { openTables, type TableStore } from '../../support/table-store.ts';

type Owner = { readonly id: number; readonly name: string };
type House = {
  readonly id: number;
  readonly ownerId: number;
  readonly tenantId: number | null;
  readonly address: string;
};
type Room = { readonly id: number; readonly houseId: number; readonly name: string };
type Guest = { readonly id: number; readonly roomId: number };
type Node = { readonly id: number; readonly parentId: number | null };

const refersTo = (table: string, onDelete: 'restrict' | 'cascade') =>
  ({ type: 'integer', references: { table, onDelete } }) as const;

const tables = {
  // A table may stand before the one that it refers to.
  houses: collection<House>(
    {
      ownerId: refersTo('owners', 'restrict'),
      tenantId: { ...refersTo('owners', 'restrict'), type: 'integer | null' },
      address: 'text',
    },
    { unique: ['address'] },
  ),
  owners: collection<Owner>({ name: 'text' }),
  rooms: records<Room>({ houseId: refersTo('houses', 'cascade'), name: 'text' }),
  guests: records<Guest>({ roomId: refersTo('rooms', 'restrict') }),
  nodes: records<Node>({ parentId: { ...refersTo('nodes', 'cascade'), type: 'integer | null' } }),
};

needPostgres();
let open: TableStore<typeof tables>;
beforeAll(async () => {
  if (!isMissing()) open = await openTables(tables, { poolSize: ENOUGH_CONNECTIONS });
});
afterAll(() => open?.close());

let count = 0;
const newOwner = async () => (await open.store.owners.create({ name: 'x' })).id;
const address = () => `address ${count++}`;
const newHouse = async (ownerId: number) =>
  (await open.store.houses.create({ ownerId, tenantId: null, address: address() })).id;

/** The error of a write, and the relation that it is about. */
async function refusal(writing: Promise<unknown>) {
  const error = await writing.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof ApiError)) throw error ?? new Error('the write was not refused');
  return { code: error.code, detail: error.detail, ...brokenReferenceOf(error) };
}

describe('a record that refers to one that is not there', () => {
  const unknown = { code: 'not-found', kind: 'unknown', table: 'houses' };
  const noOwner = { ...unknown, field: 'ownerId', detail: 'No owner has this id.' };
  const noTenant = { ...unknown, field: 'tenantId', detail: 'No tenant has this id.' };

  it('is refused by the name of the relation, and uses up no id', async () => {
    const { houses } = open.store;
    const ownerId = await newOwner();
    const before = await newHouse(ownerId);
    const create = (ownerId: number, tenantId: number | null) =>
      refusal(houses.create({ ownerId, tenantId, address: address() }));
    expect(await create(999_999, null)).toEqual(noOwner);
    expect(await create(ownerId, 999_999)).toEqual(noTenant);
    expect(await create(999_999, 999_999)).toEqual(noOwner);
    expect(await newHouse(ownerId)).toBe(before + 1);
  });

  it('is refused when it is replaced or updated', async () => {
    const { houses, rooms } = open.store;
    const ownerId = await newOwner();
    const id = await newHouse(ownerId);
    const fields = { ownerId, tenantId: 999_999, address: address() };
    expect(await refusal(houses.replace(id, fields))).toEqual(noTenant);
    expect((await houses.get(id))?.version).toBe(1);
    const room = await rooms.create({ houseId: id, name: 'x' });
    expect(await refusal(rooms.update(room.id, { houseId: 999_999 }))).toMatchObject({
      table: 'rooms',
      field: 'houseId',
    });
    expect(await rooms.find(room.id)).toEqual(room);
  });

  it('leaves its idempotency key free, and the writes of the same moment alone', async () => {
    const { houses } = open.store;
    const ownerId = await newOwner();
    const fields = { ownerId, tenantId: 999_999, address: address() };
    const key = { caller: 'me', key: address() };
    const [, refused, , other] = await Promise.allSettled([
      newHouse(ownerId),
      refusal(houses.create(fields, key)),
      newHouse(ownerId),
      refusal(houses.create({ ...fields, tenantId: ownerId, ownerId: 999_999 })),
    ]);
    expect(refused).toMatchObject({ value: noTenant });
    expect(other).toMatchObject({ value: noOwner });
    const made = await houses.create({ ...fields, tenantId: ownerId }, key);
    expect(await houses.create({ ...fields, tenantId: ownerId }, key)).toEqual(made);
    expect(await refusal(houses.create(fields, key))).toMatchObject({ code: 'key-reused' });
  });

  it('is taken where it refers to none, or to itself', async () => {
    const { nodes } = open.store;
    const { id } = await nodes.create({ parentId: null });
    expect(await nodes.update(id, { parentId: id })).toEqual({ id, parentId: id });
    expect(await nodes.remove(id)).toBe(true);
  });
});

describe('a unique field', () => {
  it('is a conflict in a second record, which uses up no id', async () => {
    const { houses } = open.store;
    const ownerId = await newOwner();
    const fields = { ownerId, tenantId: null, address: address() };
    const { id } = await houses.create(fields);
    for (const key of [undefined, { caller: 'me', key: address() }]) {
      expect(await refusal(houses.create(fields, key))).toMatchObject({ code: 'conflict' });
    }
    expect(await newHouse(ownerId)).toBe(id + 1);
    expect(await refusal(houses.replace(id + 1, fields))).toMatchObject({ code: 'conflict' });
    expect((await houses.replace(id, fields))?.version).toBe(2);
  });
});

describe('a record that others refer to', () => {
  it('is not removed where they restrict it', async () => {
    const { owners, houses } = open.store;
    const ownerId = await newOwner();
    const houseId = await newHouse(ownerId);
    const referenced = { code: 'conflict', kind: 'referenced', table: 'houses', field: 'ownerId' };
    expect(await refusal(owners.remove(ownerId))).toMatchObject(referenced);
    const stale = { among: [9], notAmong: [] };
    expect(await refusal(owners.remove(ownerId, stale))).toEqual({
      code: 'precondition-failed',
      detail: undefined,
    });
    expect(await houses.remove(houseId)).toBe(true);
    expect(await owners.remove(ownerId)).toBe(true);
    expect(await owners.remove(ownerId)).toBe(false);
  });

  it('takes them along where that is declared, as far as it goes', async () => {
    const { houses, rooms, nodes } = open.store;
    const ownerId = await newOwner();
    const houseId = await newHouse(ownerId);
    const room = await rooms.create({ houseId, name: 'x' });
    expect(await houses.remove(houseId)).toBe(true);
    expect(await rooms.find(room.id)).toBeUndefined();
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push((await nodes.create({ parentId: ids.at(-1) ?? null })).id);
    }
    await nodes.remove(present(ids[1]));
    expect((await nodes.findAll(ids)).map(({ id }) => id)).toEqual(ids.slice(0, 1));
  });

  it('stays, and so do all of them, where one that would go with it must stay', async () => {
    const { houses, rooms, guests } = open.store;
    const houseId = await newHouse(await newOwner());
    const room = await rooms.create({ houseId, name: 'x' });
    const guest = await guests.create({ roomId: room.id });
    expect(await refusal(houses.remove(houseId))).toMatchObject({ code: 'conflict' });
    expect(await rooms.find(room.id)).toEqual(room);
    await guests.remove(guest.id);
    expect(await houses.remove(houseId)).toBe(true);
  });

  it('tells them, many at a time, by each relation', async () => {
    const { houses, owners } = open.store;
    const [a, b, c] = [await newOwner(), await newOwner(), await newOwner()];
    for (const [ownerId, tenantId] of [
      [a, b],
      [b, null],
      [a, null],
      [c, b],
    ] as const) {
      await houses.create({ ownerId, tenantId, address: address() });
    }
    const owned = await houses.by('ownerId').ofParents([b, a], { limit: 10 });
    expect(owned.map(({ ownerId, tenantId }) => [ownerId, tenantId])).toEqual([
      [a, b],
      [a, null],
      [b, null],
    ]);
    const [first] = owned;
    expect(await houses.by('ownerId').ofParents([b, a], { limit: 1, after: first })).toEqual([
      owned[1],
    ]);
    const rented = await houses.by('tenantId').ofParents([a, b, c], { limit: 10 });
    expect(rented.map(({ ownerId }) => ownerId)).toEqual([a, c]);
    expect(rented.map(houses.by('tenantId').parentId)).toEqual([b, b]);
    expect((await owners.findAll([c, a, 999_999])).map(({ id }) => id)).toEqual([a, c]);
  });
});

it('a write of related records needs one connection', async () => {
  const { store, close } = await openTables(tables, { poolSize: 1 });
  const { owners, houses, rooms } = store;
  const { id: ownerId } = await owners.create({ name: 'x' });
  const fields = { ownerId, tenantId: ownerId, address: 'a' };
  const { id: houseId } = await houses.create(fields, { caller: 'me', key: 'k' });
  expect((await houses.replace(houseId, { ...fields, tenantId: null }))?.version).toBe(2);
  await rooms.create({ houseId, name: 'x' });
  expect(await refusal(owners.remove(ownerId))).toMatchObject({ code: 'conflict' });
  expect(await refusal(houses.create({ ...fields, ownerId: 9 }))).toMatchObject({
    code: 'not-found',
  });
  expect(await houses.remove(houseId)).toBe(true);
  expect(await owners.remove(ownerId)).toBe(true);
  await close();
});

describe('32 writers that add and remove parents and children', () => {
  it('leave no orphan, and meet no error but those that are declared', async () => {
    const { owners, houses, rooms } = open.store;
    const allowed = new Set(['not-found', 'conflict', 'precondition-failed']);
    const counts = new Map<string, number>();
    const owned: number[] = [await newOwner()];
    const built: number[] = [];
    const pick = <T>(all: readonly T[]): T => present(all[Math.floor(Math.random() * all.length)]);
    const steps: (() => Promise<unknown>)[] = [
      async () => owned.push(await newOwner()),
      async () => built.push(await newHouse(pick(owned))),
      async () => built.push(await newHouse(pick(owned))),
      () => owners.remove(pick(owned)),
      async () => {
        const key = { caller: 'me', key: address() };
        const fields = { ownerId: pick(owned), tenantId: pick(owned), address: address() };
        const twice = await Promise.all([houses.create(fields, key), houses.create(fields, key)]);
        expect(twice[0]).toEqual(twice[1]);
        built.push(twice[0].id);
      },
      async () => built.length > 0 && houses.remove(pick(built)),
      async () => built.length > 0 && rooms.create({ houseId: pick(built), name: 'x' }),
      async () => {
        if (built.length === 0) return;
        const fields = { ownerId: pick(owned), tenantId: pick(owned), address: address() };
        await houses.replace(pick(built), fields, { among: [1, 2], notAmong: [] });
      },
    ];
    async function write(): Promise<void> {
      for (let i = 0; i < 60; i++) {
        await pick(steps)().catch((error: unknown) => {
          const isAllowed = error instanceof ApiError && allowed.has(error.code);
          // What is not allowed is told with its cause.
          const code = isAllowed ? error.code : inspect(error);
          counts.set(code, (counts.get(code) ?? 0) + 1);
        });
      }
    }
    await Promise.all(Array.from({ length: 32 }, write));

    expect([...counts.keys()].filter((code) => !allowed.has(code))).toEqual([]);
    expect(counts.get('not-found')).toBeGreaterThan(0);
    expect(counts.get('conflict')).toBeGreaterThan(0);
    const ownerIds = new Set(
      fromJson(await whole((await owners.list({})).body)).map(({ id }) => id),
    );
    const left = fromJson(await whole((await houses.list({})).body));
    for (const { ownerId, tenantId } of left) {
      expect(ownerIds).toContain(ownerId);
      if (tenantId !== null) expect(ownerIds).toContain(tenantId);
    }
    const houseIds = new Set(left.map(({ id }) => id));
    for (const { houseId } of await rooms.page({ limit: 10_000 }))
      expect(houseIds).toContain(houseId);
  });
});
