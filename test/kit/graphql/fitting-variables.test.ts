import { buildSchema, type GraphQLScalarType, Kind, parse } from 'graphql';
import { expect, it } from 'vitest';
import { fittingVariables } from '../../../src/kit/graphql/fitting-variables.ts';

const schema = buildSchema('scalar Odd  type Query { sum(of: [Odd!]!): Int! }');
const [operation] = parse('query ($of: [Odd!]!) { sum(of: $of) }').definitions;
let looks = 0;
Object.assign(schema.getType('Odd') as GraphQLScalarType, {
  coerceInputValue(value: unknown) {
    looks++;
    if (typeof value !== 'number' || value % 2 === 0) throw new TypeError('must be odd');
    return value;
  },
});

function fitting(of: readonly number[]) {
  looks = 0;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
  return fittingVariables(schema, operation, { of })?.coerced;
}

it('gives the values of variables that fit', () => {
  expect(fitting([1, 3])).toEqual({ of: [1, 3] });
});

it('looks at no more of those that do not fit than it takes to know', () => {
  expect(fitting(Array(20_000).fill(2))).toBeUndefined();
  // Once for its value, and once for the error.
  expect(looks).toBe(2);
});

it('gives no values where an operation has no variables, and defaults where none are sent', () => {
  const fits = (text: string, variables?: object | null) => {
    const [node] = parse(text).definitions;
    if (node?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
    return fittingVariables(schema, node, variables as Parameters<typeof fittingVariables>[2]);
  };
  const plain = 'query { sum(of: []) }';
  for (const given of [undefined, null, {}, { of: 2 }]) {
    expect(fits(plain, given)).toEqual({ sources: {}, coerced: {} });
  }
  for (const given of [undefined, null, {}]) {
    expect(fits('query ($n: Int = 7) { sum(of: []) }', given)?.coerced).toEqual({ n: 7 });
    expect(fits('query ($of: [Odd!]!) { sum(of: $of) }', given)).toBeUndefined();
  }
});
