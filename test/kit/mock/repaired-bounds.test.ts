// engines: sqlite
import { afterAll, beforeAll, expect, it } from 'vitest';
import { object, text, whole } from '../../support/schemas.ts';
import { serveValues } from '../../support/value-server.ts';

const from21 = (count: number) => Array.from({ length: count }, (_, i) => 21 + i);

/** So many objects within each other, the last of which has a text where a number is demanded. */
const again = { $ref: '#/components/schemas/again' };
const deep = (levels: number): object => object({ a: levels === 1 ? whole : deep(levels - 1) });
const deepValue = (levels: number, value: unknown): unknown =>
  levels === 0 ? value : { a: deepValue(levels - 1, value) };

/** Schemas whose example they do not admit, and what is answered instead; undefined where nothing can be. */
const repaired: Readonly<
  Record<string, readonly [schema: object, example: unknown, answer: unknown]>
> = {
  // A value of the type that is demanded: what the schema shows, or the plainest.
  'type string': [text, 5, 'string'],
  'type number': [{ type: 'number' }, 'a', 0],
  'type integer': [whole, 'a', 0],
  'type boolean': [{ type: 'boolean' }, 'a', true],
  'type array': [{ type: 'array' }, 'a', []],
  'type object': [{ type: 'object' }, 5, {}],
  'type null': [{ type: 'null' }, 5, null],
  'the first of types': [{ type: ['boolean', 'integer'] }, 'a', true],
  'type of a member': [object({ n: { ...text, default: 'usual' } }), { n: 5 }, { n: 'usual' }],
  'type object of a member': [object({ o: object({ a: whole }) }), { o: 1 }, { o: { a: 0 } }],
  'type object, shown as null': [
    object({ o: { type: 'object', example: null } }),
    { o: 1 },
    { o: {} },
  ],
  // Members.
  'required, described elsewhere': [
    object({ a: { $ref: '#/components/schemas/level' } }, { required: ['a'] }),
    ...([{}, { a: 7 }] as const),
  ],
  'required of a member': [
    object({ a: object({ b: { ...whole, minimum: 4 } }, { required: ['b'] }) }),
    { a: {} },
    { a: { b: 4 } },
  ],
  'two that are required': [
    object({ a: whole, b: text }, { required: ['a', 'b'] }),
    {},
    { a: 0, b: 'string' },
  ],
  'required, of a text': [{ required: ['a'], type: ['object', 'string'] }, {}, { a: null }],
  'additional within': [
    object({ a: object({ b: whole }, { additionalProperties: false }) }),
    { a: { b: 1, c: 2 } },
    { a: { b: 1 } },
  ],
  'at least two members': [
    { type: 'object', minProperties: 2, additionalProperties: whole },
    {},
    { member0: 0, member1: 0 },
  ],
  'at most two members': [
    { type: 'object', maxProperties: 2 },
    { a: 1, b: 2, c: 3 },
    { a: 1, b: 2 },
  ],
  // Numbers, at the bounds and beside them.
  'minimum between': [{ ...whole, minimum: 3.2 }, 1, 4],
  'minimum of a number': [{ type: 'number', minimum: 3.2 }, 1, 3.5],
  'minimum of anything': [{ minimum: 3.2 }, 1, 4],
  'exclusiveMinimum of a number': [{ type: 'number', exclusiveMinimum: 3 }, 3, 3.5],
  'exclusiveMinimum between': [{ ...whole, exclusiveMinimum: 3.5 }, 1, 4],
  'maximum above zero': [{ ...whole, maximum: 5 }, 9, 0],
  'maximum of one': [{ ...whole, maximum: 1 }, 9, 0],
  'maximum of zero': [{ ...whole, maximum: 0 }, 9, 0],
  'exclusiveMaximum below zero': [{ type: 'number', exclusiveMaximum: -2 }, 9, -2.5],
  'exclusiveMaximum of zero': [{ ...whole, exclusiveMaximum: 0, multipleOf: 5 }, 9, -5],
  'maximum below zero': [{ ...whole, maximum: -1, multipleOf: 5 }, 9, -5],
  'multipleOf alone': [{ ...whole, multipleOf: 7 }, 8, 14],
  'multipleOf below a maximum': [{ ...whole, multipleOf: 7, maximum: 10 }, 8, 0],
  'multipleOf of two parts': [
    { allOf: [{ ...whole, multipleOf: 4, minimum: 1 }, { multipleOf: 6 }] },
    ...([1, 12] as const),
  ],
  'multipleOf two parts, and a minimum': [
    { ...whole, minimum: 13, allOf: [{ multipleOf: 4 }, { multipleOf: 6 }] },
    ...([1, 24] as const),
  ],
  'multipleOf a tenth': [{ type: 'number', multipleOf: 0.1, minimum: 0.3, maximum: 0.5 }, 0.3, 0.4],
  'multipleOf three tenths': [{ type: 'number', multipleOf: 0.3, minimum: 0.9 }, 0, 1.2],
  'no multiple between': [{ ...whole, multipleOf: 5, minimum: 6, maximum: 9 }, 6, undefined],
  'two lower bounds': [{ ...whole, minimum: 3, exclusiveMinimum: 7 }, 1, 8],
  'two upper bounds': [{ ...whole, maximum: -3, exclusiveMaximum: -7 }, 1, -8],
  'an exclusive minimum that is no step': [{ ...whole, minimum: 3.5, exclusiveMinimum: 3 }, 1, 4],
  'minimum of 64 bits': [{ ...whole, minimum: 2 ** 63 }, 1, 2 ** 63],
  'maximum of 64 bits': [{ ...whole, maximum: -(2 ** 63) }, 1, -(2 ** 63)],
  'no number beyond the largest': [
    { exclusiveMinimum: Number.MAX_VALUE },
    ...([1, undefined] as const),
  ],
  'enum and a length': [{ ...text, enum: ['a', 'bb', 'cc'], minLength: 2 }, 'a', 'bb'],
  'enum and a length, in a list': [
    { type: 'array', items: { ...text, enum: ['a', 'bb', 'cc'], minLength: 2 } },
    ...([
      ['x', 'x', 'x'],
      ['bb', 'cc', 'bb'],
    ] as const),
  ],
  'enum of which none has the length': [{ ...text, enum: ['a'], minLength: 2 }, 'a', undefined],
  'enum in one part': [{ allOf: [{ enum: ['a', 'b'] }], minLength: 1 }, '', 'a'],
  'one multiple between': [{ ...whole, minimum: 4, maximum: 5, multipleOf: 5 }, 1, 5],
  'multipleOf a fraction': [{ type: 'number', multipleOf: 0.25, minimum: 0.3 }, 0.3, 0.5],
  // Texts and lists.
  'minLength of one': [{ ...text, minLength: 1 }, '', 'a'],
  'maxLength of none': [{ ...text, maxLength: 0 }, 'abc', ''],
  'maxItems of none': [{ type: 'array', maxItems: 0 }, [1], []],
  'minItems of texts': [
    { type: 'array', minItems: 3, items: text },
    [],
    ['string', 'string', 'string'],
  ],
  'distinct, enough others': [{ type: 'array', uniqueItems: true, minItems: 2 }, [1, 1, 2], [1, 2]],
  'distinct, too few others': [
    { type: 'array', uniqueItems: true, minItems: 3 },
    [1, 1, 2, 2],
    [1, 2, 4],
  ],
  'distinct texts': [
    { type: 'array', uniqueItems: true, minItems: 3 },
    ['a', 'a', 'a'],
    ['a', 'a1', 'a2'],
  ],
  'distinct booleans': [
    { type: 'array', uniqueItems: true, minItems: 2 },
    ...([
      [false, false],
      [false, true],
    ] as const),
  ],
  'distinct objects': [
    { type: 'array', uniqueItems: true, minItems: 2 },
    [{ a: { b: true } }, { a: { b: true } }],
    [{ a: { b: true } }, { a: { b: false } }],
  ],
  'distinct lists': [{ type: 'array', uniqueItems: true, minItems: 2 }, [[1], [1]], [[1], [1, 1]]],
  'distinct nothings': [{ type: 'array', uniqueItems: true, minItems: 2 }, [null, null], [null, 1]],
  'distinct from a third': [
    { type: 'array', uniqueItems: true, minItems: 3 },
    [1, 3, 1],
    [1, 3, 4],
  ],
  'distinct from 19 others': [
    { type: 'array', uniqueItems: true, minItems: 21 },
    ...([
      [1, ...from21(19), 1],
      [1, ...from21(19), 40],
    ] as const),
  ],
  'distinct from 20 others, which is not found': [
    { type: 'array', uniqueItems: true, minItems: 22 },
    ...([
      [1, ...from21(21).slice(1), 1],
      [1, ...from21(21).slice(1), null],
    ] as const),
  ],
  'distinct members in any order': [
    { type: 'array', uniqueItems: true, minItems: 2 },
    ...([
      [{ o: [{ a: 1, b: 2 }] }, { o: [{ b: 2, a: 1 }] }],
      [{ o: [{ a: 1, b: 2 }] }, { o: [{ b: 2, a: 1 }, 1] }],
    ] as const),
  ],
  'not to be distinct': [{ type: 'array', uniqueItems: false, minItems: 3 }, [1, 1], [1, 1, null]],
  'items that are wanted': [
    { type: 'array', items: whole, contains: { const: 5 }, minContains: 3 },
    ...([
      [1, 5],
      [5, 5, 5],
    ] as const),
  ],
  'one item that is wanted': [
    { type: 'array', items: whole, contains: { const: 5 }, maxContains: 1 },
    ...([[1, 2], [5]] as const),
  ],
  'an item of anything': [{ type: 'array', contains: {} }, [], [null]],
  'an item that is never made': [{ type: 'array', contains: false }, [1], undefined],
  'dependentRequired of a member': [
    { ...object({ a: whole, b: whole, c: text }), dependentRequired: { a: ['b', 'c', 'd'] } },
    ...([{ a: 1 }, { a: 1, b: 0, c: 'string', d: null }] as const),
  ],
  // One of several.
  'another text': [{ oneOf: [object({ a: text }), object({ b: text })] }, {}, { b: 0 }],
  'another number': [{ oneOf: [object({ a: text }), object({ b: whole })] }, {}, { b: 'string' }],
  'another text or number': [
    { oneOf: [object({ a: text }), object({ b: { type: ['string', 'integer'] } })] },
    {},
    undefined,
  ],
  'another text or nothing': [
    { oneOf: [object({ a: text }), object({ b: { type: ['null', 'string'] } })] },
    {},
    { b: 0 },
  ],
  'another of no type': [
    { oneOf: [object({ a: text }), object({ x: {}, b: whole })] },
    {},
    { b: 'string' },
  ],
  'without what the other demands': [
    {
      oneOf: [
        object({ a: whole, b: whole }, { required: ['a'] }),
        object({ a: whole, b: whole }, { required: ['a', 'b'] }),
      ],
    },
    ...([{ a: 1, b: 2 }, { a: 1 }] as const),
  ],
  'of the first, told apart from a third': [
    {
      oneOf: [
        object({ a: whole }),
        object({ a: whole }, { additionalProperties: false }),
        object({ k: whole }, { required: ['k'] }),
      ],
    },
    ...([{ a: 1 }, { a: 1, k: 'string' }] as const),
  ],
  'of a third, where two cannot be told apart': [
    {
      oneOf: [
        object({ a: whole }, { additionalProperties: false }),
        object({ a: whole }, { additionalProperties: false }),
        object({ k: { ...whole, minimum: 3 } }, { required: ['k'] }),
      ],
    },
    ...([{ a: 1 }, { a: 1, k: 3 }] as const),
  ],
  'two that something else tells apart': [
    { ...object({ k: whole }, { required: ['k'] }), oneOf: [{}, { maxProperties: 1 }] },
    ...([{ a: 1 }, { a: 1, k: 0 }] as const),
  ],
  'two that cannot be told apart': [{ oneOf: [object({}), object({})] }, {}, undefined],
  'a text of both': [{ oneOf: [text, { type: 'string', minLength: 1 }] }, 'a', undefined],
  'a list of what has such a list': [again, undefined, { kids: [] }],
  'different values of an enum': [
    { type: 'array', uniqueItems: true, minItems: 3, items: { enum: ['a', 'b', 'c'] } },
    ...([['a'], ['a', 'b', 'c']] as const),
  ],
  'a value of an enum for each of a list': [
    { type: 'array', items: { enum: ['a', 'b'] } },
    ...([
      ['x', 'x', 'x'],
      ['a', 'b', 'a'],
    ] as const),
  ],
  'a value of an enum under a number': [
    object({ 1: { enum: ['a', 'b'] } }),
    ...([{ 1: 'x' }, { 1: 'a' }] as const),
  ],
  // As far as it goes.
  'eleven levels': [deep(11), deepValue(11, 'a'), deepValue(11, 0)],
  'twelve levels': [deep(12), deepValue(12, 'a'), undefined],
  // In each round 200.
  '5800 faults': [{ type: 'array', items: whole }, Array(5800).fill('a'), Array(5800).fill(0)],
  '5801 faults': [{ type: 'array', items: whole }, Array(5801).fill('a'), []],
  '5801 faults beside another': [
    object({ a: { type: 'array', items: whole }, b: whole }, { required: ['a', 'b'] }),
    { a: Array(5801).fill('a'), b: 'a' },
    { a: [], b: 0 },
  ],
  '5800 faults beside a long text': [
    object({ a: { type: 'array', items: whole }, b: text }),
    { a: Array(5800).fill('a'), b: 'b'.repeat(50_000) },
    { a: Array(5800).fill(0), b: 'b'.repeat(50_000) },
  ],
  '5800 faults beside a longer text': [
    object({ a: { type: 'array', items: whole }, b: text }),
    { a: Array(5800).fill('a'), b: 'b'.repeat(60_000) },
    { a: [], b: 'b'.repeat(60_000) },
  ],
  // Nothing of the contract is changed.
  'a constant that is refused': [
    { type: 'array', items: { type: 'array' }, const: [1] },
    ...([[2], undefined] as const),
  ],
  'a choice that is refused': [
    { type: 'array', items: { type: 'array' }, enum: [[1]] },
    ...([[2], undefined] as const),
  ],
  'all items at once': [
    { type: 'array', minItems: 500, items: whole },
    [7],
    [7, ...Array(499).fill(0)],
  ],
};

/** Texts that a format refuses. */
const formats: Readonly<Record<string, string>> = {
  ...{
    date: 'x',
    time: 'x',
    'date-time': 'x',
    duration: 'x',
    'iso-time': 'x',
    'iso-date-time': 'x',
  },
  ...{
    uri: 'x',
    url: 'x',
    'uri-reference': '\\\\',
    'uri-template': '{',
    email: 'x',
    hostname: '-',
  },
  ...{ ipv4: 'x', ipv6: 'x', uuid: 'x', regex: '[', 'json-pointer': 'x', byte: '*' },
  ...{ 'json-pointer-uri-fragment': 'x', 'relative-json-pointer': 'x' },
};

let server: Awaited<ReturnType<typeof serveValues>>;
beforeAll(async () => {
  const shown = Object.entries(repaired).map(([name, [schema, example]]) => [
    name,
    { ...schema, example },
  ]);
  const formatted = Object.entries(formats).map(([format, example]) => [
    format,
    { ...text, format, example },
  ]);
  const schemas = { ...Object.fromEntries(shown), ...Object.fromEntries(formatted) };
  server = await serveValues(schemas, true, {
    level: { ...whole, minimum: 3, example: 7 },
    again: object({ kids: { type: 'array', items: again } }, { required: ['kids'] }),
  });
});
afterAll(() => server.stop());

it.each(Object.entries(repaired))('repairs an example: %s', async (name, [, , answer]) => {
  const { status, json } = await server.get(name);
  if (answer === undefined) expect(status).toBe(500);
  else expect([status, json]).toEqual([200, answer]);
});

it.each(Object.entries(formats))('repairs an example that is no %s', async (format, example) => {
  const { status, json } = await server.get(format);
  expect(status).toBe(200);
  expect(json).not.toBe(example);
});
