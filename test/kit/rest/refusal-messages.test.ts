// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';
import { text, whole } from '../../support/schemas.ts';

const a = { properties: { a: whole } };
const schemas: Readonly<Record<string, object>> = {
  closed: { type: 'object', ...a, additionalProperties: false },
  unevaluated: { type: 'object', allOf: [a], unevaluatedProperties: false },
  readOnly: { type: 'object', properties: { a: { ...whole, readOnly: true } } },
  required: { type: 'object', required: ['a'], ...a },
  text: { type: 'object', properties: { t: { ...text, format: 'text' } } },
  nul: { type: 'object', properties: { t: { ...text, pattern: '^[^\\u0000]*$' } } },
  branches: {
    type: 'object',
    if: { required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: ['b'] },
    else: { required: ['c'] },
  },
  least: { type: 'object', properties: { a: { ...whole, minimum: 1 } } },
  patterned: {
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^x': whole },
  },
  many: { type: 'object', properties: { all: { type: 'array', items: whole } } },
};
const parameter = (place: string, name: string, more: object = {}) => ({
  ...{ name, in: place, required: place === 'path', schema: { ...whole, minimum: 1 } },
  ...more,
});
const missing = { 'x-malformed-status': 404 };
const responses = { 200: { description: 'Taken.', content: { 'application/json': {} } } };
const contract = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Refusals', version: '1' },
  paths: {
    ...Object.fromEntries(
      Object.entries(schemas).map(([operationId, schema]) => [
        `/${operationId}`,
        {
          post: {
            operationId,
            requestBody: { required: true, content: { 'application/json': { schema } } },
            responses,
          },
        },
      ]),
    ),
    '/paths/{id}/{id2}/{list}': {
      get: {
        operationId: 'paths',
        parameters: [
          parameter('path', 'id', missing),
          parameter('path', 'id2'),
          parameter('path', 'list', {
            ...missing,
            schema: { type: 'array', items: { ...whole, minimum: 1 } },
          }),
          parameter('query', 'id'),
        ],
        responses,
      },
    },
    '/pairs/{one}/{other}': {
      get: {
        operationId: 'pairs',
        parameters: ['one', 'other'].map((name) => parameter('path', name, { schema: text })),
        responses,
      },
    },
  },
});
const echo = (input: object) => ({ status: 200, body: { ...input } });
const names = [...Object.keys(schemas), 'paths', 'pairs'];
const servers = await Promise.all(
  [true, false].map((fastLane) =>
    serveContract(contract, Object.fromEntries(names.map((id) => [id, echo])), { fastLane }),
  ),
);
afterAll(() => Promise.all(servers.map((server) => server.stop())));

describe.each([
  ['in the lane', servers[0]?.url],
  ['on the full path', servers[1]?.url],
])('%s', (_, url) => {
  async function send(path: string, body?: unknown) {
    const response = await fetch(`${url}${path}`, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    return { status: response.status, json: Object(await response.json()) };
  }

  it.each<[string, unknown, string, string]>([
    ['closed', { x: 1 }, '/body/x', 'is not a known property'],
    ['unevaluated', { x: 1 }, '/body/x', 'is not a known property'],
    ['closed', { a: 1, '': 1 }, '/body/', 'is not a known property'],
    ['readOnly', { a: 1 }, '/body/a', 'is read-only'],
    ['readOnly', { a: null }, '/body/a', 'is read-only'],
    ['required', {}, '/body/a', 'is required'],
    ['text', { t: '\ud800' }, '/body/t', 'must be well-formed Unicode text'],
    ['nul', { t: '\0' }, '/body/t', 'must not contain U+0000'],
    ['branches', { a: 1 }, '/body/b', 'is required'],
    ['branches', {}, '/body/c', 'is required'],
    ['least', { a: 0 }, '/body/a', 'must be >= 1'],
    ['least', [], '/body', 'must be object'],
    ['least', null, '/body', 'must be object'],
  ])('/%s %j is refused in plain words', async (path, body, place, message) => {
    const { status, json } = await send(`/${path}`, body);
    expect([status, json.errors]).toEqual([400, [{ path: place, message }]]);
  });

  it('each member that a pattern admits is admitted', async () => {
    const members = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x${i}`, i]));
    expect((await send('/patterned', members)).json.body).toEqual(members);
    expect((await send('/patterned', { y: 1 })).status).toBe(400);
  });

  it('of a request of 20,000 values each fault is told, of a larger one the first', async () => {
    const faults = async (count: number) =>
      (await send('/many', { all: Array(count).fill([]) })).json.errors.length;
    expect(await faults(19_994)).toBe(20);
    expect(await faults(19_995)).toBe(1);
  });

  it.each([
    ['/paths/1/1/1', 200],
    ['/paths/0/1/1', 404],
    ['/paths/x/1/1', 404],
    ['/paths/1/0/1', 400],
    ['/paths/1/x/1', 400],
    ['/paths/1/1/1,0', 404],
    ['/paths/1/1/x', 404],
    ['/paths/1/1/1?id=0', 400],
  ])('%s is %d: only some faults of a path make it one that is not there', async (path, status) => {
    expect((await send(path)).status).toBe(status);
  });

  it('a path is decoded once', async () => {
    const { json } = await send('/pairs/%2541/%41');
    expect(json.path).toEqual({ one: '%41', other: 'A' });
    expect((await send('/pairs/%/a')).status).toBe(400);
  });
});
