// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import type { Patched } from '../../../src/kit/rest/patched-input.ts';
import { serveContract } from '../../support/contract-server.ts';
import { text, whole } from '../../support/schemas.ts';

const rest = { id: 7, more: 1, at: 'now', either: 5 };
const record = { ...rest, name: 'a', list: [1] };

const input = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { ...text, maxLength: 3 },
    list: { type: 'array', items: whole },
    none: { type: ['integer', 'null'] },
    either: { type: ['integer', 'null'], default: 1 },
  },
};
const branched = {
  ...{ type: 'object', properties: { name: text, b: {} }, unevaluatedProperties: false },
  if: { properties: { name: { const: 'if' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['b'] },
};
const shown = {
  type: 'object',
  properties: { id: { ...whole, readOnly: true }, name: text, at: { ...text, readOnly: false } },
};
const content = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const body = (schema: unknown) => ({ requestBody: { required: true, ...content(schema) } });
const done = { 200: { description: 'Done.', content: { 'application/json': {} } } };
const operation = (operationId: string, more: object) => ({
  operationId,
  responses: done,
  ...more,
});
const patches = (name: string, more: object = {}) => ({
  parameters: [{ name: 'id', in: 'path', required: true, schema: whole }],
  patch: operation(name, {
    requestBody: { required: true, content: { 'application/merge-patch+json': {} } },
    ...more,
  }),
});
const contract = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Patches', version: '1' },
  paths: {
    '/puts/{id}': {
      ...patches('puts'),
      put: operation('put', body({ ...input, additionalProperties: false })),
    },
    '/puts': { post: operation('unused', body({ type: 'object', required: ['never'] })) },
    '/posts/{id}': patches('posts'),
    '/posts': { post: operation('post', body(input)), put: operation('all', body({ not: {} })) },
    '/branches/{id}': { ...patches('branches'), put: operation('branch', body(branched)) },
    '/replies/{id}': patches('replies', {
      responses: { 200: { description: 'It.', ...content(shown) } },
    }),
    '/open/{id}': patches('open'),
    '/unique/{id}': {
      ...patches('unique'),
      put: operation('uniqueOne', body({ properties: { list: { uniqueItems: true } } })),
    },
    '/trees/{id}': {
      ...patches('trees'),
      put: operation('tree', body({ $ref: '#/components/schemas/Tree' })),
    },
  },
  components: {
    schemas: {
      // In one level what is in `a` is judged three times.
      Tree: {
        properties: { a: { $ref: '#/components/schemas/Tree' } },
        anyOf: [
          { properties: { a: { $ref: '#/components/schemas/Tree' } }, required: ['b'] },
          { properties: { a: { $ref: '#/components/schemas/Tree' } } },
        ],
      },
    },
  },
});
const patched = ({ body: patch }: { readonly body: unknown }, context: { patched: Patched }) => ({
  status: 200,
  body: context.patched(record, patch),
});
const nothing = () => ({ status: 200, body: null });
const server = await serveContract(contract, {
  ...{ puts: patched, posts: patched, branches: patched, replies: patched, open: patched },
  ...{ trees: patched, unique: patched, uniqueOne: nothing },
  ...{ put: nothing, unused: nothing, post: nothing, all: nothing, branch: nothing },
  tree: nothing,
});
afterAll(() => server.stop());

async function send(path: string, patch: unknown) {
  const response = await fetch(`${server.url}/${path}/7`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify(patch),
  });
  const json = Object(await response.json());
  return response.status === 200 ? json : json.errors;
}
const refused = (...faults: [path: string, message: string][]) =>
  faults.map(([path, message]) => ({ path: `/body${path}`, message }));

describe('what comes of a merge patch', () => {
  it.each<[string, unknown, unknown]>([
    // The body of PUT; members that it does not have stay.
    ['puts', {}, record],
    ['puts', { name: 'b' }, { ...record, name: 'b' }],
    ['puts', { id: 7, more: 1 }, record],
    ['puts', { id: 8 }, refused(['/id', 'is not a known property'])],
    ['puts', { more: 2 }, refused(['/more', 'is not a known property'])],
    ['puts', { name: null }, refused(['/name', 'is required'])],
    ['puts', { name: 'long' }, refused(['/name', 'must NOT have more than 3 characters'])],
    [
      'puts',
      { list: ['x', 'y'] },
      refused(['/list/0', 'must be integer'], ['/list/1', 'must be integer']),
    ],
    [
      'unique',
      { list: [1, 2, 1] },
      refused(['/list', 'must NOT have duplicate items (items ## 0 and 2 are identical)']),
    ],
    ['puts', { list: null }, { ...rest, name: 'a' }],
    ['puts', { none: 1 }, { ...record, none: 1 }],
    ['puts', { none: null }, record],
    ['puts', { either: null }, { ...record, either: null }],
    ['puts', [], refused(['', 'must be object'])],
    ['puts', 'x', refused(['', 'must be object'])],
    ['puts', null, refused(['', 'must be object'])],
    // The body of POST on the path above.
    ['posts', { name: 'b', id: 8 }, { ...record, name: 'b', id: 8 }],
    ['posts', { name: 7 }, refused(['/name', 'must be string'])],
    // Only faults that say something of their own.
    ['branches', { name: 'b' }, { ...record, name: 'b' }],
    ['branches', { name: 'if' }, refused(['/b', 'is required'])],
    ['branches', { other: 1 }, refused(['/other', 'is not a known property'])],
    // The operation's own reply.
    ['replies', { name: 'b' }, { ...record, name: 'b' }],
    ['replies', { name: 7 }, refused(['/name', 'must be string'])],
    ['replies', { id: 7 }, record],
    ['replies', { id: 8 }, refused(['/id', 'is read-only'])],
    ['replies', { at: 7 }, refused(['/at', 'must be string'])],
    // Nothing at all.
    ['open', { anything: [1], name: null }, { ...rest, list: [1], anything: [1] }],
  ])('of /%s is held to its contract: %j', async (path, patch, expected) => {
    expect(await send(path, patch)).toEqual(expected);
  });

  it('is refused where that would take very many steps', async () => {
    const nested = (times: number) => JSON.parse(`${'{"a":'.repeat(times)}{}${'}'.repeat(times)}`);
    expect(await send('trees', nested(4))).toEqual({ ...record, ...nested(4) });
    expect(await send('trees', nested(15))).toBe(undefined);
  });

  it('is told the first of its faults, where it is large', async () => {
    const faults = async (count: number) =>
      (await send('puts', { list: Array(count).fill({}) })).length;
    expect([await faults(9997), await faults(9998)]).toEqual([20, 1]);
  });
});
