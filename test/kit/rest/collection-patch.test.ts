// engines: sqlite, postgres
import { describe, expect, it } from 'vitest';
import { ApiError, present } from '../../../src/kit/errors.ts';
import { json } from '../../../src/kit/json-text.ts';
import { collectionHandlers } from '../../../src/kit/rest/collection-handlers.ts';
import { patchRecord } from '../../../src/kit/rest/collection-patch.ts';
import type { HandlerParts } from '../../../src/kit/rest/handler.ts';
import type { Collection, Stored } from '../../../src/kit/store/store.ts';
import { collection, type StoreOf } from '../../../src/kit/store/table-declarations.ts';
import { useTables } from '../../support/table-server.ts';

type Named = { readonly id: number; readonly name: string };
const tables = { things: collection<Named>({ name: 'text' }) };
const body = (type: string) =>
  `requestBody: { required: true, content: { ${type}: { schema: { type: object, properties: { id: {}, name: { type: string } } } } } }`;
const responses = `responses: { '200': { description: Done., content: { application/json: {} } }, default: { description: Refused. } }`;
const openapi = `
openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: get, ${responses} }
    put: { operationId: replace, ${body('application/json')}, ${responses} }
    patch: { operationId: patch, ${body('application/merge-patch+json')}, ${responses} }
    delete: { operationId: remove, ${responses} }
`;
const merge = { 'content-type': 'application/merge-patch+json' };

describe('where tokens are verified', () => {
  const { send, faults } = useTables({
    openapi,
    tables,
    handlers: ({ store }: HandlerParts<StoreOf<typeof tables>>) => {
      const { get, replace, patch, remove } = collectionHandlers('/things', store.things);
      return { get, replace, patch, remove };
    },
    demo: async ({ things }) => void (await things.create({ name: 'x' })),
    env: { AUTH_SECRET: 'a secret that only the two of us know' },
  });

  it.each<[string, object | undefined, Record<string, string>]>([
    ['PUT', { name: 'y' }, {}],
    ['PATCH', { name: 'y' }, merge],
    ['DELETE', undefined, {}],
  ])('%s without one changes nothing', async (method, json, headers) => {
    expect((await send(method, '/things/1', json, headers)).status).toBe(401);
    const { status, json: left } = await send('GET', '/things/1');
    expect([status, left]).toEqual([200, { id: 1, name: 'x' }]);
    expect(faults()).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['PUT', {}],
    ['PATCH', merge],
  ])(
    '%s with another id than that of the path is refused all the same',
    async (method, headers) => {
      const { status, json: problem } = await send(
        method,
        '/things/1',
        { id: 2, name: 'y' },
        headers,
      );
      const errors = [{ path: '/body/id', message: 'must be the id in the path' }];
      expect([status, problem.errors]).toEqual([400, errors]);
    },
  );
});

describe('a record that is deleted while it is patched', () => {
  type Things = StoreOf<typeof tables>['things'];
  type Act = (things: Things, id: number) => Promise<unknown>;
  let things: Things | undefined;
  let acts: { readonly before: Act[]; readonly after: Act[] };
  const { send, faults } = useTables({
    openapi,
    tables,
    handlers: ({ store }: HandlerParts<StoreOf<typeof tables>>) => {
      things = store.things;
      const { get, replace, remove } = collectionHandlers('/things', store.things);
      // What others do before and after each time that the record is read.
      const raced: Things = {
        ...store.things,
        async get(id) {
          await acts.before.shift()?.(store.things, id);
          const found = await store.things.get(id);
          await acts.after.shift()?.(store.things, id);
          return found;
        },
      };
      return { get, replace, patch: collectionHandlers('/things', raced).patch, remove };
    },
  });
  const nothing: Act = async () => {};
  const change: Act = (all, id) => all.replace(id, { name: 'z' });
  const remove: Act = (all, id) => all.remove(id);

  it.each<[string, before: Act[], after: Act[]]>([
    ['before it is read', [remove], []],
    ['between read and write', [], [remove]],
    ['after another has changed it', [nothing, remove], [change]],
    ['after another has changed it, between read and write', [], [change, remove]],
  ])('%s is not found, and nothing is written', async (_, before, after) => {
    const { id } = present(await things?.create({ name: 'x' }));
    acts = { before: [...before], after: [...after] };
    const { status, json: problem } = await send('PATCH', `/things/${id}`, { name: 'y' }, merge);
    expect([status, problem.detail]).toEqual([404, 'No record has this id.']);
    // All of it happened.
    expect(acts).toEqual({ before: [], after: [] });
    expect(await things?.page({ limit: 10 })).toEqual([]);
    expect(faults()).toEqual([]);
  });
});

describe('a record that others change before each write', () => {
  /** A collection whose record has a new version each time that it is read. */
  function contended(refusal: (attempt: number) => unknown) {
    const conditions: unknown[] = [];
    let version = 0;
    const stored = (): Stored<Named> => ({
      ...{ id: 1, version: ++version, json: json({ id: 1, name: 'x' }) },
    });
    const records = {
      get: async () => stored(),
      replace: async (_: number, __: object, condition: unknown) => {
        conditions.push(condition);
        const refused = refusal(conditions.length);
        if (refused) throw refused;
        return stored();
      },
      // As much of a collection as is used.
    } as unknown as Collection<Named, object>;
    const patch = () =>
      patchRecord(records, { path: { id: 1 }, headers: {}, body: {} }, () => ({ name: 'y' }));
    return { patch, conditions };
  }
  const overtaken = new ApiError('precondition-failed');

  it('is tried again with what they wrote, 50 times', async () => {
    const { patch, conditions } = contended((attempt) => attempt < 50 && overtaken);
    expect(await patch()).toMatchObject({ id: 1, version: 51 });
    expect(conditions).toEqual(
      Array.from({ length: 50 }, (_, i) => ({ among: [i + 1], notAmong: [] })),
    );
    const never = contended(() => overtaken);
    await expect(never.patch()).rejects.toMatchObject({
      code: 'unavailable',
      cause: 'record 1 changed before each of 50 writes',
    });
    expect(never.conditions).toHaveLength(50);
  });

  it.each([new ApiError('conflict'), new Error('the disk is full')])(
    'is left at %s',
    async (error) => {
      const { patch, conditions } = contended(() => error);
      await expect(patch()).rejects.toBe(error);
      expect(conditions).toHaveLength(1);
    },
  );
});
