// engines: sqlite
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';
import { object, ref, text, whole } from '../../support/schemas.ts';
import { articleIn, seenText } from '../../support/seen-text.ts';

const link = (name: string) => `[${name}](/docs/rest/schemas/${name})`;

/** Objects within each other, each with one member. */
const nested = (level: number): object =>
  object({ [`l${level}`]: level === 9 ? text : nested(level + 1) });
/** Parts within each other, each with a member beside them. */
const composed = (level: number): object =>
  level === 9
    ? object({ p9: text })
    : { allOf: [composed(level + 1)], ...object({ [`p${level}`]: text }) };
/** Options within each other, each with a member beside them. */
const nestedOptions = (level: number): object =>
  object({ [`o${level}`]: text }, level === 9 ? {} : { oneOf: [nestedOptions(level + 1)] });
/** Lists within each other, the last one of objects. */
const lists = (count: number): object =>
  count === 0 ? object({ a: text }) : { type: 'array', items: lists(count - 1) };
const option = (_: unknown, i: number) => object({ [`o${i}`]: text });
const values = (length: number) => ({ enum: Array.from({ length }, (_, i) => i) });

/** What the page of a schema says below its heading. */
const shown: Readonly<Record<string, readonly [schema: unknown, ...lines: string[]]>> = {
  // Types.
  Any: [{}, 'any value'],
  Text: [text, 'string'],
  Formatted: [{ type: 'string', format: 'date' }, 'string (date)'],
  Several: [{ type: ['string', 'null'] }, 'string or null'],
  Constant: [{ const: 'x' }, '"x"'],
  ListOfText: [{ type: 'array', items: text }, 'array of string'],
  ListOfAnything: [{ type: 'array' }, 'array of any value'],
  ListByItems: [{ items: whole }, 'array of integer'],
  ListOfNothing: [{ type: 'array', items: false }, 'array of nothing'],
  Map: [{ type: 'object', additionalProperties: whole }, 'map of integer'],
  MapByOthers: [{ additionalProperties: whole }, 'map of integer'],
  Free: [{ type: 'object', additionalProperties: true }, 'object'],
  Closed: [{ type: 'object', additionalProperties: false }, 'object; no other members'],
  AnyOf: [{ anyOf: [text, ref('Text')] }, `string or ${link('Text')}`],
  OneOf: [{ oneOf: [whole, text] }, 'integer or string'],
  AllOf: [
    { allOf: [ref('Node'), object({ a: text })] },
    `${link('Node')} and object`,
    `next ${link('Node')}`,
    'a string',
  ],
  Described: [
    { ...text, description: 'See `Text`.\n\n# More\n\nOf `it`.' },
    'See [Text](/docs/rest/schemas/Text).',
    '## More',
    'Of it.',
    'string',
  ],
  // Members.
  Node: [object({ next: ref('Node') }), 'object', `next ${link('Node')}`],
  ByMembers: [{ properties: { a: text } }, 'object', 'a string'],
  Others: [
    object({ a: text }, { additionalProperties: whole }),
    'object',
    'a string',
    'Other members: integer',
  ],
  NoOthers: [object({ a: text }, { additionalProperties: true }), 'object', 'a string'],
  Marked: [
    object(
      {
        a: { ...text, deprecated: true },
        b: { ...text, readOnly: true, description: 'Of `Text`.' },
        c: { ...text, writeOnly: true },
        any: true,
        none: false,
      },
      { required: ['a', 'c'] },
    ),
    ...[
      'object',
      'a string required deprecated',
      'b string',
      'Of [Text](/docs/rest/schemas/Text).',
      'only in answers',
    ],
    ...['c string required', 'only in requests', 'any any value', 'none nothing'],
  ],
  // The bounds of a named text stand beside it, what is in a named object does not.
  Named: [
    object({
      level: ref('Level'),
      own: { ...ref('Level'), description: 'Its own.' },
      part: ref('Part'),
      parts: ref('AllOf'),
      plain: { ...whole, minimum: 3 },
    }),
    ...[
      'object',
      `level ${link('Level')}`,
      'How high.',
      '1 to 9',
      `own ${link('Level')}`,
      'Its own.',
      '1 to 9',
    ],
    ...[`part ${link('Part')}`, `parts ${link('AllOf')}`, 'plain integer', 'at least 3'],
  ],
  Level: [
    { ...whole, minimum: 1, maximum: 9, description: 'How high.' },
    'How high.',
    'integer; 1 to 9',
  ],
  Part: [
    object({ a: text }, { description: 'A part.', minProperties: 1 }),
    'A part.',
    'object; at least 1 member',
    'a string',
  ],
  Inner: [
    object({
      in: object({ a: text }),
      list: { type: 'array', items: { type: 'array', items: object({ b: text }) } },
      named: { type: 'array', items: ref('Node') },
    }),
    ...[
      'object',
      'in object',
      'Members',
      'a string',
      'list array of array of object',
      'Members',
      'b string',
      `named array of ${link('Node')}`,
    ],
  ],
  ListOfObjects: [{ type: 'array', items: object({ a: text }) }, 'array of object', 'a string'],
  MapOfObjects: [
    { type: 'object', additionalProperties: object({ a: text }) },
    'map of object',
    'a string',
  ],
  ListOfNamed: [{ type: 'array', items: ref('Level') }, `array of ${link('Level')}`],
  Options: [
    {
      oneOf: [object({ a: text }), ref('Node'), text, object({ b: whole })],
      ...object({ kind: text }),
    },
    ...[
      `object or ${link('Node')} or string or object`,
      'kind string',
      'object',
      'a string',
      'object',
      'b integer',
    ],
  ],
  AnyOptions: [{ anyOf: [object({ a: text })] }, 'object', 'object', 'a string'],
  OptionsAndOthers: [
    { oneOf: [object({ a: text })], additionalProperties: whole },
    ...['object', 'object', 'a string'],
  ],
  PartOptions: [
    {
      allOf: [
        object({ kind: text }, { required: ['kind'] }),
        { anyOf: [object({ a: text })] },
        { oneOf: [object({ b: text })] },
      ],
    },
    ...[
      'object and object and object',
      'kind string required',
      'object',
      'a string',
      'object',
      'b string',
    ],
  ],
  OneOption: [
    { allOf: [object({ kind: text }), { anyOf: [object({ a: text })] }] },
    ...['object and object', 'kind string', 'object', 'a string'],
  ],
  PartsAndOptions: [
    { allOf: [object({ kind: text })], oneOf: [object({ a: text }), object({ b: text })] },
    ...['object or object', 'kind string', 'object', 'a string', 'object', 'b string'],
  ],
  Twelve: [
    { oneOf: Array.from({ length: 13 }, option) },
    ...[Array(13).fill('object').join(' or ')],
    ...Array.from({ length: 12 }, (_, i) => ['object', `o${i} string`]).flat(),
  ],
  Nested: [
    nested(0),
    'object',
    ...[0, 1, 2, 3, 4, 5].flatMap((level) => [`l${level} object`, 'Members']),
    'l6 object',
  ],
  NestedOptions: [
    nestedOptions(0),
    ...[0, 1, 2, 3, 4, 5, 6].flatMap((level) => ['object', `o${level} string`]),
  ],
  SixLists: [lists(6), `${'array of '.repeat(6)}object`, 'a string'],
  SevenLists: [lists(7), `${'array of '.repeat(7)}object`],
  Composed: [composed(0), 'object', ...[7, 6, 5, 4, 3, 2, 1, 0].map((level) => `p${level} string`)],
  // Bounds, at and around where the words change.
  AtLeast: [{ ...whole, minimum: 0 }, 'integer; at least 0'],
  AtMost: [{ ...whole, maximum: 1000 }, 'integer; at most 1,000'],
  Exactly: [{ ...whole, minimum: 5, maximum: 5 }, 'integer; 5'],
  Between: [
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1.5 },
    'number; above 0; below 1.5',
  ],
  Small: [{ type: 'number', multipleOf: 0.00001 }, 'number; a multiple of 0.00001'],
  Smallest: [{ type: 'number', multipleOf: 1e-21 }, `number; a multiple of 0.${'0'.repeat(20)}1`],
  AnyLength: [{ ...text, minLength: 0 }, 'string'],
  OneLong: [{ ...text, minLength: 1 }, 'string; at least 1 character'],
  TwoLong: [{ ...text, minLength: 2 }, 'string; at least 2 characters'],
  OneAtMost: [{ ...text, minLength: 0, maxLength: 1 }, 'string; at most 1 character'],
  Empty: [{ ...text, maxLength: 0 }, 'string; at most 0 characters'],
  OneAlone: [{ ...text, minLength: 1, maxLength: 1 }, 'string; 1 character'],
  Range: [{ ...text, minLength: 1, maxLength: 200 }, 'string; 1 to 200 characters'],
  Items: [
    { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true, items: text },
    'array of string; 1 to 2 items; each once',
  ],
  Properties: [{ type: 'object', minProperties: 2, maxProperties: 3 }, 'object; 2 to 3 members'],
  Pattern: [{ ...text, pattern: '^<a>$' }, 'string; matches ^<a>$'],
  Values: [values(30), `any value; one of ${values(30).enum.join(', ')}`],
  OneMore: [values(31), `any value; one of ${values(30).enum.join(', ')} and 1 more`],
  ManyValues: [values(32), `any value; one of ${values(30).enum.join(', ')} and 2 more`],
  Preset: [{ ...text, default: '', example: null }, 'string; default ""; for example null'],
  Examples: [
    { type: 'boolean', default: false, examples: [true, false] },
    'boolean; default false; for example true',
  ],
  Long: [{ ...text, example: 'x'.repeat(200) }, `string; for example ${'x'.repeat(200)}`],
  Longer: [{ ...text, example: 'x'.repeat(201) }, `string; for example ${'x'.repeat(200)} …`],
};

let server: Awaited<ReturnType<typeof serveContract>>;
beforeAll(async () => {
  const schemas = Object.fromEntries(
    Object.entries(shown).map(([name, [schema]]) => [name, schema]),
  );
  const get = { operationId: 'look', responses: { 200: { description: 'Seen.' } } };
  const contract = {
    ...{ openapi: '3.1.0', info: { title: 'Forms', version: '1' } },
    ...{ paths: { '/look': { get } }, components: { schemas } },
  };
  server = await serveContract(JSON.stringify(contract), { look: () => ({ status: 200 }) });
});
afterAll(() => server.stop());

it.each(Object.entries(shown))('the page of the schema %s says what it is', async (name, given) => {
  const [, ...lines] = given;
  const page = await fetch(`${server.url}/docs/rest/schemas/${name}`);
  const html = articleIn(await page.text());
  expect(seenText(html)).toEqual(['Schema', `# ${name}`, ...lines]);
  // Nothing that is empty.
  expect(html).not.toMatch(/<(dl|p|details)\b[^>]*>\s*<\/\1>/);
});
