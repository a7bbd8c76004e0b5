// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, ofRecord, operation, serveCollections } from '../../support/collection-server.ts';
import { text, whole } from '../../support/schemas.ts';

const record = { id: 1, name: 'one' };
const object = (properties: object, others: object = {}) => ({
  type: 'object',
  properties: { id: whole, name: text, ...properties },
  ...others,
});
const one = (schema: object, example: object = record) => ({ schema, example });

/** A collection whose list has another schema than its records. */
const collection = (path: string, schema: object, item = schema, shown: object = record) => ({
  [path]: {
    get: operation(answer(200, { schema: { type: 'array', items: item }, example: [shown] })),
    post: operation(answer(201, one(schema, shown)), true),
  },
  [`${path}/{id}`]: ofRecord({
    get: operation(answer(200, one(schema, shown))),
    put: operation(answer(200, one(schema, shown)), true),
    patch: operation(answer(200, one(schema, shown)), true),
  }),
});

const key = { ...text, readOnly: true };
const inner = { type: 'object', required: ['key'], properties: { key, town: text } };
const place = {
  ...{ type: 'object', required: ['key', 'street'] },
  properties: { key, street: text, in: inner },
};

const paths = {
  ...collection('/loose', object({})),
  ...collection('/low', object({}), object({ id: { ...whole, maximum: 2 } })),
  ...collection('/priced', object({ price: { ...whole, maximum: 5 } }), undefined, {
    ...record,
    price: 3,
  }),
  ...collection('/capped', object({ note: text }, { maxProperties: 2 })),
  ...collection('/dated', object({ made: { ...text, readOnly: true } }), undefined, {
    ...record,
    made: 'then',
  }),
  ...collection('/kept', object({ place, places: { type: 'array', items: place } }), undefined, {
    ...record,
    place: { key: 'k', street: 'shown', in: { key: 'i' } },
    places: [{ key: 'first', street: 'shown' }],
  }),
  ...collection('/placeless', object({ place })),
  // Beside the list there is another one, of which the contract says nothing.
  '/noted': {
    get: operation(
      answer(200, {
        schema: {
          type: 'object',
          properties: { rows: { type: 'array', items: object({}) }, notes: {} },
        },
        example: { rows: [record], notes: [{ a: 1 }] },
      }),
    ),
    post: operation(answer(201, one(object({}))), true),
  },
  '/noted/{id}': ofRecord({ get: operation(answer(200, one(object({})))) }),
};

let server: Awaited<ReturnType<typeof serveCollections>>;
beforeAll(async () => {
  server = await serveCollections(paths);
});
afterAll(() => server.stop());
const ask: typeof server.ask = (...given) => server.ask(...given);

describe('a mocked collection', () => {
  it('answers as the contract does for what can be no id, though a record need not have one', async () => {
    expect((await ask('GET', '/loose/abc')).json).toEqual(record);
    expect((await ask('PUT', '/loose/abc', { name: 'new' })).json).toEqual(record);
    expect((await ask('PATCH', '/loose/abc', { name: 'new' })).json).toEqual(record);
    expect((await ask('GET', '/loose')).json).toEqual([record]);
  });

  it('shows the example of a member that does not fit, also where the member is optional', async () => {
    const fitting = { id: 2, name: 'new', price: 3 };
    expect((await ask('POST', '/priced', { name: 'new', price: 9 })).json).toEqual(fitting);
    expect((await ask('GET', '/priced/2')).json).toEqual(fitting);
  });

  it('does not list a record that its list does not admit', async () => {
    for (const id of [2, 3]) {
      expect((await ask('POST', '/low', { name: 'new' })).json).toEqual({ id, name: 'new' });
    }
    expect((await ask('GET', '/low/3')).json).toEqual({ id: 3, name: 'new' });
    expect((await ask('GET', '/low')).json).toEqual([record, { id: 2, name: 'new' }]);
  });

  it('keeps a part that was sent, with what only the server sets in it', async () => {
    const sent = {
      name: 'new',
      place: { street: 'mine', in: { town: 'mine' } },
      places: [{ street: 'a' }, { street: 'b' }],
    };
    const { json } = await ask('POST', '/kept', sent);
    expect(json).toEqual({
      ...{ id: 2, name: 'new' },
      place: { key: 'k', street: 'mine', in: { key: 'i', town: 'mine' } },
      places: [
        { key: 'first', street: 'a' },
        { key: 'first', street: 'b' },
      ],
    });
    expect((await ask('GET', '/kept/2')).json).toEqual(json);
  });

  it('leaves out a part that lacks what the contract does not show', async () => {
    const made = await ask('POST', '/placeless', { name: 'new', place: { street: 'mine' } });
    expect(made.json).toEqual({ id: 2, name: 'new' });
  });

  it('leaves out what is refused, so that it does not count', async () => {
    const made = await ask('POST', '/capped', { name: 'new', note: 7 });
    expect(made.json).toEqual({ id: 2, name: 'new' });
  });

  it('has what only the server sets, whatever is sent', async () => {
    const sent = { name: 'new', made: 'now' };
    const kept = { id: 2, name: 'new', made: 'then' };
    expect((await ask('POST', '/dated', sent)).json).toEqual(kept);
    expect((await ask('PUT', '/dated/2', sent)).json).toEqual(kept);
    expect((await ask('PATCH', '/dated/2', sent)).json).toEqual(kept);
    expect((await ask('GET', '/dated/2')).json).toEqual(kept);
  });

  it('has its records in the list that the contract describes', async () => {
    const { json } = await ask('POST', '/noted', { name: 'new' });
    expect((await ask('GET', '/noted')).json).toEqual({ rows: [record, json], notes: [{ a: 1 }] });
  });
});
