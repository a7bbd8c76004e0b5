import { describe, expect, it } from 'vitest';
import { traitsOf } from '../../../src/kit/contract/schema-traits.ts';
import { knownContract } from '../../support/known-contract.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

async function traits(schema: object, schemas: object = {}) {
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} },
    components: { schemas: { ...schemas, X: schema } },
  };
  const { requestSchemas } = await knownContract(document);
  return traitsOf(requestSchemas({ body: ref('X') }));
}

describe('alternatives that contain themselves are ambiguous:', () => {
  const list = (items: object) => ({ type: 'array', items });
  it.each([
    ['two lists of it', { oneOf: [list(ref('X')), list(ref('X'))] }, {}, true],
    ['of anyOf', { anyOf: [list(ref('X')), { not: ref('X') }] }, {}, true],
    ['within a member', { properties: { a: { oneOf: [ref('X'), list(ref('X'))] } } }, {}, true],
    [
      'by way of another',
      { oneOf: [list(ref('Y')), list(ref('Y'))] },
      { Y: list(ref('Z')), Z: { not: ref('X') } },
      true,
    ],
    ['one of them alone', { oneOf: [list(ref('X')), { type: 'string' }] }, {}, false],
    ['others', { oneOf: [list(ref('Y')), list(ref('Z'))] }, { Y: {}, Z: { not: ref('Y') } }, false],
    ['none', { properties: { a: ref('X'), b: ref('X') } }, {}, false],
    ['all of them', { allOf: [{ items: ref('X') }, { items: ref('X') }] }, {}, false],
  ])('%s', async (_, schema, schemas, isAmbiguous) => {
    expect((await traits(schema, schemas)).isAmbiguous).toBe(isAmbiguous);
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
