// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';
import { object, text } from '../../support/schemas.ts';

const unique = { type: 'array', uniqueItems: true };
const named = (name: string) => object({ [name]: text }, { required: [name] });
const patterns = { patternProperties: { '^x-': text } };
const many = Array.from({ length: 2000 }, (_, i) => ({ code: i }));

const schemas: Readonly<Record<string, object>> = {
  constant: object({ at: { const: { lat: 1 } } }),
  other: { not: { const: { a: 1 } } },
  either: object({ at: { oneOf: [{ const: { a: 1 } }, { type: 'object' }] } }),
  enum: { enum: [{ a: 1, b: [1, { c: 2 }] }, 1, 'x', [], null, {}] },
  codes: { type: 'array', items: { enum: many } },
  unique,
  closed: object(
    { list: { ...unique, items: { type: 'object' } } },
    { additionalProperties: false },
  ),
  if: {
    ...{ type: 'object', ...patterns },
    if: { properties: { a: { const: 1 } }, required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { b: text } },
  },
  anyOf: { anyOf: [named('a'), named('b')], ...patterns, unevaluatedProperties: false },
  oneOf: { oneOf: [named('a'), named('b')], ...patterns, additionalProperties: true },
};
const odd = { odd: object({ constructor: text }) };

function contractOf(parts: Readonly<Record<string, object>>): string {
  const paths = Object.entries(parts).map(([name, schema]) => [
    `/${name}`,
    {
      post: {
        operationId: name,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { 204: { description: 'ok' } },
      },
    },
  ]);
  const info = { title: 'T', version: '1' };
  return JSON.stringify({ openapi: '3.1.0', info, paths: Object.fromEntries(paths) });
}

const done = () => ({ status: 204, headers: {}, body: undefined });
const serve = (parts: Readonly<Record<string, object>>, fastLane: boolean) =>
  serveContract(
    contractOf(parts),
    Object.fromEntries(Object.keys(parts).map((name) => [name, done])),
    { fastLane },
  );
const servers = await Promise.all([
  serve(schemas, true),
  serve(schemas, false),
  serve({ ...schemas, ...odd }, true),
  serve({ ...schemas, ...odd }, false),
]);
afterAll(() => Promise.all(servers.map((server) => server.stop())));

const notAllowed =
  'must be equal to one of the allowed values: [object Object], 1, x, , , [object Object]';
const duplicate = (a: number, b: number) =>
  `must NOT have duplicate items (items ## ${a} and ${b} are identical)`;

describe.each([
  ['in the lane', servers[0]?.url],
  ['on the full path', servers[1]?.url],
  ['in the lane, where a contract names what every object inherits', servers[2]?.url],
  ['on the full path, where a contract names what every object inherits', servers[3]?.url],
])('a value is compared as JSON Schema says, %s:', (_, url) => {
  it.each<[string, unknown, ([path: string, message: string] | 'admitted')?]>([
    ['constant', { at: { lat: 1 } }, 'admitted'],
    ['constant', { at: { lat: 2 } }, ['/at', 'must be equal to constant']],
    ['constant', { at: { valueOf: 1 } }, ['/at', 'must be equal to constant']],
    ['other', { a: 1 }, ['', 'must NOT be valid']],
    ['other', { a: 1, toString: 1 }, 'admitted'],
    ['either', { at: { a: 1 } }, ['/at', 'must match exactly one schema in oneOf']],
    ['either', { at: { a: 2 } }, 'admitted'],
    ['enum', { b: [1, { c: 2 }], a: 1 }, 'admitted'],
    ['enum', [], 'admitted'],
    ['enum', { valueOf: 1 }, ['', notAllowed]],
    ['enum', { constructor: 1 }, ['', notAllowed]],
    ['enum', '{}', ['', notAllowed]],
    ['codes', Array(8000).fill({ code: 1999 }), 'admitted'],
    ['codes', [...Array(8000).fill({ code: 1999 }), 1]],
    ['unique', [{ a: 1 }, { a: 2 }], 'admitted'],
    ['unique', [{ a: 1 }, { a: 1 }], ['', duplicate(0, 1)]],
    ['unique', [{ valueOf: 1 }, 0, { valueOf: 1 }], ['', duplicate(0, 2)]],
    ['unique', [{ toString: 1 }, { toString: 2 }], 'admitted'],
    ['closed', { list: [{ constructor: 1 }, { constructor: 2 }] }, 'admitted'],
    ['closed', { list: [{ valueOf: 1 }], more: 1 }, ['/more', 'is not a known property']],
    ['if', { a: 2, 'x-1': 'v' }, 'admitted'],
    ['if', { 'x-1': 1 }, ['/x-1', 'must be string']],
    ['if', { a: 1, b: 1, 'x-1': 'v' }, ['/b', 'must be string']],
    ['anyOf', { a: 'v', 'x-1': 'v' }, 'admitted'],
    ['anyOf', { 'x-1': 'v' }],
    ['anyOf', { a: 'v', 'x-1': 'v', more: 1 }, ['/more', 'is not a known property']],
    ['oneOf', { b: 'v', 'x-1': 'v', more: 1 }, 'admitted'],
    ['oneOf', { a: 'v', 'x-1': 1 }, ['/x-1', 'must be string']],
  ])('%s: %j', async (name, body, told) => {
    for (const type of ['application/json', 'application/json; charset=utf-8']) {
      const response = await fetch(`${url}/${name}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify(body),
      });
      const answer = await response.text();
      if (told === 'admitted') expect([response.status, answer]).toEqual([204, '']);
      else expect(response.status).toBe(400);
      if (Array.isArray(told)) {
        const [path, message] = told;
        expect(JSON.parse(answer).errors).toContainEqual({ path: `/body${path}`, message });
      }
    }
  });
});
