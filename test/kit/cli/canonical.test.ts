// engines: sqlite
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/kit/cli/contract/canonical.ts';

const both = ['string', 'integer'];

describe('documents are compared in one form', () => {
  it.each<[string, object, object]>([
    ['no types', { type: both }, { oneOf: [{ type: 'string' }, { type: 'integer' }] }],
    [
      'words',
      { type: both, description: 'A.' },
      { description: 'A.', oneOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    ...['minLength', 'maxLength', 'pattern'].map((key): [string, object, object] => [
      key,
      { type: both, [key]: 1 },
      { oneOf: [{ type: 'string', [key]: 1 }, { type: 'integer' }] },
    ]),
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(
      (key): [string, object, object] => [
        key,
        { type: both, [key]: 1 },
        { oneOf: [{ type: 'string' }, { type: 'integer', [key]: 1 }] },
      ],
    ),
    [
      'of a schema within another',
      { allOf: [{ properties: { a: { type: both, maximum: 1 } } }] },
      {
        allOf: [
          { properties: { a: { oneOf: [{ type: 'string' }, { type: 'integer', maximum: 1 }] } } },
        ],
      },
    ],
  ])('several types as one of each: %s', (_, schema, expected) => {
    expect(canonical(schema)).toEqual(expected);
  });

  it.each([
    { type: 'string', maxLength: 1 },
    { type: ['string', 'null'], maxLength: 1 },
    { type: both, format: 'a' },
    { type: ['string'], maximum: 1 },
    { type: both, enum: ['a', 1] },
  ])('other types as they are: %j', (schema) => {
    expect(canonical(structuredClone(schema))).toEqual(schema);
  });

  it.each([
    ['text/plain', { type: 'integer' }, { type: 'string' }],
    ['text/plain', undefined, { type: 'string' }],
    ['text/plain', { type: 'string', maxLength: 1 }, { type: 'string', maxLength: 1 }],
    ['application/json', { type: 'integer' }, { type: 'integer' }],
    ['application/problem+json', { type: 'integer' }, { type: 'integer' }],
    ['application/json', { type: ['string'] }, { oneOf: [{ type: 'string' }] }],
    ['application/jsonl', { type: 'integer' }, { type: 'string' }],
  ])('the body of %s with the schema %j', (type, schema, expected) => {
    const media = { ...(schema && { schema }), example: 1 };
    expect(canonical({ responses: { 200: { content: { [type]: media } } } })).toEqual({
      responses: { 200: { content: { [type]: { schema: expected, example: 1 } } } },
    });
  });

  it.each([
    { properties: { content: { type: 'integer' } } },
    { content: '' },
    { content: 7 },
    { content: null },
    { other: { 'a/b': { type: 'integer' } } },
    { content: { 'a/b': { schema: { type: 'string' } }, c: { schema: { type: 'integer' } } } },
  ])('what is no body as it is: %j', (value) => {
    expect(canonical(structuredClone(value))).toEqual(value);
  });
});
