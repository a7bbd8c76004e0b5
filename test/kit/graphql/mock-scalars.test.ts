import { GraphQLScalarType, graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import type { Scalars } from '../../../src/kit/graphql/resolver-check.ts';
import { repeated } from '../../support/graphql-refusals.ts';

const COUNT = 60;

/** Mocked values of a scalar, one for each of many records. */
async function valuesOf(name: string, scalars: Scalars = {}): Promise<unknown[]> {
  const isBuiltIn = ['Int', 'Float', 'Boolean', 'ID', 'String'].includes(name);
  const sdl = `${isBuiltIn ? '' : `scalar ${name}`}
    type Query { things(ids: [ID!]!): [Thing!]! } type Thing { id: ID! value: ${name}! }`;
  const schema = createSchema(sdl, {}, { mockSeed: 1, onWarning: () => {}, scalars });
  const source = `{ things(ids: [${repeated(COUNT, (i) => `"${i}"`)}]) { value } }`;
  const { data, errors } = await graphql({ schema, source });
  expect(errors).toBeUndefined();
  return Object(data).things.map(({ value }: { value: unknown }) => value);
}

const words = /^[a-z]+( [a-z]+)*$/i;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const address = /^https:\/\/example\.com\/\w+$/;

const isInteger = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isText = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value);
const isCents = (value: unknown) =>
  typeof value === 'number' &&
  value <= 1000 &&
  Math.abs(value * 100 - Math.round(value * 100)) < 1e-6;

/** The scalars that are known by their names, with what their values are. */
const known: [string, (value: unknown) => boolean][] = [
  ...['Int', 'BigInt', 'Long', 'Int64', 'UnsignedInt', 'PositiveInt', 'NonNegativeInt'].map(
    (name): [string, (value: unknown) => boolean] => [name, isInteger],
  ),
  ...['Float', 'Decimal', 'Double'].map((name): [string, typeof isCents] => [name, isCents]),
  ['Boolean', (value) => typeof value === 'boolean'],
  ['ID', isText(/^[0-9a-f]{8}$/)],
  ['String', isText(words)],
  ...['DateTime', 'Timestamp', 'Instant', 'LocalDateTime', 'GitTimestamp'].map(
    (name): [string, (value: unknown) => boolean] => [name, isText(time)],
  ),
  ...['Date', 'LocalDate'].map((name): [string, (value: unknown) => boolean] => [
    name,
    isText(/^\d{4}-\d\d-\d\d$/),
  ]),
  ...['Time', 'LocalTime'].map((name): [string, (value: unknown) => boolean] => [
    name,
    isText(/^\d\d:\d\d:\d\d(\.\d+)?Z$/),
  ]),
  ...['URI', 'URL', 'Uri', 'Url', 'AvatarURL'].map(
    (name): [string, (value: unknown) => boolean] => [name, isText(address)],
  ),
  ...['UUID', 'Uuid', 'GUID', 'ShipUUID'].map((name): [string, (value: unknown) => boolean] => [
    name,
    isText(uuid),
  ]),
  ...['Email', 'EmailAddress', 'WorkEmail'].map((name): [string, (value: unknown) => boolean] => [
    name,
    isText(/^\w+@example\.com$/),
  ]),
  ['HTML', isText(/^<p>[a-z ]+<\/p>$/i)],
  ['GitObjectID', isText(/^[0-9a-f]{40}$/)],
  ['Base64String', (value) => words.test(Buffer.from(String(value), 'base64').toString())],
  ['Duration', isText(/^PT([1-9]|[1-5]\d)M$/)],
  // Not known by these names.
  ...['Money', 'Daten', 'Timer', 'HTMLish', 'MyInt', 'Xjson'].map(
    (name): [string, (value: unknown) => boolean] => [name, isText(words)],
  ),
];

describe('A mocked scalar', () => {
  it.each(known)('%s is what its name says, and not always the same', async (name, isFit) => {
    const values = await valuesOf(name);
    expect(values).toHaveLength(COUNT);
    expect(values.filter((value) => !isFit(value))).toEqual([]);
    expect(new Set(values).size).toBeGreaterThan(1);
  });

  it.each(['JSON', 'JSONObject', 'json'])('%s is an object', async (name) => {
    expect(await valuesOf(name)).toEqual(Array(COUNT).fill({}));
  });

  it.each<[string, (value: unknown) => boolean]>([
    ['text', isText(words)],
    ['a whole number', isInteger],
    ['a time', isText(time)],
    ['a UUID', isText(uuid)],
    ['an address', isText(address)],
    ['true or false', (value) => typeof value === 'boolean'],
    ['an object', (value) => typeof value === 'object'],
  ])('is what its own code admits: %s', async (_, isFit) => {
    const throwing = new GraphQLScalarType({
      name: 'Own',
      coerceOutputValue(value) {
        if (!isFit(value)) throw new TypeError('another');
        return value;
      },
    });
    const giving = new GraphQLScalarType({
      name: 'Own',
      coerceOutputValue: (value) => (isFit(value) ? value : null),
    });
    for (const Own of [throwing, giving]) {
      expect((await valuesOf('Own', { Own })).filter((value) => !isFit(value))).toEqual([]);
    }
  });

  it('of a known name is what its own code admits, where that is another', async () => {
    const later = new GraphQLScalarType({
      name: 'Date',
      coerceOutputValue(value) {
        if (!isText(time)(value)) throw new TypeError('no time');
        return value;
      },
    });
    expect((await valuesOf('Date', { Date: later })).every(isText(time))).toBe(true);
  });
});
