import { describe, expect, it } from 'vitest';
import { traitsOf } from '../../../src/kit/contract/schema-traits.ts';
import { knownContract } from '../../support/known-contract.ts';
import { ref } from '../../support/schemas.ts';

async function traits(schema: object, schemas: object = {}) {
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} },
    components: { schemas: { ...schemas, X: schema } },
  };
  const { requestSchemas } = await knownContract(document);
  return traitsOf(requestSchemas({ body: ref('X') }));
}

describe('as many alternatives stand beside each other', () => {
  it.each([
    ['without any', {}, {}, 1],
    ['of oneOf', { oneOf: [{}, {}, {}] }, {}, 3],
    ['of anyOf', { anyOf: [{}, {}] }, {}, 2],
    ['as there are most', { anyOf: [{}, {}], items: { oneOf: [{}, {}, {}] } }, {}, 3],
    ['in what it refers to', ref('Y'), { Y: { items: { oneOf: [{}, {}] } } }, 2],
    ['as combined schemas are none', { allOf: [{}, {}] }, {}, 1],
  ])('%s', async (_, schema, schemas, alternatives) => {
    expect((await traits(schema, schemas)).alternatives).toBe(alternatives);
  });

  it('in a schema of the operation itself as well', () => {
    const schemas = { body: { oneOf: [{}, {}] } };
    expect(traitsOf({ schemas, components: {} }).alternatives).toBe(2);
  });
});

describe('as many members are required together', () => {
  it.each([
    ['without any', {}, {}, 0],
    ['of an object', { required: ['a', 'b'] }, {}, 2],
    ['as there are most', { required: ['a'], items: { required: ['a', 'b', 'c'] } }, {}, 3],
    ['in what it refers to', ref('Y'), { Y: { required: ['a'] } }, 1],
    ['as nothing but names of members', { properties: { required: { enum: [1, 2] } } }, {}, 0],
  ])('%s', async (_, schema, schemas, required) => {
    expect((await traits(schema, schemas)).required).toBe(required);
  });
});

describe('there are so many schemas', () => {
  it.each([
    ['one and the reference to it', {}, {}, 2],
    ['of members and parts', { properties: { a: {}, b: true }, allOf: [{}, { not: {} }] }, {}, 6],
    ['of what it refers to, once', { items: ref('Y'), not: ref('Y') }, { Y: { items: {} } }, 6],
    ['as nothing but data', { const: { not: {} }, enum: [{ items: {} }] }, {}, 2],
  ])('%s', async (_, schema, schemas, schemaCount) => {
    expect((await traits(schema, schemas)).schemaCount).toBe(schemaCount);
  });
});

describe('schemas lead to themselves in several ways', () => {
  const [self, list] = [ref('X'), { items: ref('X') }];
  const member = { properties: { a: self } };
  const ways: readonly [string, object][] = [
    ...['oneOf', 'anyOf', 'allOf'].map((name): [string, object] => [name, { [name]: [list] }]),
    ...['not', 'if', 'then', 'else', 'contains'].map((name): [string, object] => [
      name,
      { [name]: list },
    ]),
    ...['patternProperties', 'dependentSchemas'].map((name): [string, object] => [
      name,
      { [name]: { a: list } },
    ]),
  ];

  it.each(ways)('by %s and a member, and not by one of them', async (_, way) => {
    expect((await traits({ ...way, ...member })).branches).toBe(true);
    expect((await traits(way)).branches).toBe(false);
  });

  it.each([
    ['the same by an item', { contains: self, items: self }, true],
    ['the same by a further item', { contains: self, prefixItems: [self] }, true],
    [
      'the same by an item that nothing else asks',
      { contains: self, unevaluatedItems: self },
      true,
    ],
    [
      'a pattern and any other member',
      { patternProperties: { a: self }, additionalProperties: self },
      true,
    ],
    [
      'a pattern and what is left',
      { patternProperties: { a: self }, unevaluatedProperties: self },
      true,
    ],
    [
      'parts of which each value has one',
      {
        ...{ properties: { a: self }, additionalProperties: self, unevaluatedProperties: self },
        ...{ prefixItems: [self], items: self, unevaluatedItems: self },
      },
      false,
    ],
    ['two members', { properties: { a: self, b: self } }, false],
    ['a member twice', { allOf: [member, member] }, true],
    ['two patterns', { patternProperties: { a: self, b: self } }, true],
    ['alternatives', { oneOf: [list, member] }, true],
    ['a reference and a member', { ...ref('Y'), ...member }, true],
    ['a reference alone', ref('Y'), false],
    ['others', { oneOf: [ref('Z'), ref('Z')] }, false],
    ['members that are called as keywords', { properties: { not: self, if: self } }, false],
    ['data', { allOf: [self], const: { not: self } }, false],
  ])('by %s: %s', async (_, schema, branches) => {
    expect((await traits(schema, { Y: list, Z: {} })).branches).toBe(branches);
  });

  it('by one way back and one to others that lead to themselves', async () => {
    const tree = (name: string) => ({ properties: { in: ref(name) } });
    const over = (name: string) => ({ allOf: [ref(name)], ...tree('X') });
    expect((await traits(over('Y'), { Y: tree('Y') })).branches).toBe(true);
    expect((await traits(over('Y'), { Y: tree('Z'), Z: tree('Y') })).branches).toBe(true);
    expect((await traits(over('Y'), { Y: tree('Z'), Z: {} })).branches).toBe(false);
    // Two ways out, and none back.
    const out = { allOf: [ref('Y'), ref('Z')] };
    expect((await traits(out, { Y: tree('Y'), Z: tree('Z') })).branches).toBe(false);
    expect((await traits(tree('Y'), { Y: over('Z'), Z: tree('Z') })).branches).toBe(true);
  });
});

describe('a value is of one kind', () => {
  const member = { properties: { in: ref('X') } };
  const kind = (name: string, values: readonly unknown[], others: object = {}) => ({
    if: { type: 'object', required: [name], properties: { [name]: { enum: values } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: member,
    ...others,
  });
  const kinds: readonly [string, readonly object[], boolean][] = [
    ['of one name and different values', [kind('a', ['x', 'y']), kind('a', ['z'])], false],
    ['of one value', [kind('a', ['x', 'y']), kind('a', ['y'])], true],
    ['of two names', [kind('a', ['x']), kind('b', ['y'])], true],
    ['of a value that is no text', [kind('a', ['x']), kind('a', [1])], true],
    ['of no value', [kind('a', ['x']), kind('a', [])], true],
    ['of any value', [kind('a', ['x']), { if: { required: ['a'] }, else: member }], true],
    ['with another part', [kind('a', ['x']), kind('a', ['y'], { else: member })], true],
    ['or of none', [kind('a', ['x']), member], true],
    ['of no object', [kind('a', ['x']), { ...kind('a', ['y']), if: kind('a', ['y']).then }], true],
  ];
  it.each(kinds)('%s', async (_, allOf, branches) => {
    expect((await traits({ allOf })).branches).toBe(branches);
  });

  it('that a discriminator tells', async () => {
    const oneOf = [ref('Y'), ref('Z')];
    const schemas = { Y: { items: ref('X'), ...member }, Z: member };
    const told = { oneOf, discriminator: { propertyName: 'kind' } };
    expect((await traits(told, schemas)).branches).toBe(false);
    expect((await traits({ oneOf }, schemas)).branches).toBe(true);
  });
});

describe('items that must differ are compared each with each, unless they are plain:', () => {
  const unique = (items?: unknown) => ({
    uniqueItems: true,
    ...(items !== undefined && { items }),
  });
  it.each([
    [unique({ type: 'object' }), true],
    [unique({ type: 'array' }), true],
    [unique({ type: ['string', 'object'] }), true],
    [unique({}), true],
    [unique(), true],
    [unique(ref('Y')), true],
    [{ properties: { a: unique({}) } }, true],
    [ref('Y'), true],
    [unique({ type: 'string' }), false],
    [unique({ type: ['integer', 'null'] }), false],
    [{ uniqueItems: false, items: {} }, false],
    [{ items: {} }, false],
  ])('%j: %s', async (schema, comparesItems) => {
    expect((await traits(schema, { Y: unique({}) })).comparesItems).toBe(comparesItems);
  });

  it('in a schema of the operation itself as well', () => {
    const schemas = { body: { uniqueItems: true } };
    expect(traitsOf({ schemas, components: {} }).comparesItems).toBe(true);
  });
});

describe('values are compared with objects, lists or many others:', () => {
  it.each([
    [{ const: {} }, true, 1],
    [{ const: [] }, true, 1],
    [{ items: { enum: [1, { a: 1 }, 2] } }, true, 3],
    [{ enum: Array(101).fill(1) }, true, 101],
    [{ enum: Array(100).fill(1) }, false, 100],
    [{ const: 'x', items: { enum: [null, 'a'] } }, false, 2],
    [{}, false, 1],
  ])('%j: %s', async (schema, comparesValues, longestEnum) => {
    expect(await traits(schema)).toMatchObject({ comparesValues, longestEnum });
  });
});

it('so many members of an object have defaults', async () => {
  const some = { a: { default: 1 }, b: { default: null }, c: {}, d: true };
  expect((await traits({ properties: some, items: { properties: { a: some.a } } })).defaults).toBe(
    2,
  );
  expect((await traits({ properties: { default: { type: 'string' } } })).defaults).toBe(0);
});
