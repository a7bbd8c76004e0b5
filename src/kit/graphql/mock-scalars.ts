import { type GraphQLScalarType, type GraphQLSchema, isScalarType } from 'graphql';
import {
  createRandom,
  integerWithin,
  pick,
  type Random,
  timeOf,
  uuidOf,
  wordsOf,
} from '../seeded-random.ts';

type Make = (random: Random) => unknown;

/** Makes values of scalars: of known ones by their names, of others text, or what their own code admits. */
export function createMockScalars(
  schema: GraphQLSchema,
): (type: GraphQLScalarType, random: Random) => unknown {
  const scalars = Object.values(schema.getTypeMap()).filter(isScalarType);
  const makers = new Map(scalars.map((type) => [type, makerOf(type)]));
  return (type, random) => makers.get(type)?.(random);
}

function makerOf(type: GraphQLScalarType): Make {
  const [, byName] = named.find(([names]) => names.test(type.name)) ?? [];
  const all = [...(byName ? [byName] : []), text, integer, timeOf, uuidOf, address, boolean, empty];
  return all.find((make) => isAdmitted(type, make)) ?? text;
}

function isAdmitted(type: GraphQLScalarType, make: Make): boolean {
  try {
    return type.coerceOutputValue(make(createRandom(type.name))) != null;
  } catch {
    return false;
  }
}

const text: Make = (random) => wordsOf(random);
const integer: Make = (random) => integerWithin(random, 0, 1000);
const boolean: Make = (random) => pick(random, [true, false]);
const address: Make = (random) => `https://example.com/${wordsOf(random, 1)}`;
const empty: Make = () => ({});
const hex = (random: Random, length: number) =>
  Array.from({ length }, () => integerWithin(random, 0, 15).toString(16)).join('');

const named: readonly (readonly [RegExp, Make])[] = [
  [/^(Int|BigInt|Long|Int64|UnsignedInt|PositiveInt|NonNegativeInt)$/, integer],
  [/^(Float|Decimal|Double)$/, (random) => integerWithin(random, 0, 100_000) / 100],
  [/^Boolean$/, boolean],
  [/^ID$/, (random) => hex(random, 8)],
  [/(DateTime|Timestamp|Instant)$/, timeOf],
  [/Date$/, (random) => timeOf(random).slice(0, 10)],
  [/Time$/, (random) => timeOf(random).slice(11)],
  [/(URI|URL|Uri|Url)$/, address],
  [/(UUID|Uuid|GUID)$/, uuidOf],
  [/Email(Address)?$/, (random) => `${wordsOf(random, 1)}@example.com`],
  [/^JSON(Object)?$/i, empty],
  [/^HTML$/, (random) => `<p>${wordsOf(random)}</p>`],
  [/^GitObjectID$/, (random) => hex(random, 40)],
  [/^Base64/, (random) => Buffer.from(wordsOf(random)).toString('base64')],
  [/Duration$/, (random) => `PT${integerWithin(random, 1, 59)}M`],
];
