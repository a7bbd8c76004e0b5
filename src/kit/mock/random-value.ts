import { type Document, isObject, resolve } from '../contract/openapi-document.ts';
import { integerWithin, pick, type Random, timeOf, uuidOf, wordsOf } from '../seeded-random.ts';

// Below this only what is required is made.
const MOST_LEVELS = 4;
const DEEPEST = 10;

type Schema = Readonly<Record<string, unknown>>;

/**
 * A value of the kind that a schema describes, without its examples. Bounds are kept roughly: `repaired` does the
 * rest.
 */
export function randomValue(
  document: Document,
  schema: unknown,
  random: Random,
  level = 0,
): unknown {
  if (!isObject(schema) || level > DEEPEST) return level > DEEPEST ? null : wordsOf(random);
  const { allOf, oneOf, anyOf, ...own }: Schema = resolve(document, schema);
  const within = (each: unknown) => randomValue(document, each, random, level);
  if (own.const !== undefined) return own.const;
  if (Array.isArray(own.enum)) return pick(random, own.enum);
  const parts = Array.isArray(allOf) ? allOf : [];
  const chosen = [oneOf, anyOf].filter(Array.isArray).map((each) => pick(random, each));
  const others = [...parts, ...chosen].map(within);
  const hasOwn = ['type', 'properties', 'items', 'additionalProperties'].some((key) => key in own);
  const made = hasOwn || others.length === 0 ? ofSchema(document, own, random, level) : undefined;
  const all = made === undefined ? others : [made, ...others];
  const objects = all.filter((each) => isObject(each) && !Array.isArray(each));
  return objects.length > 0 && objects.length === all.length
    ? Object.assign({}, ...objects)
    : all.at(-1);
}

function ofSchema(document: Document, schema: Schema, random: Random, level: number): unknown {
  const types = [schema.type ?? typeIn(schema)].flat().filter((each) => each !== 'null');
  switch (pick(random, types)) {
    case 'object':
      return ofObject(document, schema, random, level);
    case 'array': {
      const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = schema;
      const least = Number(minItems);
      const most = Math.max(least, Math.min(Number(maxItems), level > MOST_LEVELS ? 0 : 3));
      const length = integerWithin(random, Math.min(Math.max(least, 1), most), most);
      return Array.from({ length }, () => randomValue(document, items, random, level + 1));
    }
    case 'integer':
      return ofNumber(schema, random, 1);
    case 'number':
      return ofNumber(schema, random, 0.01);
    case 'boolean':
      return pick(random, [true, false]);
    case undefined:
      return null;
    default:
      return ofText(schema, random);
  }
}

function typeIn(schema: Schema): string {
  if (schema.properties || schema.additionalProperties) return 'object';
  if (schema.items) return 'array';
  return 'minimum' in schema || 'maximum' in schema ? 'number' : 'string';
}

function ofObject(
  document: Document,
  { properties, required = [], additionalProperties }: Schema,
  random: Random,
  level: number,
): object {
  const demanded = new Set([required].flat());
  const entries = Object.entries(Object(properties)).flatMap(([name, each]) => {
    const isWanted = demanded.has(name) || level === 0 || (level < MOST_LEVELS && random() < 0.8);
    const { writeOnly } = isObject(each) ? Object(resolve(document, each)) : {};
    if (!isWanted || writeOnly === true) return [];
    return [[name, randomValue(document, each, random, level + 1)] as const];
  });
  const isMap = entries.length === 0 && isObject(additionalProperties) && level < MOST_LEVELS;
  if (!isMap) return Object.fromEntries(entries);
  const names = [wordsOf(random, 1), wordsOf(random, 1)];
  const value = (name: string) => [
    name,
    randomValue(document, additionalProperties, random, level + 1),
  ];
  return Object.fromEntries(names.map(value));
}

function ofNumber(schema: Schema, random: Random, step: number): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const unit = Number(multipleOf ?? step);
  const lower = [minimum, exclusiveMinimum].filter((each) => typeof each === 'number');
  const upper = [maximum, exclusiveMaximum].filter((each) => typeof each === 'number');
  const most = upper.length > 0 ? Math.min(...upper) : undefined;
  const least = lower.length > 0 ? Math.max(...lower) : Math.min(1, (most ?? 1000) - 1000 * unit);
  const steps = Math.floor(((most ?? least + 1000 * unit) - least) / unit);
  const first = Math.ceil(least / unit);
  const isStrict = exclusiveMinimum !== undefined || exclusiveMaximum !== undefined;
  const edge = isStrict && steps > 1 ? 1 : 0;
  const value = (first + integerWithin(random, edge, Math.max(edge, steps - edge))) * unit;
  return Number(value.toFixed(6));
}

function ofText({ format, minLength = 0, maxLength, pattern }: Schema, random: Random): string {
  const made = formats[String(format)]?.(random);
  if (made !== undefined) return made;
  // One with a pattern is repaired: what it matches is not made here.
  if (pattern !== undefined) return '';
  let text = wordsOf(random);
  while (text.length < Number(minLength) && text.length < 10_000) text += ` ${wordsOf(random)}`;
  return maxLength === undefined ? text : text.slice(0, Number(maxLength));
}

const wordOf = (random: Random) => wordsOf(random, 1);
const formats: Readonly<Record<string, (random: Random) => string>> = {
  uuid: uuidOf,
  'date-time': timeOf,
  date: (random) => timeOf(random).slice(0, 10),
  time: (random) => timeOf(random).slice(11),
  email: (random) => `${wordOf(random)}@example.com`,
  uri: (random) => `https://example.com/${wordOf(random)}`,
  url: (random) => `https://example.com/${wordOf(random)}`,
  'uri-reference': (random) => `/${wordOf(random)}`,
  hostname: (random) => `${wordOf(random)}.example.com`,
  ipv4: (random) => `192.0.2.${integerWithin(random, 1, 254)}`,
  ipv6: (random) => `2001:db8::${integerWithin(random, 1, 9999)}`,
  byte: (random) => Buffer.from(wordsOf(random)).toString('base64'),
};
