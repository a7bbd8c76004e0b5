// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ref, text, whole } from '../../support/schemas.ts';
import { serveValues } from '../../support/value-server.ts';

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Schemas that refuse what would be made first, and what is made instead. */
const made: Readonly<Record<string, readonly [schema: object, value: unknown]>> = {
  'no null': [{ not: { type: 'null' } }, 'a'],
  'no null and no text': [{ not: { type: ['null', 'string'] } }, 1],
  'nothing but objects': [{ not: { type: ['null', 'string', 'number', 'boolean', 'array'] } }, {}],
  'nothing but lists': [{ not: { type: ['null', 'string', 'number', 'boolean', 'object'] } }, []],
  'nothing but zero': [
    { not: { anyOf: [{ type: ['null', 'string', 'boolean'] }, { exclusiveMinimum: 0 }] } },
    0,
  ],
  'nothing but null': [{ type: ['string', 'null'], not: { type: 'string' } }, null],
  'nothing but booleans': [
    { not: { type: ['null', 'string', 'number', 'object', 'array'] } },
    true,
  ],
  'no text of a component': [{ type: ['string', 'integer'], not: ref('text') }, 1],
  'another text': [{ ...text, not: { const: 'string' } }, 'stringa'],
  'one of two parts': [{ allOf: [text, { not: { const: 'string' } }] }, 'stringa'],
  'a longer text': [{ ...text, not: { maxLength: 10 } }, 'stringaaaaa'],
  'no text at all': [{ ...text, not: { minLength: 1 } }, ''],
  'no small letters': [{ ...text, minLength: 3, not: { pattern: '[a-z]' } }, '111111'],
  'no letters first, and capitals': [{ ...text, not: { pattern: '^[^A]' } }, 'AAAAAA'],
  'no words': [{ ...text, minLength: 1, not: { pattern: '[^-]' } }, '------'],
  'a blank': [{ ...text, minLength: 1, not: { pattern: '[^ ]' } }, '      '],
  'one character that is not the first': [
    { ...text, maxLength: 2, not: { enum: ['', 'a'] }, example: '' },
    '1',
  ],
  'one character': [
    { ...text, minLength: 1, maxLength: 1, not: { pattern: '[a-z]' }, example: '' },
    '1',
  ],
  'another text of a pattern': [{ ...text, pattern: '^[ab]$', not: { const: 'a' } }, 'b'],
  'the three hundredth of many': [{ enum: range(1, 400), not: { enum: range(1, 299) } }, 300],
  'another choice': [{ enum: ['a', 'b'], not: { const: 'a' } }, 'b'],
  'another number': [{ ...whole, not: { const: 0 } }, 1],
  'a number far off': [{ ...whole, not: { maximum: 9 } }, 10],
  'a number farther off': [{ ...whole, not: { maximum: 10 } }, 11],
  'a number ten off': [{ ...whole, not: { enum: range(-9, 9) } }, 10],
  'a number above': [{ ...whole, not: { maximum: 100 } }, 101],
  'a number below': [{ ...whole, not: { minimum: -100 } }, -101],
  'a number below its maximum': [{ ...whole, maximum: 0, not: { const: 0 } }, -1],
  'a number just below': [{ ...whole, not: { minimum: 0 } }, -1],
  'an odd number': [{ ...whole, minimum: 4, not: { multipleOf: 2 } }, 5],
  'another multiple': [{ ...whole, multipleOf: 7, not: { const: 0 } }, 7],
  'a fraction': [{ type: 'number', not: whole }, 0.5],
  'a boolean': [{ type: 'boolean', not: { const: true } }, false],
  'one member of two': [
    { type: 'object', properties: { a: text, b: text }, not: { required: ['a', 'b'] } },
    { b: 'string' },
  ],
  'another value of a member': [
    {
      ...{ type: 'object', required: ['a'], properties: { a: text } },
      not: { properties: { a: { const: 'string' } } },
    },
    { a: 'stringa' },
  ],
  'another value of a member that is refused by its name': [
    {
      ...{ type: 'object', required: ['a'], properties: { a: text } },
      not: { patternProperties: { '^a$': { const: 'string' } } },
    },
    { a: 'stringa' },
  ],
  'another choice of a member': [
    {
      ...{ type: 'object', required: ['a'], properties: { a: ref('choice') } },
      not: { properties: { a: { const: 'x' } } },
    },
    { a: 'y' },
  ],
  'a member of another type': [{ type: 'object', not: { properties: { a: text } } }, { a: 1 }],
  'anything but an object, of a closed one': [
    {
      ...{ properties: { a: whole }, required: ['a'], additionalProperties: false },
      not: { type: 'object' },
    },
    'a',
  ],
  'no members': [{ type: 'object', additionalProperties: whole, not: { minProperties: 1 } }, {}],
  'more members': [
    { type: 'object', additionalProperties: whole, not: { maxProperties: 3 } },
    { property1: 0, property2: 0, member2: 0, member3: 0 },
  ],
  'one member more': [
    {
      type: 'object',
      properties: { a: whole },
      not: { properties: { a: true }, additionalProperties: false },
    },
    { a: 0, member1: null },
  ],
  'no items': [{ type: 'array', items: whole, not: { minItems: 1 } }, []],
  'fewer items': [
    { type: 'array', minItems: 1, items: whole, not: { minItems: 2 }, example: [1, 2] },
    [2],
  ],
  'more items': [{ type: 'array', items: whole, not: { maxItems: 3 } }, [0, 0, 0, 0]],
  'an item': [{ type: 'array', items: whole, not: { maxItems: 0 }, example: [] }, [0]],
  'one item': [{ type: 'array', items: whole, not: { const: [] }, example: [] }, [0]],
  'anything as an item': [{ type: 'array', not: { maxItems: 0 } }, [null]],
  'an item twice': [
    { type: 'array', items: text, not: { uniqueItems: true } },
    ['string', 'string'],
  ],
  'another item': [{ type: 'array', minItems: 1, items: whole, not: { items: { const: 0 } } }, [1]],
  'another item of a component': [
    { type: 'array', minItems: 1, items: ref('choice'), not: { items: { const: 'x' } } },
    ['y'],
  ],
};
const none = {
  nothing: { not: {} },
  'one beyond three hundred': { enum: range(1, 400), not: { enum: range(1, 300) } },
  'a number farther than ten off': { ...whole, not: { enum: range(-10, 10) } },
  'neither true nor false': {
    type: 'boolean',
    allOf: [{ not: { const: true } }, { not: { const: false } }],
  },
};

describe('a mock of a schema with `not`', () => {
  let server: Awaited<ReturnType<typeof serveValues>>;
  beforeAll(async () => {
    const schemas = Object.entries(made).map(([name, [schema]]) => [name, schema]);
    const components = { text, choice: { ...text, enum: ['x', 'y'] } };
    server = await serveValues({ ...Object.fromEntries(schemas), ...none }, true, components);
  });
  afterAll(() => server.stop());

  it.each(Object.entries(made))('makes %s', async (name, [, value]) => {
    expect(await server.get(name)).toEqual({ status: 200, json: value });
    expect((await server.get(name, 'dynamic=true')).status).toBe(200);
  });

  it.each(Object.keys(none))('says why it does not make %s', async (name) => {
    const { status, json } = await server.get(name);
    expect(status).toBe(500);
    expect(json.detail).toMatch(/: the value must NOT be valid, says the schema at #.*\/not\.$/);
  });
});
