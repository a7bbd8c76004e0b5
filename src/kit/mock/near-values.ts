import { isObject } from '../contract/openapi-document.ts';
import { withMembers } from './more-members.ts';
import type { Parts } from './one-of.ts';
import { textsFor } from './pattern-text.ts';

type Schema = Readonly<Record<string, unknown>>;

// Bounds the search for what `not` leaves.
const MOST_VALUES = 300;
const FARTHEST = 10;
const OF_EACH_TYPE: readonly unknown[] = ['a', '', 1, 0, true, null, {}, []];

/** A value that a schema with `not` admits: one that differs a little, or one of another type. */
export function admittedNear(value: unknown, schema: Schema, parts: Parts): unknown {
  let left = MOST_VALUES;
  for (const each of near(value, schema, parts)) {
    if (parts.admits(schema, each)) return each;
    if (--left === 0) return undefined;
  }
  return undefined;
}

function* near(value: unknown, schema: Schema, parts: Parts): Generator<unknown> {
  const { enum: choices, not } = schema;
  if (Array.isArray(choices)) yield* choices;
  const refused = parts.resolved(not);
  if (typeof value === 'string') yield* textsNear(value, schema, refused);
  else if (typeof value === 'number') yield* numbersNear(value, schema, refused);
  else if (typeof value === 'boolean') yield !value;
  else if (Array.isArray(value)) yield* listsNear(value, schema, refused, parts);
  else if (isObject(value)) yield* objectsNear(value, schema, refused, parts);
  yield* OF_EACH_TYPE;
}

function* textsNear(value: string, schema: Schema, { maxLength = 0 }: Schema): Generator<string> {
  const { pattern } = schema;
  if (typeof pattern === 'string') yield* textsFor(pattern, schema);
  yield `${value}a`;
  yield value.padEnd(Number(maxLength) + 1, 'a');
  for (const character of 'a1A- ') yield character.repeat(Math.max(value.length, 1));
}

function* numbersNear(value: number, schema: Schema, refused: Schema): Generator<number> {
  const step = Number(schema.multipleOf ?? 1);
  for (let far = step; far <= FARTHEST * step; far += step) yield* [value + far, value - far];
  yield* [value + step / 2, Number(refused.maximum) + step, Number(refused.minimum) - step];
}

function* listsNear(
  value: readonly unknown[],
  { items }: Schema,
  { maxItems = 0 }: Schema,
  parts: Parts,
): Generator<readonly unknown[]> {
  const missing = Math.max(1, Number(maxItems) + 1 - value.length);
  yield value.slice(1);
  yield [];
  yield [...value, ...Array.from({ length: missing }, () => value[0] ?? parts.sampleOf(items))];
  for (const [i, item] of value.entries()) {
    const schema = parts.resolved(items);
    for (const other of near(item, schema, parts)) yield value.with(i, other);
  }
}

function* objectsNear(
  value: Schema,
  schema: Schema,
  refused: Schema,
  parts: Parts,
): Generator<Schema> {
  const count = Object.keys(value).length;
  for (const name of Object.keys(value)) {
    const { [name]: _, ...others } = value;
    yield others;
  }
  yield {};
  const most = Math.max(count, Number(refused.maxProperties ?? 0)) + 1;
  yield withMembers(value, most, schema, parts) ?? {};
  const known = parts.propertiesOf(schema);
  for (const name of new Set([...Object.keys(value), ...Object.keys(Object(refused.properties))])) {
    const member = parts.resolved(known.get(name));
    for (const other of near(value[name], member, parts)) yield { ...value, [name]: other };
  }
}
