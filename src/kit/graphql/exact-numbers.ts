import {
  GraphQLID,
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
import { MOST_DIGITS } from './exact-scalars.ts';
import { maxLevels } from './limits/definitions.ts';

/** A JSON value, and where in it a number is not the one that was written. */
export type ExactJson = { readonly value: unknown; readonly rounded: Rounded | undefined };

/** Members of objects and lists, by their owner: a whole number as it was written, or undefined for another. */
export type Rounded = ReadonlyMap<object, ReadonlyMap<string, bigint | undefined>>;

// Most texts have none of these, and are not parsed again.
const MAY_ROUND = /[0-9.]{16}|[0-9][eE]/;

/** Finds the numbers that JSON.parse has rounded in making `parsed` of a JSON text. */
export function exactNumbers(text: string, parsed: unknown): ExactJson {
  // The call of a reviver for each value is recursive. The variables are one level below their body.
  if (!MAY_ROUND.test(text) || nestsDeeper(parsed, maxLevels + 1)) {
    return { value: parsed, rounded: undefined };
  }
  const rounded = new Map<object, Map<string, bigint | undefined>>();
  const value = parseWithSource(text, function (key, value, { source = '' }) {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const isWhole = /^-?[0-9]+$/.test(source) && source.length <= MOST_DIGITS;
    if (isWhole || !Number.isFinite(value) || lossIn(source, value, 'exact')) {
      const known = rounded.get(this) ?? new Map();
      rounded.set(this, known.set(key, isWhole ? BigInt(source) : undefined));
    }
    return value;
  });
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
 * Gives the custom scalars and IDs among an operation's variables their whole numbers as they were written, as
 * bigints. To other types rounding is of no matter, or they refuse such numbers themselves. Says in which variable a
 * custom scalar would be given another number than was written.
 */
export function restoreNumbers(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: object,
  rounded: Rounded,
): string | undefined {
  const lost = variableDefinitions.filter(({ variable, type }) => {
    const known = typeFromAST(schema, type);
    return isInputType(known) && !restore(known, variables, variable.name.value);
  });
  return lost[0]?.variable.name.value;

  /** Whether all that was written is kept. */
  function restore(type: GraphQLInputType, owner: object, key: string): boolean {
    const value: unknown = Reflect.get(owner, key);
    const bare = getNullableType(type);
    if (isScalarType(bare)) {
      if (bare === GraphQLID) restoreMember(owner, key);
      return isSpecifiedScalarType(bare) || restoreWithin(owner, key, value);
    }
    if (isListType(bare) && !Array.isArray(value)) return restore(bare.ofType, owner, key);
    if (typeof value !== 'object' || value === null) return true;
    if (isListType(bare)) {
      return Object.keys(value).every((index) => restore(bare.ofType, value, index));
    }
    const fields = isInputObjectType(bare) ? Object.values(bare.getFields()) : [];
    return fields.every((field) => restore(field.type, value, field.name));
  }

  function restoreMember(owner: object, key: string): boolean {
    const members = rounded.get(owner);
    if (!members?.has(key)) return true;
    const written = members.get(key);
    if (written !== undefined) Reflect.set(owner, key, written);
    return written !== undefined;
  }

  function restoreWithin(owner: object, key: string, value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return restoreMember(owner, key);
    return Object.entries(value).every(([name, each]) => restoreWithin(value, name, each));
  }
}

/** Whether a value has lists and objects more than `most` levels below it. */
export function nestsDeeper(value: unknown, most: number): boolean {
  if (!isNested(value)) return false;
  return most < 0 || Object.values(value).some((each) => nestsDeeper(each, most - 1));
}

function isNested(value: unknown): value is object {
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
