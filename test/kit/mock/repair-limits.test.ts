// engines: sqlite
import { afterAll, beforeAll, expect, it } from 'vitest';
import { object, text, whole } from '../../support/schemas.ts';
import { serveValues } from '../../support/value-server.ts';

const numbers = { type: 'array', items: whole };

/** A list with one fault, and a text that makes it as many characters of JSON as are looked at in all. */
const beside = (characters: number) => {
  const rest = JSON.stringify({ value: { a: ['x'], b: '' } }).length;
  return { a: ['x'], b: 'b'.repeat(characters - rest) };
};
const most = beside(1_999_999);
const more = beside(2_000_000);
/** So many objects within each other. */
const objects = (levels: number, last: object): object =>
  levels === 0 ? last : object({ a: objects(levels - 1, last) });
const within = (levels: number, value: unknown): unknown =>
  levels === 0 ? value : { a: within(levels - 1, value) };

/** Schemas, examples that they do not admit, and what is answered instead; undefined where nothing is found. */
const repaired: Readonly<
  Record<string, readonly [schema: object, example: unknown, answer: unknown]>
> = {
  'two million characters less one': [
    object({ a: numbers, b: text }),
    ...([most, { ...most, a: [0] }] as const),
  ],
  'two million characters': [
    object({ a: numbers, b: text }),
    ...([more, { ...more, a: [] }] as const),
  ],
  // What a third one refuses is no fault where two admit the value.
  'a number of two, beside a text': [
    { oneOf: [text, whole, { type: 'number' }] },
    ...([3, 3.5] as const),
  ],
  'a number of two, too deep, that is left out': [
    { ...objects(12, { oneOf: [whole, { type: 'number' }] }), maxProperties: 0 },
    ...([within(12, 3), {}] as const),
  ],
  // As doubles the multiples before it are none: 3001 * 0.173 / 0.173 is 3001.0000000000005.
  'the twentieth multiple above a minimum': [
    { type: 'number', multipleOf: 0.173, minimum: 519.0865 },
    ...([0, 3020 * 0.173] as const),
  ],
  'a later multiple above a minimum': [
    { type: 'number', multipleOf: 0.067, minimum: 32.1935 },
    ...([0, undefined] as const),
  ],
  'a constant that is no object': [{ const: 5, required: ['a'] }, {}, 5],
  'the last of an enum': [{ ...text, enum: ['a', 'bb'], minLength: 2 }, 'a', 'bb'],
  'type number, shown as a text': [
    { type: 'number', oneOf: [{ const: 'a' }, { minimum: -5 }] },
    ...(['z', 0] as const),
  ],
};

let server: Awaited<ReturnType<typeof serveValues>>;
beforeAll(async () => {
  const shown = Object.entries(repaired).map(([name, [schema, example]]) => [
    name,
    { ...schema, example },
  ]);
  server = await serveValues(Object.fromEntries(shown));
});
afterAll(() => server.stop());

it.each(Object.entries(repaired))('repairs an example: %s', async (name, [, , answer]) => {
  const { status, json } = await server.get(name);
  if (answer === undefined) expect(status).toBe(500);
  else expect([status, json]).toEqual([200, answer]);
});
