// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whole } from '../../support/schemas.ts';
import { serveValues } from '../../support/value-server.ts';

const componentOf = (name: string) => name.replaceAll(' ', '-');
const ref = (name: string) => ({ $ref: `#/components/schemas/${componentOf(name)}` });
const list = (name: string, others: object = {}) => ({
  ...{ type: 'array', minItems: 10, items: ref(name) },
  ...others,
});
const object = (name: string, others: object = {}) => ({
  ...{ type: 'object', required: ['in'], properties: { in: ref(name) } },
  ...others,
});
const map = (name: string, others: object = {}) => ({
  ...{ type: 'object', minProperties: 1, additionalProperties: ref(name) },
  ...others,
});
const patterned = (name: string, others: object) => ({
  ...{ type: 'object', patternProperties: { '^a': ref(name) }, additionalProperties: false },
  ...others,
});
const tuple = (...prefixItems: object[]) => ({
  ...{ type: 'array', prefixItems, items: false, minItems: prefixItems.length },
});
const wanted = (name: string, others: object = {}) => ({
  ...{ type: 'array', contains: ref(name) },
  ...others,
});

/** Schemas that refer to themselves, each value of which has no end. */
const endless = {
  lists: list('lists'),
  'lists of one': list('lists of one', { minItems: 1 }),
  objects: object('objects'),
  'lists in objects': object('objects in lists'),
  'objects in lists': list('lists in objects'),
  parts: { allOf: [{ title: 'Part' }, object('parts')] },
  'either of two': { oneOf: [object('either of two'), list('either of two')] },
  'any of two': { anyOf: [object('any of two'), list('any of two')] },
  'its own and either': { ...object('its own and either'), oneOf: [whole, { type: 'object' }] },
  maps: map('maps'),
  'maps of two': map('maps of two', { minProperties: 2, properties: { a: whole } }),
  'maps with a member': map('maps with a member', { minProperties: 0, required: ['a'] }),
  'maps of itself alone': map('whole', {
    properties: { a: ref('maps of itself alone') },
    additionalProperties: false,
  }),
  'maps by pattern': patterned('maps by pattern', { minProperties: 1 }),
  'maps with a member by pattern': patterned('maps with a member by pattern', { required: ['a'] }),
  'first items': tuple(ref('first items')),
  'second items': tuple(whole, ref('second items')),
  'wanted items': wanted('wanted items'),
  'several wanted items': wanted('several wanted items', { minContains: 2 }),
  constants: list('constants', { const: [1] }),
  references: ref('lists'),
  'references beside others': { ...ref('lists'), title: 'Lists' },
};
/** Schemas that refer to themselves, and a value that ends. */
const ending: Readonly<Record<string, readonly [schema: object, value: unknown]>> = {
  'lists of none': [list('lists of none', { minItems: 0 }), [[]]],
  'lists of any length': [{ type: 'array', items: ref('lists of any length') }, [[]]],
  'lists or nothing': [
    list('lists or nothing', { type: ['array', 'null'] }),
    Array(10).fill(Array(10).fill(null)),
  ],
  'objects or nothing': [
    object('objects or nothing', { type: ['object', 'null'] }),
    { in: { in: { in: null } } },
  ],
  'maps or nothing': [
    {
      ...{ type: ['object', 'null'], minProperties: 3 },
      additionalProperties: ref('maps or nothing'),
    },
    expect.objectContaining({ member2: expect.objectContaining({ member2: null }) }),
  ],
  'maps of any size': [map('maps of any size', { minProperties: 0 }), expect.anything()],
  'maps with another member': [
    map('maps with another member', { properties: { a: whole }, required: ['a'] }),
    expect.objectContaining({ a: 0 }),
  ],
  'maps of a number': [
    map('maps of a number', { properties: { a: whole } }),
    expect.objectContaining({ a: 0 }),
  ],
  'maps of anything but itself': [
    object('maps of anything but itself', { minProperties: 1, required: ['b'] }),
    expect.anything(),
  ],
  'tuples or nothing': [
    { ...tuple(whole, ref('tuples or nothing')), type: ['array', 'null'] },
    [0, expect.anything()],
  ],
  'unwanted items': [wanted('unwanted items', { minContains: 0 }), expect.anything()],
  'objects without it': [object('objects without it', { required: [] }), { in: {} }],
  'objects with another': [
    object('objects with another', { required: ['b'] }),
    { b: null, in: { b: null } },
  ],
  'one of itself and a number': [
    { oneOf: [list('one of itself and a number'), whole] },
    expect.anything(),
  ],
  'any of a number and itself': [{ anyOf: [whole, object('any of a number and itself')] }, 0],
  'no choice at all': [{ ...object('whole'), oneOf: [{ type: 'object' }] }, { in: 0 }],
  'other members than those that are endless': [
    {
      ...{ type: 'object', minProperties: 1, additionalProperties: false },
      ...{ properties: { a: ref('lists') }, patternProperties: { '^b$': whole } },
    },
    { b: 0 },
  ],
  'members that are endless': [object('lists', { required: [] }), {}],
  'a list of none that are endless': [{ type: 'array', items: ref('lists') }, []],
};

/** Those that have an end, if not one that is found, and those that nothing is of. */
const others = {
  'maps of anything else': patterned('maps of anything else', {
    ...{ minProperties: 1, additionalProperties: true },
  }),
  'no members at all': { type: 'object', minProperties: 1, additionalProperties: false },
};

describe('a mock of a schema that refers to itself', () => {
  let server: Awaited<ReturnType<typeof serveValues>>;
  const schemas = Object.entries(ending).map(([name, [schema]]) => [name, schema] as const);
  const all = [...Object.entries({ ...endless, ...others }), ...schemas];
  beforeAll(async () => {
    const referring = all.map(([name]) => [name, ref(name)]);
    const components = all.map(([name, schema]) => [componentOf(name), schema]);
    server = await serveValues(Object.fromEntries(referring), true, {
      ...Object.fromEntries(components),
      whole,
    });
  });
  afterAll(() => server.stop());

  it.each(Object.keys(endless))('says at once that there is none: %s', async (name) => {
    for (const prefer of ['', 'dynamic=true']) {
      const { status, json } = await server.get(name, prefer);
      expect([prefer, status]).toEqual([prefer, 500]);
      expect(json.detail).toMatch(/: each value of the schema would contain another\.$/);
    }
  });

  it.each(Object.keys(others))('says another reason why it does not make %s', async (name) => {
    const { status, json } = await server.get(name);
    expect([status, json.detail]).toEqual([500, expect.stringContaining('fewer than 1 prop')]);
  });

  it.each(Object.entries(ending))('makes one that ends: %s', async (name, [, value]) => {
    expect(await server.get(name)).toEqual({ status: 200, json: value });
    expect((await server.get(name, 'dynamic=true')).status).toBe(200);
  });
});
