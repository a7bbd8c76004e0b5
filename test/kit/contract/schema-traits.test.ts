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
    expect((await traits({ ...way, ...member })).isRepeated).toBe(true);
    expect((await traits(way)).isRepeated).toBe(false);
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
  ])('by %s: %s', async (_, schema, isRepeated) => {
    expect((await traits(schema, { Y: list, Z: {} })).isRepeated).toBe(isRepeated);
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
