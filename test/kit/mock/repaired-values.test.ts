// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../../../src/kit/contract/response-check.ts';
import { serveContract } from '../../support/contract-server.ts';

const object = (properties: object) => ({
  ...{ type: 'object', required: Object.keys(properties), properties },
});
const person = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

/** A schema whose own example it does not admit, and what a mock answers instead. */
const repaired: readonly (readonly [name: string, schema: object, answer: unknown])[] = [
  ['const', { const: 4, example: 3 }, 4],
  ['enum', { enum: ['b', 'c'], example: 'a' }, 'b'],
  ['type null', { type: 'null', example: 'a' }, null],
  ['type', { type: 'integer', example: 'a' }, 0],
  ['type of a list', { type: ['boolean', 'null'], example: 'a' }, true],
  ['type array', { type: 'array', items: { type: 'integer' }, example: 'a' }, []],
  ['required', { ...person, example: {} }, { name: 'string' }],
  ['required, not described', { type: 'object', required: ['a'], example: {} }, { a: null }],
  [
    'additionalProperties',
    { ...person, additionalProperties: false, example: { name: 'A', b: 1 } },
    { name: 'A' },
  ],
  [
    'unevaluatedProperties',
    { allOf: [person], unevaluatedProperties: false, example: { name: 'A', b: 1 } },
    { name: 'A' },
  ],
  [
    'a member that is refused',
    { type: 'object', properties: { a: false }, example: { a: 1, b: 2 } },
    { b: 2 },
  ],
  [
    'writeOnly',
    {
      type: 'object',
      properties: { a: { type: 'string', writeOnly: true } },
      example: { a: 'secret', b: 2 },
    },
    { b: 2 },
  ],
  ['pattern', { type: 'string', pattern: '^[A-Z]{2}\\d+$', example: 'a' }, 'AA1'],
  [
    'pattern and lengths',
    { type: 'string', pattern: '^[A-Z]+$', minLength: 5, maxLength: 5, example: 'a' },
    'AAAAA',
  ],
  [
    'pattern and lengths of an example',
    { type: 'string', pattern: '^A+$', minLength: 3, example: 'A' },
    'AAA',
  ],
  [
    'pattern, deep within, of what may be null',
    object({ a: object({ b: { type: ['string', 'null'], pattern: '^A+$', example: 'a' } }) }),
    { a: { b: 'A' } },
  ],
  ['format', { type: 'string', format: 'ipv4', example: 'a' }, '192.0.2.1'],
  ['minLength', { type: 'string', minLength: 5, example: 'abc' }, 'abcaa'],
  ['maxLength', { type: 'string', maxLength: 2, example: '你你你' }, '你你'],
  ['minimum', { type: 'integer', minimum: 3, example: 1 }, 3],
  ['maximum', { type: 'integer', maximum: -2, example: 1 }, -2],
  ['exclusiveMinimum', { type: 'integer', exclusiveMinimum: 3, example: 3 }, 4],
  ['exclusiveMaximum', { type: 'number', exclusiveMaximum: 3, example: 3 }, 0],
  [
    'both exclusive',
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5, example: 3 },
    0.25,
  ],
  [
    'between two numbers',
    { type: 'number', minimum: 0.1, maximum: 0.2, example: 3 },
    0.15000000000000002,
  ],
  ['multipleOf', { type: 'integer', multipleOf: 7, minimum: 8, example: 8 }, 14],
  ['minItems', { type: 'array', minItems: 2, items: { type: 'integer' }, example: [5] }, [5, 0]],
  ['minItems of anything', { type: 'array', minItems: 2, example: [5] }, [5, null]],
  ['maxItems', { type: 'array', maxItems: 1, example: [5, 6] }, [5]],
  ['uniqueItems', { type: 'array', uniqueItems: true, example: [1, 1, 2] }, [1, 2]],
  [
    'uniqueItems, numbers',
    { type: 'array', uniqueItems: true, minItems: 2, example: [1, 1] },
    [1, 2],
  ],
  [
    'uniqueItems, text',
    { type: 'array', uniqueItems: true, minItems: 2, example: ['a', 'a'] },
    ['a', 'a1'],
  ],
  [
    'uniqueItems, booleans',
    { type: 'array', uniqueItems: true, minItems: 2, example: [true, true] },
    [true, false],
  ],
  [
    'uniqueItems, objects',
    { type: 'array', uniqueItems: true, minItems: 2, example: [{ a: 1 }, { a: 1 }] },
    [{ a: 1 }, { a: 2 }],
  ],
  [
    'uniqueItems, empty objects',
    { type: 'array', uniqueItems: true, minItems: 2, example: [{}, {}] },
    [{}, { member: 1 }],
  ],
  ['maxProperties', { type: 'object', maxProperties: 1, example: { a: 1, b: 2 } }, { a: 1 }],
  [
    'minProperties',
    {
      type: 'object',
      minProperties: 2,
      additionalProperties: { type: 'integer' },
      example: { a: 1 },
    },
    { a: 1, member1: 0 },
  ],
  [
    'minProperties of anything',
    { type: 'object', minProperties: 1, example: {} },
    { member0: null },
  ],
  [
    'oneOf, a number of both',
    { oneOf: [{ type: 'integer' }, { type: 'number' }], example: 3 },
    3.5,
  ],
  [
    'oneOf, of none',
    { oneOf: [{ type: 'integer', minimum: 3 }, { type: 'boolean' }], example: 1 },
    true,
  ],
  [
    'oneOf, an object of both',
    {
      oneOf: [person, { type: 'object', properties: { age: { type: 'integer' } } }],
      example: { name: 'A' },
    },
    { name: 'A', age: 'string' },
  ],
];

/** Schemas without examples, of which values are made at random. */
const random: readonly (readonly [name: string, schema: unknown])[] = [
  ['anything', true],
  ['a constant', { const: 'x' }],
  ['a choice', { enum: [1, 2, 3] }],
  ['parts', { allOf: [person, { type: 'object', properties: { age: { type: 'integer' } } }] }],
  ['alternatives', { oneOf: [{ type: 'integer' }, { type: 'string' }] }],
  ['numbers', { type: 'array', items: { type: 'number', minimum: 0.5, maximum: 2 }, minItems: 3 }],
  ['bounded integers', { type: 'integer', exclusiveMinimum: 5, exclusiveMaximum: 9 }],
  ['an integer between two', { type: 'integer', exclusiveMinimum: 5, exclusiveMaximum: 7 }],
  ['integers below', { type: 'integer', maximum: -5, multipleOf: 5 }],
  ['booleans', { type: ['boolean', 'null'] }],
  ['nothing', { type: 'null' }],
  ['an object by its members', { properties: { a: { type: 'boolean' }, b: true } }],
  ['a list by its items', { items: { type: 'boolean' } }],
  ['a number by its bounds', { maximum: 5 }],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' } }],
  ['text with a pattern', { type: 'string', pattern: '^[a-f]{4}$' }],
  ['long text', { type: 'string', minLength: 300, maxLength: 310 }],
  ['short text', { type: 'string', maxLength: 3 }],
  ...[
    'uuid',
    'date-time',
    'date',
    'time',
    'email',
    'uri',
    'url',
    'uri-reference',
    'hostname',
    'ipv4',
    'ipv6',
    'byte',
  ].map((format) => [format, { type: 'string', format }] as const),
  ['levels', deep(14)],
  [
    'lists in lists',
    {
      type: 'array',
      items: {
        type: 'array',
        items: {
          type: 'array',
          items: {
            type: 'array',
            items: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
          },
        },
      },
    },
  ],
];

function deep(levels: number): object {
  const inner = levels === 0 ? { type: ['string', 'null'] } : deep(levels - 1);
  return {
    type: 'object',
    required: ['in'],
    properties: { in: inner, beside: { type: 'integer' } },
  };
}

/** Regular expressions; those without a text are not answered from. */
const patterns: readonly (readonly [pattern: string, text: string | undefined])[] = [
  ['^(?:a|b)c?d*e+$', 'ae'],
  ['^(?<year>\\d{4})-\\d{2}$', '1111-11'],
  ['^\\u0041\\x42\\u{43}$', 'ABC'],
  ['^[\\]x]\\.\\t$', '].\t'],
  ['^[ऀ-ॿ]$', 'ऀ'],
  ['^.\\w\\s\\D\\W\\S$', 'aa a-a'],
  ['^(?=a)a$', 'a'],
  ['^(?!b)[ab]$', 'a'],
  ['(?<=a)b', 'ab'],
  ['^(a)\\1$', 'aa'],
  ['^\\p{Lu}$', 'A'],
  ['^a\\b$', 'a'],
  ['^(?!a)a$', undefined],
  ['^a$b', undefined],
];

const all = [
  ...repaired.map(([, schema]) => schema),
  ...random.map(([, schema]) => schema),
  ...patterns.map(([pattern]) => ({ type: 'string', pattern })),
];
const pathOf = (schema: unknown) =>
  `/${all.findIndex((each) => JSON.stringify(each) === JSON.stringify(schema))}`;

let server: Awaited<ReturnType<typeof serveContract>>;
beforeAll(async () => {
  const paths = all.map((schema, i) => [
    `/${i}`,
    {
      get: {
        operationId: `get${i}`,
        responses: { 200: { description: 'One.', content: { 'application/json': { schema } } } },
      },
    },
  ]);
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Values', version: '1' },
    paths: Object.fromEntries(paths),
  };
  server = await serveContract(JSON.stringify(contract), {}, { mocks: true });
});
afterAll(() => server.stop());

async function get(path: string, prefer = '') {
  const response = await fetch(server.url + path, { headers: prefer ? { prefer } : {} });
  const text = await response.text();
  const answer = { status: response.status, headers: Object.fromEntries(response.headers), text };
  expect(violations(server.contract, 'GET', path, { ...answer, json: JSON.parse(text) })).toEqual(
    [],
  );
  return { status: response.status, json: JSON.parse(text) };
}

describe('a mock', () => {
  it.each(repaired)(
    'repairs an example that its schema does not admit: %s',
    async (_, schema, answer) => {
      expect(await get(pathOf(schema))).toEqual({ status: 200, json: answer });
    },
  );

  it.each(random)('makes values at random, each valid: %s', async (_, schema) => {
    for (let i = 0; i < 20; i++) {
      expect((await get(pathOf(schema), 'dynamic=true')).status).toBe(200);
    }
  });

  it.each(patterns)('makes a text that the pattern %s matches', async (pattern, text) => {
    const path = pathOf({ type: 'string', pattern });
    if (text === undefined) expect((await fetch(server.url + path)).status).toBe(500);
    else expect((await get(path)).json).toBe(text);
  });
});
