// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ref, text, whole } from '../../support/schemas.ts';
import { serveValues } from '../../support/value-server.ts';

const map = (others: object) => ({ type: 'object', ...others });
const members = (count: number) => Array.from({ length: count }, (_, i) => `member${i}`);
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** Schemas that demand members, and the names that are made. */
const made: Readonly<Record<string, readonly [schema: object, names: readonly string[]]>> = {
  'any names': [map({ minProperties: 2 }), ['member0', 'member1']],
  'names of a pattern': [
    map({ propertyNames: { pattern: '^[a-z]$' }, minProperties: 2 }),
    ['a', 'b'],
  ],
  'names beyond z': [
    map({ propertyNames: { pattern: '^[a-z]{1,2}$' }, minProperties: 29 }),
    [...letters, 'ba', 'bb', 'bc'],
  ],
  'names of a component': [map({ propertyNames: ref('name'), minProperties: 1 }), ['AA']],
  'names that begin alike': [
    map({ propertyNames: { pattern: '^x-' }, minProperties: 3 }),
    ['x-', 'x-0', 'x-1'],
  ],
  'names that are listed': [
    map({ propertyNames: { enum: [1, 'last name', 'first name'] }, minProperties: 2 }),
    ['first name', 'last name'],
  ],
  'a name after thirty that are refused': [
    map({ propertyNames: { not: { enum: members(30) } }, minProperties: 1 }),
    ['member30'],
  ],
  'another kind of name after more': [
    map({ propertyNames: { not: { enum: members(31) } }, minProperties: 1 }),
    ['a'],
  ],
  'a name beside a pattern without texts': [
    map({
      patternProperties: { '^(?!a)a$': text },
      ...{ additionalProperties: whole, minProperties: 1, example: {} },
    }),
    ['member0'],
  ],
  'a single name': [map({ propertyNames: { const: 'own name' }, minProperties: 1 }), ['own name']],
  'long names': [map({ propertyNames: { minLength: 10 }, minProperties: 1 }), ['member0___']],
  'short names': [map({ propertyNames: { maxLength: 1 }, minProperties: 26 }), letters],
  'long names of a pattern': [
    map({ propertyNames: { pattern: '^A+$', minLength: 3 }, minProperties: 1 }),
    ['AAA'],
  ],
  'names that are refused': [
    map({ propertyNames: { not: { pattern: '^m' } }, minProperties: 2 }),
    ['a', 'b'],
  ],
  'names for those that were made': [
    map({ propertyNames: { pattern: '^[a-z]$' }, additionalProperties: text }),
    ['a', 'b'],
  ],
  'no names': [map({ propertyNames: false, additionalProperties: text }), []],
  'its own members': [
    map({
      properties: { a: text, b: whole },
      additionalProperties: false,
      minProperties: 2,
      example: {},
    }),
    ['a', 'b'],
  ],
  'members beside those that only requests have, or nobody': [
    map({
      ...{ additionalProperties: false, minProperties: 1, example: {} },
      properties: { a: { ...text, writeOnly: true }, b: false, c: whole },
    }),
    ['c'],
  ],
  'members by a pattern of theirs': [
    map({ patternProperties: { '^x-': whole }, additionalProperties: false, minProperties: 2 }),
    ['x-', 'x-0'],
  ],
};
const values = {
  'of its own, of a pattern, and others': map({
    ...{ properties: { a: text }, patternProperties: { '^m$': { type: 'boolean' } } },
    ...{ additionalProperties: whole, minProperties: 4, example: {} },
  }),
  '500': map({ additionalProperties: whole, minProperties: 500 }),
  '10000': map({ additionalProperties: whole, minProperties: 10_000 }),
  '500 of a pattern': map({ propertyNames: { pattern: '^[A-Z]{2}$' }, minProperties: 500 }),
  ids: map({ propertyNames: { format: 'uuid' }, minProperties: 2 }),
};
const none = {
  'a third name of two': map({ propertyNames: { enum: ['x', 'y'] }, minProperties: 3 }),
  'members of a closed object': map({
    ...{ properties: { a: text }, additionalProperties: false, minProperties: 2 },
  }),
  'names that are not found': map({
    ...{ propertyNames: { minLength: 9, maxLength: 9, not: { pattern: '^m' } }, minProperties: 1 },
  }),
  'names of a pattern without texts': map({
    ...{ propertyNames: { pattern: '^(?!a)a$' }, minProperties: 1 },
  }),
};

describe('a mock of an object that demands more members', () => {
  let server: Awaited<ReturnType<typeof serveValues>>;
  beforeAll(async () => {
    const schemas = Object.entries(made).map(([name, [schema]]) => [name, schema]);
    const components = { name: { ...text, pattern: '^[A-Z]{2}$' } };
    server = await serveValues(
      { ...Object.fromEntries(schemas), ...values, ...none },
      ...([true, components] as const),
    );
  });
  afterAll(() => server.stop());

  it.each(Object.entries(made))('makes %s', async (name, [, names]) => {
    const { status, json } = await server.get(name);
    expect([status, Object.keys(json).sort()]).toEqual([200, [...names].sort()]);
    expect((await server.get(name, 'dynamic=true')).status).toBe(200);
  });

  it('gives each the value of its schema', async () => {
    const { json } = await server.get('of its own, of a pattern, and others');
    expect(json).toEqual({ a: 'string', m: true, m0: 0, m1: 0 });
  });

  it.each(['500', '10000', '500 of a pattern'])('makes many members: %s', async (name) => {
    for (const prefer of ['', 'dynamic=true']) {
      const { status, json } = await server.get(name, prefer);
      expect([status, Object.keys(json).length]).toEqual([200, Number.parseInt(name, 10)]);
    }
  });

  it('makes names of UUIDs', async () => {
    const names = Object.keys((await server.get('ids')).json);
    expect(names).toEqual(
      Array(2).fill(expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4,12}){4}$/)),
    );
  });

  it.each(Object.keys(none))('says why it does not make %s', async (name) => {
    const { status, json } = await server.get(name);
    expect(status).toBe(500);
    expect(json.detail).toMatch(
      /: the value must NOT have fewer than \d properties, says the schema at #\/minProperties\.$/,
    );
  });
});
