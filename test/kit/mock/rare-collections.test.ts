// engines: sqlite
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, present } from '../../../src/kit/errors.ts';
import { kindIn } from '../../../src/kit/mock/collection-kind.ts';
import { placesIn } from '../../../src/kit/mock/mock-collections.ts';
import { fitted } from '../../../src/kit/mock/record-fit.ts';
import { answer, ofRecord, operation, serveCollections } from '../../support/collection-server.ts';
import { text, whole } from '../../support/schemas.ts';

const schema = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: whole, name: text },
};
const record = { id: 1, name: 'one' };
const one = { schema, example: record };
const all = { schema: { type: 'array', items: schema }, example: [record] };
const words = { schema: { type: 'array', items: text }, example: ['a'] };
const unmade = { schema: { ...text, pattern: '^(?!a)a$' } };
const under = (type: string, status: number, media: object) => ({
  [status]: { description: 'An answer.', content: { [type]: media } },
});
const inRange = (type: string) => ({
  get: operation(under(type, 200, all)),
  post: operation(under(type, 201, one), true),
});

const depth = { type: ['object', 'integer'], properties: { low: whole, high: whole } };
const deep = { schema: { ...schema, properties: { ...schema.properties, depth } } };
const texted = { schema: { type: 'object', properties: { id: text, name: text } } };
const told = { ...one, example: { ...record, extra: 'shown' } };

const paths = {
  // Known by one operation alone: what the others answer with is no record.
  '/replaced': { get: operation(answer(200, words)) },
  '/replaced/{id}': ofRecord({ put: operation(answer(200, one), true) }),
  '/merged': { get: operation(answer(200, words)) },
  '/merged/{id}': ofRecord({
    put: operation(answer(204, one), true),
    patch: operation(answer(200, one), true),
  }),
  '/listed': { get: operation(answer(200, all)), post: operation(answer(201, one), true) },
  '/listed/{id}': ofRecord({ get: operation(answer(200, unmade)) }),
  // Its path has numbers, its records texts.
  '/texted': { get: operation(answer(200, words)) },
  '/texted/{id}': ofRecord(
    {
      get: operation(answer(200, { ...texted, example: { id: 'a', name: 'one' } })),
      delete: operation(answer(204)),
    },
    ...(['id', 'integer'] as const),
  ),
  // Declared by a range of media types, without a schema, or beside a text.
  '/any': inRange('*/*'),
  '/any/{id}': ofRecord({ get: operation(under('*/*', 200, one)) }),
  '/application': inRange('application/*'),
  '/application/{id}': ofRecord({ get: operation(under('application/*', 200, one)) }),
  '/bare': { post: operation(answer(201, { example: { id: 'a' } }), true) },
  '/bare/{id}': ofRecord({ get: operation(answer(200, { example: { id: 'a' } })) }),
  '/beside': { get: operation(answer(200, all)), post: operation(answer(201, one), true) },
  '/beside/{id}': ofRecord({
    get: operation({
      200: {
        description: 'One.',
        content: { 'application/json': one, 'text/plain': { schema: text, example: 'shown' } },
      },
    }),
  }),
  // Told by a text that it is done.
  '/noted': { get: operation(answer(200, all)) },
  '/noted/{id}': ofRecord({
    get: operation(answer(200, one)),
    put: operation(answer(200, { schema: text, example: 'ok' }), true),
  }),
  // A member that only the example has.
  '/extra': { post: operation(answer(201, told), true) },
  '/extra/{id}': ofRecord({ get: operation(answer(200, told)) }),
  '/deep': { get: operation(answer(200, all)) },
  '/deep/{id}': ofRecord({
    get: operation(answer(200, { ...deep, example: record })),
    patch: operation(answer(200, { ...deep, example: record }), true),
  }),
  '/counted': { get: operation(answer(200, all)), post: operation(answer(201, one), true) },
  '/counted/{id}': ofRecord({
    get: operation(answer(200, { ...one, example: { id: 41, name: 'one' } })),
    delete: operation(answer(204)),
  }),
  // No collections: the path of no record, and answers with two records.
  '/log': { get: operation(answer(200, all)), post: operation(answer(201, one), true) },
  '/log-in': { get: operation(answer(200, one)) },
  '/double': { get: operation(answer(200, words)) },
  '/double/{id}': ofRecord({
    get: operation(
      answer(200, {
        schema: { type: 'object', properties: { a: schema, b: schema } },
        example: { a: record, b: record },
      }),
    ),
    delete: operation(answer(204)),
  }),
};

let server: Awaited<ReturnType<typeof serveCollections>>;
beforeAll(async () => {
  server = await serveCollections(paths);
});
afterAll(() => server.stop());
const ask: typeof server.ask = (...given) => server.ask(...given);

describe('a mocked collection', () => {
  it.each([
    ['PUT', '/replaced/7'],
    ['PATCH', '/merged/7'],
  ])('is known by %s %s alone', async (method, path) => {
    const changed = { id: 7, name: 'new' };
    expect((await ask(method, path, { name: 'new' })).json).toEqual(changed);
    expect((await ask(method, path, {})).json.id).toBe(7);
  });

  it('is known by its list where no record can be made that is read', async () => {
    expect((await ask('POST', '/listed', { name: 'new' })).json).toEqual({ id: 2, name: 'new' });
    expect((await ask('GET', '/listed')).json).toEqual([record, { id: 2, name: 'new' }]);
    expect((await ask('GET', '/listed/2')).status).toBe(500);
  });

  it('has ids that are texts, though its path has numbers', async () => {
    expect((await ask('GET', '/texted/7')).json).toEqual({ id: '7', name: 'one' });
  });

  it.each(['/any', '/application'])('may be declared by a range: %s', async (path) => {
    expect((await ask('POST', path, { name: 'new' })).json).toEqual({ id: 2, name: 'new' });
    expect((await ask('GET', `${path}/2`)).json).toEqual({ id: 2, name: 'new' });
    expect((await ask('GET', path)).json).toHaveLength(2);
  });

  it('may have no schema', async () => {
    const { json } = await ask('POST', '/bare', { any: 1 });
    expect(json).toEqual({ id: expect.any(String), any: 1 });
    expect((await ask('GET', `/bare/${json.id}`)).json).toEqual(json);
  });

  it('answers who wants another type than JSON with the example', async () => {
    await ask('POST', '/beside', { name: 'new' });
    const response = await fetch(`${server.url}/beside/2`, { headers: { accept: 'text/plain' } });
    expect([response.status, await response.text()]).toEqual([200, 'shown']);
    expect((await ask('GET', '/beside/2')).json.name).toBe('new');
  });

  it('keeps what it answers with something else', async () => {
    expect((await ask('PUT', '/noted/9', { name: 'new' })).json).toBe('ok');
    expect((await ask('GET', '/noted/9')).json).toEqual({ id: 9, name: 'new' });
  });

  it('knows a member that only its example has', async () => {
    const { json } = await ask('POST', '/extra', { name: 'new', extra: 'mine', other: 1 });
    expect(json).toEqual({ id: 2, name: 'new', extra: 'mine' });
  });

  it('merges a member that was not there, and one that becomes no object', async () => {
    const patched = async (body: object) => (await ask('PATCH', '/deep/1', body)).json;
    expect(await patched({ depth: { low: 1 } })).toEqual({ ...record, depth: { low: 1 } });
    expect(await patched({ depth: { high: 2 } })).toEqual({
      ...record,
      depth: { low: 1, high: 2 },
    });
    expect(await patched({ depth: 5 })).toEqual({ ...record, depth: 5 });
    expect(await patched({ depth: { low: 3 } })).toEqual({ ...record, depth: { low: 3 } });
  });

  it('counts on from the record of the contract, though that is deleted', async () => {
    expect((await ask('GET', '/counted')).json).toEqual([record, { id: 41, name: 'one' }]);
    expect((await ask('DELETE', '/counted/41')).status).toBe(204);
    expect((await ask('POST', '/counted', { name: 'new' })).json.id).toBe(42);
  });

  it('is none by a name that begins alike, nor by two records', async () => {
    expect((await ask('POST', '/log', { name: 'new' })).json).toEqual(record);
    expect((await ask('GET', '/log')).json).toEqual([record]);
    expect((await ask('GET', '/double/77')).json).toEqual({ a: record, b: record });
  });
});

it('a failure of the mock itself is told, and not taken for a record that cannot be made', () => {
  const own = server.contract.operations.filter(({ path }) => path.startsWith('/any'));
  const [place] = placesIn(own).values();
  const failing = (error: Error) => () =>
    kindIn(
      server.contract,
      () => {
        throw error;
      },
      present(place).collection,
    );
  expect(failing(new ApiError('internal-error'))()).toBeUndefined();
  expect(failing(new TypeError('broken'))).toThrow('broken');
});

describe('a record that does not fit', () => {
  /** Refuses one member after the other, so many times. */
  function refusing(times: number): ValidateFunction {
    let left = times;
    const errors: Partial<ErrorObject>[] = [];
    const validate = () => {
      errors[0] = { instancePath: `/m${left}`, keyword: 'type', params: {} };
      return left-- === 0;
    };
    // As much of a validator as is used.
    return Object.assign(validate, { errors }) as unknown as ValidateFunction;
  }
  const members = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`m${i}`, i]));

  it.each([
    [0, 9],
    [1, 8],
    [5, 4],
    [6, undefined],
  ])('is changed where it is refused %i times', (times, left) => {
    const found = fitted({ id: 1, ...members }, refusing(times), { id: 1 }, 'id');
    expect(found && Object.keys(found).length - 1).toBe(left);
  });
});
