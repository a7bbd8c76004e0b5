import { describe, expect, it } from 'vitest';
import type { Direction } from '../../../src/kit/contract/schema-forms.ts';
import { knownContract } from '../../support/known-contract.ts';
import { ref } from '../../support/schemas.ts';

const int = ref('Int');
const schemas = {
  Int: { type: 'integer' },
  Never: false,
  Id: { type: 'integer', readOnly: true },
  Read: { type: 'object', required: ['id'], properties: { id: ref('Id'), name: {} } },
  Round: { allOf: [ref('Round'), ref('Read')] },
  Five: { type: 'integer', default: 5 },
  Node: { type: ['object', 'null'], properties: { next: { ...ref('Node'), default: null } } },
  Three: { type: 'integer', minimum: 3 },
};

/** The validator of a schema, in a direction. */
async function validatorOf(schema: object | boolean, direction: Direction = 'response') {
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} },
    components: { schemas: { ...schemas, X: schema } },
  };
  return (await knownContract(document)).schemas(ref('X'), direction);
}

// JSON Schema 2020-12, keyword by keyword; those that hold schemas hold a reference.
describe('a keyword is applied:', () => {
  type Row = [schema: object, valid: unknown[], invalid: unknown[]];
  it.each<Row>([
    [{ items: int }, [[1]], [['a']]],
    [{ contains: int }, [['a', 1]], [['a'], []]],
    [{ contains: int, minContains: 2 }, [[1, 2]], [[1]]],
    [{ contains: int, maxContains: 1 }, [[1]], [[1, 2]]],
    [{ additionalProperties: int }, [{ a: 1 }], [{ a: 'a' }]],
    [{ unevaluatedProperties: int, properties: { b: {} } }, [{ a: 1, b: 'b' }], [{ a: 'a' }]],
    [{ unevaluatedItems: int }, [[1]], [['a']]],
    [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
    [{ not: int }, ['a'], [1]],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    [{ if: int, then: { minimum: 5 }, else: { minLength: 2 } }, [5, 'ab'], [4, 'a']],
    [{ allOf: [int, { minimum: 2 }] }, [2], [1, 2.5]],
    [{ anyOf: [int, { type: 'string' }] }, [1, 'a'], [true]],
    [{ oneOf: [int, { minimum: 2 }] }, [1, 2.5], [2]],
    [
      { prefixItems: [int, {}], items: false, minItems: 2 },
      [[1, 'a']],
      [
        ['a', 1],
        [1, 2, 3],
      ],
    ],
    [{ properties: { a: int } }, [{ a: 1, b: 'b' }], [{ a: 'a' }]],
    [{ patternProperties: { '^a': int } }, [{ ab: 1, b: 'b' }], [{ ab: 'a' }]],
    [{ dependentSchemas: { a: { required: ['b'] } } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
    [{ dependentRequired: { a: ['b'] } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
    [{ type: 'string' }, ['a'], [1]],
    [{ enum: [1, null] }, [1, null], [2]],
    [{ const: 1 }, [1], [2]],
    [{ required: ['a'] }, [{ a: 1 }, 1], [{}]],
    [{ minimum: 1 }, [1], [0.9]],
    [{ maximum: 1 }, [1], [1.1]],
    [{ exclusiveMinimum: 1 }, [1.1], [1]],
    [{ exclusiveMaximum: 1 }, [0.9], [1]],
    [{ multipleOf: 2 }, [4], [3]],
    [{ minLength: 1 }, ['a'], ['']],
    [{ maxLength: 1 }, ['😀'], ['ab']],
    [{ pattern: '^a$' }, ['a'], ['b']],
    [{ minItems: 1 }, [[1]], [[]]],
    [{ maxItems: 1 }, [[1]], [[1, 2]]],
    [{ uniqueItems: true }, [[1, 2]], [[1, 1]]],
    [{ minProperties: 1 }, [{ a: 1 }], [{}]],
    [{ maxProperties: 1 }, [{ a: 1 }], [{ a: 1, b: 1 }]],
    [{ format: 'ipv4' }, ['1.2.3.4', 1], ['x']],
    [{ format: 'toString' }, ['x'], []],
    [ref('Never'), [], [1]],
    [{ ...int, minimum: 2 }, [2], [1, 'a']],
    [{ $defs: { a: { type: 'string' } }, $ref: '#/components/schemas/X/$defs/a' }, ['a'], [1]],
    [{ type: ['integer', 'null'] }, [1, null], ['a', Number.NaN]],
  ])('%j', async (schema, valid, invalid) => {
    const validate = await validatorOf(schema);
    for (const value of valid) expect(validate(value), JSON.stringify(value)).toBe(true);
    for (const value of invalid) expect(validate(value), JSON.stringify(value)).toBe(false);
  });

  it('all that is wrong is told, or the first of it', async () => {
    const items = { type: 'array', items: int };
    const text = {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: {},
      components: { schemas: { ...schemas, items } },
    };
    const { createCompiler } = await knownContract(text);
    const errors = (which?: 'all' | 'first' | 'verbose') => {
      const validate = createCompiler(which)(ref('items'));
      validate(['a', 'b']);
      return validate.errors ?? [];
    };
    expect([errors().length, errors('all').length, errors('first').length]).toEqual([2, 2, 1]);
    expect(errors('verbose').map(({ data }) => data)).toEqual(['a', 'b']);
    expect(errors('all')[0]).not.toHaveProperty('data');
    const compile = createCompiler();
    expect(compile(int)).toBe(compile(int));
    const [first, second] = [
      compile(text.components.schemas.items),
      compile(text.components.schemas.items),
    ];
    expect(first).toBe(second);
    expect([compile(true)(1), compile(false)(1)]).toEqual([true, false]);
  });
});

describe('a member of one direction is not demanded in the other, and refused there:', () => {
  const own = {
    type: 'object',
    required: ['id', 'secret'],
    properties: {
      id: { readOnly: true },
      secret: { writeOnly: true },
      any: true,
      no: { readOnly: false },
    },
  };
  const secret = { secret: 1 };
  type Row = [schema: object, direction: Direction, valid: unknown[], invalid: unknown[]];
  it.each<Row>([
    [own, 'request', [secret, { ...secret, any: 1, no: 1 }], [{}, { ...secret, id: 1 }]],
    [own, 'response', [{ id: 1 }], [{}, { id: 1, secret: 1 }]],
    [ref('Read'), 'request', [{}, { name: 1 }], [{ id: 1 }]],
    [ref('Read'), 'response', [{ id: 1 }], [{}, { id: 'a' }]],
    [
      { allOf: [ref('Read'), { required: ['id', 'name'] }] },
      'request',
      [{ name: 1 }],
      [{}, { name: 1, id: 1 }],
    ],
    [
      { required: ['id', 'name'], allOf: [ref('Read')] },
      'request',
      [{ name: 1 }],
      [{}, { name: 1, id: 1 }],
    ],
    [{ allOf: [{ allOf: [ref('Read')] }, { required: ['id'] }] }, 'request', [{}], [{ id: 1 }]],
    [{ allOf: [{ required: ['id'] }, true, ref('Read')] }, 'response', [{ id: 1 }], [{}]],
    [{ items: ref('Read') }, 'request', [[{}]], [[{ id: 1 }]]],
    [
      { properties: { a: { required: ['id'], properties: { b: {} } }, id: { readOnly: true } } },
      'request',
      [{ a: { id: 1 } }],
      [{ a: {} }, { id: 1 }],
    ],
  ])('%j in a %s', async (schema, direction, valid, invalid) => {
    const validate = await validatorOf(schema, direction);
    for (const value of valid) expect(validate(value), JSON.stringify(value)).toBe(true);
    for (const value of invalid) expect(validate(value), JSON.stringify(value)).toBe(false);
  });

  it('also where parts refer to each other', async () => {
    await expect(validatorOf(ref('Round'), 'request')).resolves.toBeTypeOf('function');
  });
});

describe('a default is filled in', () => {
  const text = 'a';
  it.each([
    [{ default: text }, text],
    [{ type: 'string', default: text }, text],
    [{ type: ['integer', 'string'], default: text }, text],
    [{ type: 'integer', default: 1 }, 1],
    [{ type: 'number', default: 1 }, 1],
    [{ type: 'number', default: 1.5 }, 1.5],
    [{ type: 'boolean', default: false }, false],
    [{ type: 'null', default: null }, null],
    [{ type: 'array', default: [] }, []],
    [{ type: 'object', default: {} }, {}],
    [{ type: 'string', maxLength: 1, default: text }, text],
    [{ type: 'string', format: 'ipv4', default: '1.2.3.4' }, '1.2.3.4'],
    [{ ...int, default: 1 }, 1],
    [{ ...ref('Three'), default: 3 }, 3],
    [{ ...ref('Five'), default: 6 }, 6],
    [{ ...ref('Five'), maximum: 6, default: 6 }, 6],
    [{ items: int, default: [1] }, [1]],
    [{ minimum: 1, default: 1 }, 1],
  ])('%j', async (schema, expected) => {
    const value = {};
    expect((await validatorOf({ properties: { a: schema } }, 'request'))(value)).toBe(true);
    expect(value).toEqual({ a: expected });
  });

  it.each([
    { type: 'integer', default: text },
    { type: 'integer', default: 1.5 },
    { type: 'string', default: 1 },
    { type: 'boolean', default: text },
    { type: 'null', default: 0 },
    { type: 'array', default: {} },
    { type: 'object', default: [] },
    { type: 'object', default: null },
    { type: ['integer', 'null'], default: text },
    { type: 'string', maxLength: 1, default: 'ab' },
    { minimum: 1, default: 0 },
    { type: 'string', format: 'ipv4', default: 'x' },
    { ...int, default: text },
    { ...ref('Three'), default: 2 },
    { ...ref('Three'), minimum: 1, default: 2 },
    { ...ref('Five'), maximum: 6, default: 7 },
  ])('not %j, which does not admit it', async (schema) => {
    const value = {};
    expect((await validatorOf({ properties: { a: schema } }, 'request'))(value)).toBe(true);
    expect(value).toEqual({});
  });

  it('where each of several admits it', async () => {
    const three = { ...ref('Three'), default: 3 };
    const two = { ...ref('Three'), default: 2 };
    const value = {};
    const properties = { a: two, b: three, c: two };
    expect((await validatorOf({ properties }, 'request'))(value)).toBe(true);
    expect(value).toEqual({ b: 3 });
  });

  it('also where a component leads back to itself', async () => {
    for (const schema of [ref('Node'), { ...ref('Node'), maxProperties: 1 }]) {
      const value = {};
      expect([(await validatorOf(schema, 'request'))(value), value]).toEqual([
        true,
        { next: null },
      ]);
    }
    const inner = { properties: { a: { ...ref('Node'), default: null }, b: ref('Node') } };
    const value = { b: {} };
    expect((await validatorOf(inner, 'request'))(value)).toBe(true);
    expect(value).toEqual({ a: null, b: { next: null } });
  });

  it('not where the member is required, or in what is refused', async () => {
    const properties = { a: { default: 1 }, b: { type: 'integer' } };
    const required = await validatorOf({ required: ['a'], properties }, 'request');
    expect([required({}), required({ a: 2 })]).toEqual([false, true]);
    const other = await validatorOf({ required: ['b'], properties }, 'request');
    const value = { b: 1 };
    expect([other(value), value]).toEqual([true, { a: 1, b: 1 }]);
  });
});
