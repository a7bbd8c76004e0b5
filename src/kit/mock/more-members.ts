import { createRandom, uuidOf } from '../seeded-random.ts';
import type { Parts } from './one-of.ts';
import { type Lengths, matcherOf, textFor, textsFor } from './pattern-text.ts';

type Members = Readonly<Record<string, unknown>>;

const TRIES_PER_NAME = 10;
// After so many names that are not admitted, another way to make them is tried.
const MOST_MISSES = 30;

/** An object with members added until it has so many; undefined where none can be added. */
export function withMembers(
  value: Members,
  count: number,
  schema: Members,
  { sampleOf, admits, resolved }: Parts,
): Members | undefined {
  const { propertyNames = true, additionalProperties = {} } = schema;
  const properties: Members = Object(schema.properties);
  const patterns = Object.entries(Object(schema.patternProperties)).map(
    ([pattern, each]) => [pattern, matcherOf(pattern), each] as const,
  );
  const made = new Map(Object.entries(value));
  const first = made.size;
  const matching = (pattern: string, lengths: Lengths = {}) =>
    namesMatching(pattern, lengths, { first, tries: MOST_MISSES + TRIES_PER_NAME * count });
  const ways: readonly Iterable<string>[] = [
    Object.keys(properties),
    ...patterns.flatMap(([pattern]) => matching(pattern)),
    ...namesOf(resolved(propertyNames), first, matching),
  ];
  for (const way of ways) {
    let misses = 0;
    for (const name of way) {
      if (made.size >= count || misses > MOST_MISSES) break;
      const isNew = !made.has(name) && admits(propertyNames, name);
      const member = isNew && isOpen(schemaOf(name)) ? sampleOf(schemaOf(name)) : undefined;
      if (member !== undefined) made.set(name, member);
      misses = member === undefined ? misses + 1 : 0;
    }
  }
  return made.size > first ? Object.fromEntries(made) : undefined;

  function schemaOf(name: string): unknown {
    if (Object.hasOwn(properties, name)) return properties[name];
    const [, , own] = patterns.find(([, matches]) => matches(name)) ?? [];
    return own ?? additionalProperties;
  }
}

/** Whether members may have such a schema: those of the other direction are marked alone. */
function isOpen(schema: unknown): boolean {
  const { readOnly, writeOnly } = Object(schema);
  return schema !== false && readOnly !== true && writeOnly !== true;
}

/** Names that a schema of names may admit, the likely ones first. */
function namesOf(
  schema: Members,
  first: number,
  matching: (pattern: string, lengths: Lengths) => Iterable<string>[],
): Iterable<string>[] {
  const { const: only, enum: choices = [], minLength, pattern } = schema;
  return [
    [only, choices].flat().filter((each) => typeof each === 'string'),
    counted((n) => `member${first + n}`.padEnd(Number(minLength), '_')),
    counted(lettersOf),
    ...(pattern === undefined ? [] : matching(String(pattern), schema)),
    counted((n) => uuidOf(createRandom(String(n)))),
  ];
}

function namesMatching(
  pattern: string,
  lengths: Lengths,
  { first, tries }: { readonly first: number; readonly tries: number },
): Iterable<string>[] {
  const text = textFor(pattern, lengths);
  if (text === undefined) return [];
  return [textsFor(pattern, lengths, tries), counted((n) => `${text}${first + n}`)];
}

function* counted(nameOf: (n: number) => string): Generator<string> {
  for (let n = 0; ; n++) yield nameOf(n);
}

/** a, b, and so on to z, then ba. */
function lettersOf(n: number): string {
  const letter = String.fromCharCode('a'.charCodeAt(0) + (n % 26));
  return n < 26 ? letter : lettersOf(Math.floor(n / 26)) + letter;
}
