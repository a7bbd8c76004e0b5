import { isDeepStrictEqual } from 'node:util';
import {
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';

/** To read 190,000 digits took 45 ms, to write them 114 ms. */
export const MOST_DIGITS = 1000;

export function customScalars(schema: GraphQLSchema): GraphQLScalarType[] {
  return Object.values(schema.getTypeMap())
    .filter(isScalarType)
    .filter((type) => !isSpecifiedScalarType(type));
}

/**
 * Makes the custom scalars of a schema read whole numbers in documents and in defaults as they are written. A scalar
 * without a `parseLiteral` of its own is given a number, in which graphql rounds what is beyond 2^53; here it is
 * given a bigint, as for variables. One with `coerceInputLiteral` reads all of the text itself.
 */
export function keepLargeLiterals(schema: GraphQLSchema): void {
  for (const type of customScalars(schema)) {
    const { parseLiteral } = type;
    type.parseLiteral = (node, variables) => {
      if (!hasLargeNumber(node)) return parseLiteral(node, variables);
      const own = outcome(() => parseLiteral(node, variables));
      const rounded = outcome(() => type.coerceInputValue(valueFromASTUntyped(node, variables)));
      const isRounding = isDeepStrictEqual(own, rounded);
      return isRounding
        ? type.coerceInputValue(exactValue(node, variables))
        : parseLiteral(node, variables);
    };
  }
}

type Variables = Parameters<typeof valueFromASTUntyped>[1];

function hasLargeNumber(node: ValueNode): boolean {
  if (node.kind === Kind.INT) return !Number.isSafeInteger(Number(node.value));
  if (node.kind === Kind.LIST) return node.values.some(hasLargeNumber);
  if (node.kind === Kind.OBJECT) return node.fields.some(({ value }) => hasLargeNumber(value));
  return false;
}

function exactValue(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.INT && hasLargeNumber(node)) {
    if (node.value.length <= MOST_DIGITS) return BigInt(node.value);
    throw new GraphQLError(`A whole number has at most ${MOST_DIGITS} digits.`, { nodes: node });
  }
  if (node.kind === Kind.LIST) return node.values.map((each) => exactValue(each, variables));
  if (node.kind !== Kind.OBJECT) return valueFromASTUntyped(node, variables);
  const members: Record<string, unknown> = Object.create(null);
  for (const { name, value } of node.fields) members[name.value] = exactValue(value, variables);
  return members;
}

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return { error: String(error) };
  }
}
