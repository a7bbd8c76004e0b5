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
  expect(looks).toBeLessThan(5);
});
