// engines: sqlite, postgres
import { expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { collectionHandlers } from '../../../src/kit/rest/collection-handlers.ts';
import { createExamples } from '../../../src/kit/rest/example-records.ts';
import type { HandlerParts } from '../../../src/kit/rest/handler.ts';
import { collection, records, type StoreOf } from '../../../src/kit/store/table-declarations.ts';
import { useTables } from '../../support/table-server.ts';

type Named = { readonly id: number; readonly name: string };
type Ship = Named & { readonly portId: number };
const tables = {
  ships: collection<Ship>({
    portId: { type: 'integer', references: { table: 'ports', onDelete: 'restrict' } },
    name: 'text',
  }),
  ports: collection<Named>({ name: 'text' }),
  crews: collection<Named>({ name: 'text' }),
  docks: collection<Named>({ name: 'text' }),
  tides: collection<Named>({ name: 'text' }),
  // Of no operation.
  wrecks: collection<Named>({ name: 'text' }),
  // Not of REST, whatever the contract shows.
  moons: records<Named>({ name: 'text' }),
};

const listOf = (name: string, example?: unknown) => ({
  [`/${name}`]: {
    get: {
      operationId: name,
      responses: {
        200: {
          description: 'All of them.',
          content: {
            'application/json': {
              schema: { type: 'array' },
              ...(example !== undefined && { example }),
            },
          },
        },
      },
    },
  },
});
const openapi = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Harbour', version: '1' },
  paths: {
    ...listOf('ships', [{ id: 9, name: 'Pequod', portId: 1 }]),
    ...listOf('ports', [{ id: 3, name: 'Nantucket' }]),
    ...listOf('crews', [{ id: 1, name: 'Deck' }]),
    ...listOf('docks'),
    ...listOf('tides', { id: 1, name: 'no list' }),
    ...listOf('moons', [{ id: 1, name: 'Luna' }]),
  },
});

const { send, faults } = useTables({
  openapi,
  tables,
  handlers: ({ store }: HandlerParts<StoreOf<typeof tables>>) => ({
    ships: collectionHandlers('/ships', store.ships).list,
    ports: collectionHandlers('/ports', store.ports).list,
    crews: collectionHandlers('/crews', store.crews).list,
    docks: collectionHandlers('/docks', store.docks).list,
    tides: collectionHandlers('/tides', store.tides).list,
    moons: async () => ({ status: 200, body: await store.moons.page({ limit: 9 }) }),
  }),
  demo: async (store, contract) => {
    await store.crews.create({ name: 'Own' });
    await createExamples(contract, tables, store);
  },
});

it('a demo creates in each empty collection what the contract shows of it, parents first', async () => {
  const listed = async (path: string) => (await send('GET', path)).json;
  expect(await listed('/ports')).toEqual([{ id: 1, name: 'Nantucket' }]);
  expect(await listed('/ships')).toEqual([{ id: 1, name: 'Pequod', portId: 1 }]);
  expect(await listed('/crews')).toEqual([{ id: 1, name: 'Own' }]);
  expect(await listed('/docks')).toEqual([]);
  expect(await listed('/tides')).toEqual([]);
  expect(await listed('/moons')).toEqual([]);
  expect(faults()).toEqual([]);
});

it('examples are created one after another, and a failure of one is told', async () => {
  const contract = await parseContract(openapi);
  async function createdUntil(full: string) {
    const done: string[] = [];
    const create = async (name: string) => {
      await new Promise(setImmediate);
      if (name === full) throw new Error('the disk is full');
      done.push(name);
    };
    const names = Object.keys(tables);
    const store = Object.fromEntries(
      names.map((name) => [name, { page: async () => [], create: () => create(name) }]),
    );
    // As much of a store as is used.
    const given = store as unknown as StoreOf<typeof tables>;
    const fault = await createExamples(contract, tables, given).catch((error) => error.message);
    return { done, fault };
  }
  expect(await createdUntil('')).toEqual({ done: ['ports', 'ships', 'crews'], fault: undefined });
  expect(await createdUntil('ships')).toEqual({ done: ['ports'], fault: 'the disk is full' });
});
