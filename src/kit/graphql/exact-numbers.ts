import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isScalarType,
  isSpecifiedScalarType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { lossIn } from '../http/exact-json.ts';
import { maxLevels } from './limits/definitions.ts';

/** A JSON value, and where in it a number is not the one that was written. */
export type ExactJson = { readonly value: unknown; readonly rounded: Places | undefined };

/** The members of objects and lists, by their owner. */
type Places = ReadonlyMap<object, ReadonlySet<string>>;

// Most texts have none of these, and are not parsed again.
const MAY_ROUND = /[0-9.]{16}|[0-9][eE]/;
const LONGEST = 1000;

/** Makes the whole numbers beyond 2^53 of a JSON text bigints, in place of the value that JSON.parse has made of it. */
export function exactNumbers(text: string, parsed: unknown): ExactJson {
  // The call of a reviver for each value is recursive.
  if (!MAY_ROUND.test(text) || nestsDeeper(parsed, maxLevels)) {
    return { value: parsed, rounded: undefined };
  }
  const rounded = new Map<object, Set<string>>();
  const value = parseWithSource(text, function (key, value, { source = '' }) {
    if (typeof value !== 'number' || !Number.isFinite(value) || Number.isSafeInteger(value)) {
      if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) mark(this, key);
      return value;
    }
    if (/^-?[0-9]+$/.test(source) && source.length <= LONGEST) return BigInt(source);
    if (lossIn(source, value, 'exact')) mark(this, key);
    return value;
  });
  function mark(owner: object, key: string): void {
    const known = rounded.get(owner) ?? new Set();
    rounded.set(owner, known.add(key));
  }
  return { value, rounded: rounded.size > 0 ? rounded : undefined };
}

type Reviver = (
  this: object,
  key: string,
  value: unknown,
  context: { readonly source?: string },
) => unknown;

// TypeScript does not know the third argument of a reviver yet (ECMAScript 2025, source text access).
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

/**
 * The name of a variable with a number that is not the one that was written, where a custom scalar reads it: to
 * graphql's own types rounding is of no matter, or they refuse such numbers themselves.
 */
export function roundedVariable(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: object,
  rounded: Places,
): string | undefined {
  const names = variableDefinitions.map(({ variable, type }) => {
    const known = typeFromAST(schema, type);
    const name = variable.name.value;
    return isInputType(known) && isRounded(known, variables, name) ? name : undefined;
  });
  return names.find((name) => name !== undefined);

  function isRounded(type: GraphQLInputType, owner: object, key: string): boolean {
    const value: unknown = Object.hasOwn(owner, key) ? Reflect.get(owner, key) : undefined;
    const bare = getNullableType(type);
    if (isScalarType(bare)) {
      return !isSpecifiedScalarType(bare) && (isMarked(owner, key) || isMarkedWithin(value));
    }
    if (isListType(bare) && !Array.isArray(value)) return isRounded(bare.ofType, owner, key);
    if (typeof value !== 'object' || value === null) return false;
    if (isListType(bare)) {
      return Object.keys(value).some((index) => isRounded(bare.ofType, value, index));
    }
    const fields = isInputObjectType(bare) ? Object.values(bare.getFields()) : [];
    return fields.some((field) => isRounded(field.type, value, field.name));
  }

  function isMarked(owner: object, key: string): boolean {
    return rounded.get(owner)?.has(key) ?? false;
  }

  function isMarkedWithin(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    return rounded.has(value) || Object.values(value).some(isMarkedWithin);
  }
}

export function nestsDeeper(value: unknown, most: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each).filter(isNested) : [],
    );
  }
  return false;
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The bigints of a result as JSON numbers; objects without any are kept as they are. */
export function writableNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return rawJSON(String(value));
  if (!isNested(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map(writableNumbers);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  const entries = Object.entries(Object(value));
  const written = entries.map(([name, each]): [string, unknown] => [name, writableNumbers(each)]);
  return written.some(([, each], i) => each !== entries[i]?.[1])
    ? Object.fromEntries(written)
    : value;
}

// TypeScript does not know it yet (ECMAScript 2025, source text access).
const { rawJSON } = JSON as JSON & { rawJSON(text: string): object };
