import { describe, expect, it } from 'vitest';
import type { Document } from '../../../src/kit/contract/openapi-document.ts';
import { shapeOf } from '../../../src/kit/rest/parameter-shape.ts';
import { readerOf, refusal, valuesReaderOf } from '../../support/parameter-reader.ts';
import { text, whole } from '../../support/schemas.ts';

const yes = { type: 'boolean' };
const noInteger = 'must be an integer in decimal digits';
const notKept = 'is a number that cannot be kept as it is written';
const outOfRange = 'must be an integer from -9007199254740991 to 9007199254740991';
const empty = 'must not be empty';

const itself: Record<string, unknown> = { properties: { a: whole } };
Object.assign(itself, { allOf: [itself] });

/** What a query is read as by a schema; of a refusal, its message. */
function readAs(schema: unknown, query: string): unknown {
  const found = refusal(() => readerOf({ in: 'query', schema })({ query }));
  const [{ message } = { message: undefined }] = Array.isArray(found) ? found : [];
  return message ?? found;
}

describe('a text is read by the types that its schema admits', () => {
  it.each<[unknown, string, unknown]>([
    [whole, '0', 0],
    [whole, '-1', -1],
    [whole, '9007199254740991', 9_007_199_254_740_991],
    [whole, '-9007199254740991', -9_007_199_254_740_991],
    [whole, '9007199254740992', outOfRange],
    [whole, '123456789012345678901', outOfRange],
    [whole, '-0', noInteger],
    [whole, '00', noInteger],
    [whole, '1.0', noInteger],
    [whole, '', noInteger],
    [{ type: 'number' }, '1', 1],
    [{ type: 'number' }, '-0.5e-2', -0.005],
    [{ type: 'number' }, '0.1', 0.1],
    [{ type: 'number' }, 'abc', 'abc'],
    [{ type: 'number' }, '1e400', notKept],
    [{ type: 'number' }, '0.10000000000000000001', notKept],
    [{ type: 'number' }, '.5', '.5'],
    [{ type: 'number' }, '', empty],
    [yes, 'true', true],
    [yes, 'false', false],
    [yes, 'TRUE', 'TRUE'],
    [yes, '9007199254740993', '9007199254740993'],
    [text, 'true', 'true'],
    [text, '1', '1'],
    [text, 'null', 'null'],
    [{ type: 'null' }, '', null],
    [{ type: 'null' }, 'null', 'null'],
    [{ type: ['integer', 'null'] }, '', null],
    [{ type: ['integer', 'null'] }, 'abc', noInteger],
    [{ type: ['string', 'null'] }, '', empty],
    [{ type: ['string', 'null'] }, 'null', 'null'],
    [{ type: ['integer', 'boolean'] }, 'abc', 'abc'],
    [{ type: ['integer', 'boolean'] }, 'true', true],
    [{ type: ['integer', 'boolean'] }, '7', 7],
    [{ type: ['number', 'boolean'] }, '1e400', notKept],
    [{ type: ['string', 'number'] }, '1e400', '1e400'],
    [{ type: ['string', 'integer'] }, 'abc', 'abc'],
    [{ type: ['string', 'boolean'] }, 'false', false],
    [{ enum: [1, 2] }, '1', 1],
    [{ enum: [1, 2] }, '1e0', noInteger],
    [{ enum: [1, 2.5] }, '2.5', 2.5],
    [{ enum: [1, null] }, '', null],
    [{ enum: ['a', true] }, 'true', true],
    [{ type: 'number', enum: [1, 2] }, '2', 2],
    [{ type: 'string', enum: ['1', 2] }, '1', '1'],
    [{ const: 1.5 }, '1.5', 1.5],
    [{ const: null }, '', null],
    [{ const: 'true' }, 'true', 'true'],
    [{ allOf: [{ type: 'number' }, whole] }, '3', 3],
    [{ allOf: [{ type: 'number' }, whole] }, '3.5', noInteger],
    [{ type: 'string', oneOf: [{ minLength: 1 }, { maxLength: 0 }] }, '1', '1'],
    [{ oneOf: [whole, yes] }, 'true', true],
    [{ anyOf: [whole, yes] }, '7', 7],
    [{ oneOf: [whole, yes], anyOf: [yes, text] }, 'true', true],
    [{ oneOf: [whole, yes], anyOf: [yes, text] }, '7', '7'],
    // One schema in two places is one and the same.
    [{ anyOf: [whole, whole] }, '7', 7],
    [{ anyOf: [whole, {}] }, '7', '7'],
    [{ $ref: '#/components/schemas/Whole' }, '7', 7],
    [{ anyOf: [{ $ref: '#/components/schemas/Whole' }, yes] }, 'true', true],
    [{ allOf: [{ $ref: '#/components/schemas/Whole' }, { minimum: 1 }] }, '7', 7],
    [{ maximum: 3 }, '7', '7'],
    [true, '7', '7'],
    [undefined, '7', '7'],
  ])('%j: %s', (schema, given, value) => {
    expect(readAs(schema, `p=${encodeURIComponent(given)}`)).toEqual(value);
  });
});

describe('the members of an object are found wherever its schema names them', () => {
  const named = { properties: { a: whole } };
  const typed = { type: 'object', properties: { k: text } };
  it.each<[unknown, string, unknown]>([
    [named, 'a=1', { a: 1 }],
    [{ additionalProperties: whole }, 'a=1', { a: 1 }],
    [{ $ref: '#/components/schemas/Named' }, 'a=1', { a: 1 }],
    [{ type: 'object', $ref: '#/components/schemas/Named' }, 'a=1', { a: 1 }],
    [{ ...typed, allOf: [named] }, 'a=1&k=2', { a: 1, k: '2' }],
    [{ ...typed, oneOf: [named, {}] }, 'a=1', { a: 1 }],
    [{ ...typed, anyOf: [named, {}] }, 'a=1', { a: 1 }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    [{ ...typed, if: {}, then: named }, 'a=1', { a: 1 }],
    [{ ...typed, if: {}, else: named }, 'a=1', { a: 1 }],
    [itself, 'a=1', { a: 1 }],
    [{ ...typed, additionalProperties: whole }, 'x=1&k=2', { x: 1, k: '2' }],
    [{ ...typed, unevaluatedProperties: whole }, 'x=1', { x: 1 }],
    [{ ...typed, patternProperties: { '^x': whole } }, 'x=1', { x: 1 }],
    [{ ...typed, additionalProperties: true }, 'x=1', { x: '1' }],
    [{ type: 'object' }, 'x=1', { x: '1' }],
    [{ ...typed, additionalProperties: whole }, 'constructor=1', { constructor: 1 }],
    // Of two schemas for one member, either may be meant; one that names no type says nothing.
    [{ oneOf: [named, { properties: { a: yes } }] }, 'a=true', { a: true }],
    [{ oneOf: [named, { properties: { a: yes } }] }, 'a=1', { a: 1 }],
    [{ allOf: [named, { properties: { a: { minimum: 1 } } }] }, 'a=1', { a: 1 }],
    [{ allOf: [{ properties: { a: true } }, { properties: { a: {} } }] }, 'a=1', { a: '1' }],
    // Where nothing is admitted, the keywords say how it is read.
    [{ type: 'array', allOf: [{ type: 'object' }, named] }, 'a=1', { a: 1 }],
  ])('%j: %s', (schema, query, value) => {
    expect(readAs(schema, query)).toEqual(value);
  });

  it('up to 100, or as many as it names', () => {
    const query = (count: number) =>
      Array.from({ length: count }, (_, i) => `p[m${i}]=1`).join('&');
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, whole]));
    const read = (properties: object, count: number) => {
      const schema = { type: 'object', properties, additionalProperties: whole };
      const reader = readerOf({ in: 'query', style: 'deepObject', explode: true, schema });
      return refusal(() => Object.values(Object(reader({ query: query(count) }))));
    };
    for (const [named, most] of [
      [0, 100],
      [99, 100],
      [120, 120],
    ] as const) {
      expect(read(members(named), most)).toEqual(Array.from({ length: most }, () => 1));
      expect(read(members(named), most + 1)).toEqual([
        { path: '/query/p', message: `must not have more than ${most} properties` },
      ]);
    }
  });
});

describe('the items of a list are read by their place', () => {
  const places = (count: number) => 'p=1&'.repeat(count).slice(0, -1);
  const first = { prefixItems: [text, whole], items: yes };
  it.each<[unknown, string, unknown]>([
    [{ type: 'array', ...first }, 'p=1&p=1&p=true&p=true', ['1', 1, true, true]],
    [{ type: 'array', prefixItems: [whole] }, 'p=1&p=1', [1, '1']],
    [{ allOf: [first, { type: 'array' }] }, 'p=1&p=1&p=true', ['1', 1, true]],
    [{ allOf: [{ items: whole }, { prefixItems: [{}, yes] }] }, 'p=1&p=true', [1, true]],
    [{ items: { type: 'integer' } }, places(150), Array.from({ length: 150 }, () => 1)],
    [{ type: 'array' }, 'p=1&p=1', ['1', '1']],
    [{ enum: [[1, 2], 'a'] }, 'p=1&p=2', ['1', '2']],
    [{ enum: [[1, 2], 'a'] }, 'p=a', 'a'],
    [{ oneOf: [{ items: whole }, { items: yes }] }, 'p=1&p=true', [1, true]],
  ])('%j: %.40s', (schema, query, value) => {
    expect(readAs(schema, query)).toEqual(value);
  });

  it('also behind the tenth, where several schemas say what they are', () => {
    const part = { type: 'array', prefixItems: [...Array(10).fill(whole), text, whole] };
    const values = [...Array(10).fill(1), '1', 1];
    expect(readAs({ allOf: [part, { ...part }] }, places(12))).toEqual(values);
    expect(readAs(part, places(12))).toEqual(values);
  });

  it('also where they are objects without a type', () => {
    const schema = { type: 'array', items: { properties: { a: whole } } };
    const read = readerOf({ in: 'query', style: 'deepObject', explode: true, schema });
    expect(read({ query: 'p[0][a]=1&p[1][a]=2' })).toEqual([{ a: 1 }, { a: 2 }]);
  });
});

describe('the shapes of what a schema has within', () => {
  // As much of a document as is read.
  const document = {} as Document;

  it('are kept for the members that it names alone', () => {
    const shape = shapeOf(document, { properties: { a: whole }, additionalProperties: yes });
    expect(shape.member('a')).toBe(shape.member('a'));
    expect(shape.member('x')).toEqual(expect.objectContaining({ types: new Set(['boolean']) }));
    expect(shape.member('x')).not.toBe(shape.member('x'));
  });

  it('are kept by the schema of an item, or for the first ten places', () => {
    const one = shapeOf(document, { items: whole });
    expect(one.item(0)).toBe(one.item(50));
    const two = shapeOf(document, { allOf: [{ items: whole }, { items: { minimum: 1 } }] });
    expect(two.item(9)).toBe(two.item(9));
    expect(two.item(10)).not.toBe(two.item(10));
    expect(two.item(0)).not.toBe(two.item(9));
  });
});

describe('the values of a request', () => {
  it('are plain objects, with what was sent alone', () => {
    const read = valuesReaderOf({ in: 'query', schema: text });
    const nothing = { query: {}, headers: {}, path: {}, cookies: {} };
    expect(read({})).toStrictEqual(nothing);
    expect(read({ query: 'p=a' })).toStrictEqual({ ...nothing, query: { p: 'a' } });
    const header = valuesReaderOf({ in: 'header', schema: text });
    expect(header({ header: 'a' })).toStrictEqual({ ...nothing, headers: { p: 'a' } });
  });

  it('have the names of the contract, those of headers in lower case', () => {
    const parameters = [
      { name: 'Size', in: 'query', schema: text },
      { name: 'Size', in: 'cookie', schema: text },
      { name: 'P', in: 'header', schema: text },
    ];
    const read = valuesReaderOf({ in: 'query', schema: text }, { parameters });
    expect(read({ query: 'Size=a', cookie: 'Size=b', header: 'c' })).toStrictEqual({
      ...{ query: { Size: 'a' }, headers: { p: 'c' }, path: {}, cookies: { Size: 'b' } },
    });
  });

  it.each([
    ['of this operation', { key: [] }, 'api_key=1', undefined],
    ['of another', {}, 'api_key=1', '/query/api_key'],
    ['in a header', { head: [] }, 'X-Key=1', '/query/X-Key'],
    ['that is a token', { token: [] }, 'token=1', '/query/token'],
    ['that is not declared', { other: [] }, 'other=1', '/query/other'],
  ])('may have beside them a key in the query: %s', (_, security, query, path) => {
    const read = readerOf({ in: 'query', schema: text }, { security: [security] });
    const found = refusal(() => read({ query: `p=a&${query}` }));
    expect(found).toEqual(
      path === undefined ? 'a' : [{ path, message: 'is not a parameter of this operation' }],
    );
  });
});
