import { sample } from 'openapi-sampler';
import { type Document, isObject, resolve } from '../contract/openapi-document.ts';
import type { Direction } from '../contract/schema-forms.ts';
import type { Compile } from '../contract/schemas.ts';
import type { Random } from '../seeded-random.ts';
import { createEndless } from './endless-schema.ts';
import { createExcess } from './excessive-schema.ts';
import { textFor } from './pattern-text.ts';
import { randomValue } from './random-value.ts';
import { repaired } from './repair.ts';

/** Makes values that a schema admits, random ones where that is given; undefined for a schema that it cannot satisfy. */
export type Sample = (schema: unknown, direction?: Direction, random?: Random) => unknown;

/** A value from the schema's examples, defaults and types by openapi-sampler, changed where its bounds want it. */
export function createSample(
  document: Document,
  compile: Compile,
  isExcessive = createExcess(document),
  isEndless = createEndless(document),
): Sample {
  const texts = new Map<string, string | undefined>();
  const textOf = (schema: unknown): string | undefined => {
    const { pattern, minLength, maxLength } = Object(schema);
    const key = JSON.stringify([pattern, minLength, maxLength]);
    if (!texts.has(key)) texts.set(key, textFor(pattern, { minLength, maxLength }));
    return texts.get(key);
  };
  return (schema, direction = 'response', random = undefined) => {
    if (isExcessive(schema) || isEndless(schema)) return undefined;
    // A schema of the document.
    const validate = compile(schema as Parameters<Compile>[0], direction);
    const parts = {
      textOf,
      propertiesOf: (each: unknown) => propertiesIn(document, each),
      resolved: (each: unknown) => Object(resolve(document, Object(each))),
      admits: (each: unknown, value: unknown) =>
        // A schema within one of the document.
        compile(each as Parameters<Compile>[0], direction)(structuredClone(value)),
    };
    const draw = random && limited(random);
    const ways: readonly ((each: unknown) => unknown)[] = [
      ...(draw ? [(each: unknown) => randomValue(document, each, draw)] : []),
      remembered((each) => sampled(document, each, direction, false)),
      remembered((each) => sampled(document, each, direction, true)),
      // A list of records that demand such a list again ends only where one is empty.
      remembered((each) => withoutItems(sampled(document, each, direction, true))),
    ];
    for (const sampleOf of ways) {
      const value = unlessTooLong(() =>
        repaired(sampleOf(schema), validate, {
          ...parts,
          // It is changed where it is put.
          sampleOf: (each) => (isEndless(each) ? undefined : structuredClone(sampleOf(each))),
        }),
      );
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

function remembered(make: (schema: unknown) => unknown): (schema: unknown) => unknown {
  const known = new Map<unknown, unknown>();
  return (schema) => {
    if (!known.has(schema)) known.set(schema, make(schema));
    return known.get(schema);
  };
}

// Random numbers drawn for one answer, so that it does not hold up others.
const MOST_DRAWS = 50_000;

class TooLong extends Error {}

function limited(random: Random): Random {
  let draws = 0;
  return () => {
    if (++draws > MOST_DRAWS) throw new TooLong();
    return random();
  };
}

function unlessTooLong(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    if (error instanceof TooLong) return undefined;
    throw error;
  }
}

/** The properties that a schema names, also in what it refers to. */
export function propertiesIn(
  document: Document,
  schema: unknown,
  seen = new Set<unknown>(),
): Map<string, unknown> {
  const { properties, allOf = [] } = Object(resolve(document, Object(schema)));
  if (seen.has(schema)) return new Map();
  seen.add(schema);
  const inner = [allOf].flat().flatMap((each) => [...propertiesIn(document, each, seen)]);
  return new Map([...Object.entries(Object(properties)), ...inner]);
}

function withoutItems(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutItems(each)]),
  );
}

function sampled(
  document: Document,
  schema: unknown,
  direction: Direction,
  skipNonRequired: boolean,
): unknown {
  const options = {
    quiet: true,
    skipNonRequired,
    skipReadOnly: direction === 'request',
    skipWriteOnly: direction === 'response',
    maxSampleDepth: 6,
  };
  // It warns of lengths of a date and of types in `allOf` with `quiet`, too; both are repaired.
  const { warn } = console;
  console.warn = () => {};
  try {
    // Its types want JSON Schema draft 7; it reads the later drafts as well.
    return sample(Object(schema) as never, options, document) ?? null;
  } catch {
    return null;
  } finally {
    console.warn = warn;
  }
}
