// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ref } from '../../support/schemas.ts';
import { serveValues } from '../../support/value-server.ts';

const list = (minItems: number, items: unknown = { type: 'integer' }) => ({
  type: 'array',
  ...{ minItems, items },
});

const within = {
  'a list': list(10_000),
  'a text': { type: 'string', minLength: 1_000_000 },
  members: { type: 'object', minProperties: 10_000 },
  'members of lists': { type: 'object', minProperties: 100, additionalProperties: list(1000) },
  'members that are listed': {
    ...{ type: 'object', minProperties: 101, additionalProperties: list(1000) },
    properties: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`a${i}`, {}])),
  },
  'members of a pattern': {
    ...{ type: 'object', minProperties: 101, additionalProperties: list(1000) },
    patternProperties: { '^a': { type: 'integer' } },
  },
  ...Object.fromEntries(
    ['example', 'default', 'const'].map((key) => [
      `a bound as ${key}`,
      { [key]: { minItems: 1e10 } },
    ]),
  ),
  ...Object.fromEntries(
    ['examples', 'enum'].map((key) => [`a bound in ${key}`, { [key]: [{ minLength: 1e10 }] }]),
  ),
  'a list of lists': list(100, list(1000)),
  'a list of lists of anything': list(60, list(1000, true)),
  'a text, whatever lists would be': { ...list(1000, list(1000)), type: 'string' },
  'members that branch': ref('branch5'),
  'a list of few': list(2, { type: 'string', maxLength: 3 }),
};
const beyond = {
  'a longer list': list(10_001),
  'a list without end': list(1e10),
  'a longer text': { type: 'string', minLength: 1_000_001 },
  'a text without end': { type: 'string', minLength: 1e12 },
  'more members': { type: 'object', minProperties: 10_001 },
  'more members of lists': { type: 'object', minProperties: 101, additionalProperties: list(1000) },
  'more members of lists beside another': {
    ...{ type: 'object', minProperties: 101, additionalProperties: list(1000) },
    ...{ required: ['a'], properties: { a: list(1) } },
  },
  'a longer list of lists': list(100, list(1001)),
  'lists and a number more': {
    ...{ type: 'object', required: ['a', 'b'] },
    properties: { a: list(100, list(1000)), b: { type: 'integer' } },
  },
  'lists of lists of lists': list(1000, list(1000, list(1000))),
  'an optional list of lists': { properties: { a: list(1000, list(1000)) } },
  'a list of lists or numbers': list(1000, { oneOf: [list(1000), { type: 'integer' }] }),
  'a list of lists or nothing': list(1000, { ...list(1000), type: ['array', 'null'] }),
  'members that branch often': ref('branch11'),
  'a list in a part': { allOf: [{ properties: { a: ref('much') } }] },
};

describe('a mock', () => {
  let server: Awaited<ReturnType<typeof serveValues>>;
  beforeAll(async () => {
    const branches = Array.from({ length: 12 }, (_, i) => {
      const properties = Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((name) => [name, i ? ref(`branch${i - 1}`) : { type: 'integer' }]),
      );
      return [`branch${i}`, { type: 'object', properties, required: Object.keys(properties) }];
    });
    const components = {
      ...Object.fromEntries(branches),
      much: { not: {}, ...list(20_000) },
    };
    server = await serveValues({ ...within, ...beyond }, true, components);
  });
  afterAll(() => server.stop());

  it.each(Object.keys(within))('makes %s', async (name) => {
    for (const prefer of ['', 'dynamic=true']) {
      expect([prefer, (await server.get(name, prefer)).status]).toEqual([prefer, 200]);
    }
  });

  it.each(Object.keys(beyond))('does not try to make %s', async (name) => {
    for (const prefer of ['', 'dynamic=true']) {
      const { status, json } = await server.get(name, prefer);
      expect([prefer, status]).toEqual([prefer, 500]);
      expect(json.detail).toMatch(/: the schema demands more than a mock makes\.$/);
    }
  });
});
