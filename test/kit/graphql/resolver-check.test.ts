import { GraphQLScalarType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import type { Resolvers, Scalars } from '../../../src/kit/graphql/resolver-check.ts';

const a = () => 1;
const Query = { a };
const source = { subscribe: async function* () {} };
const type = { __resolveType: () => 'A' };
const own = { __isTypeOf: () => true };
const S = new GraphQLScalarType({ name: 'S' });

const roots = `type Query { a: Int b: Int }
type Mutation { c: Int }
type Subscription { d: Int e: Int }`;
const union = `type Query { a: U }
type A { a: Int }
type B { a: Int }
union U = A | B`;
const narrowed = `type Query { a: I }
union U = B
type B { a: Int }
interface I { u: U }
type A implements I { u: B }`;

/** The line with which a schema does not start; undefined where it does. */
function refusal(sdl: string, resolvers: Resolvers, scalars: Scalars = {}): string | undefined {
  try {
    createSchema(sdl, resolvers, { scalars });
    return undefined;
  } catch (error) {
    return String(error).replace('Error: schema.graphql:', '');
  }
}

const missing = (names: string) => `no resolver for ${names}; expected one for each`;
const silent = (names: string) => `no subscribe function for ${names}; expected one for each`;
const untold = (names: string) => `no __resolveType for ${names}; expected one for each`;
const extra = (names: string) => `no field for the resolver of ${names}; expected one for each`;

describe('A schema does not start', () => {
  it.each<[string, string, Resolvers, Scalars, string]>([
    [
      'no resolver at all',
      roots,
      {},
      {},
      `1:14: ${missing('Query.a, Query.b, Mutation.c, Subscription.d, Subscription.e')}`,
    ],
    [
      'no resolver of a query',
      roots,
      { Query, Mutation: { c: a }, Subscription: { d: source, e: source } },
      {},
      `1:21: ${missing('Query.b')}`,
    ],
    [
      'no resolver of a mutation',
      roots,
      { Query: { a, b: a }, Subscription: { d: source, e: source } },
      {},
      `2:17: ${missing('Mutation.c')}`,
    ],
    [
      'no resolver of a subscription',
      roots,
      { Query: { a, b: a }, Mutation: { c: a }, Subscription: { d: source } },
      {},
      `3:28: ${missing('Subscription.e')}`,
    ],
    [
      'no source of events',
      roots,
      { Query: { a, b: a }, Mutation: { c: a }, Subscription: { d: source, e: a } },
      {},
      `3:28: ${silent('Subscription.e')}`,
    ],
    [
      'a source that is no function',
      roots,
      {
        Query: { a, b: a },
        Mutation: { c: a },
        Subscription: { d: { subscribe: 1 }, e: source },
      } as unknown as Resolvers,
      {},
      `3:21: ${silent('Subscription.d')}`,
    ],
    [
      'no resolver of a field with the name of a method',
      'type Query { toString: Int }',
      { Query: {} },
      {},
      `1:14: ${missing('Query.toString')}`,
    ],
    [
      'no resolver of a type with the name of a method',
      'schema { query: toString }\ntype toString { a: Int }',
      {},
      {},
      `2:17: ${missing('toString.a')}`,
    ],
    ['no type of a union', union, { Query }, {}, `4:1: ${untold('U')}`],
    [
      'one type of a union that does not know itself',
      union,
      { Query, A: own },
      {},
      `4:1: ${untold('U')}`,
    ],
    [
      'no type of what a field of an interface returns',
      narrowed,
      { Query, I: type },
      {},
      `2:1: ${untold('U')}`,
    ],
    [
      'no type of two interfaces',
      'type Query implements I & J { a: Int i: I j: [J!]! }\ninterface I { a: Int }\ninterface J { a: Int }',
      { Query: { a, i: a, j: a } },
      {},
      `2:1: ${untold('I, J')}`,
    ],
    [
      'no scalar',
      'type Query { a: S }\nscalar S\nscalar T',
      { Query },
      { S },
      '3:1: no scalar for T; expected one for each',
    ],
    [
      'a scalar without any function',
      'type Query { a: S }\nscalar S',
      { Query, S: {} },
      {},
      '2:1: no scalar for S; expected one for each',
    ],
    // What the SDL does not have.
    [
      'a resolver without a field',
      'type Query { a: Int }\ntype A { b: Int }',
      { Query, A: { b: a, c: a } },
      {},
      `2:1: ${extra('A.c')}`,
    ],
    [
      'resolvers without fields',
      'type Query { a: Int }\n\ntype A { b: Int }',
      [{ Query }, { A: { c: a } }, { Query: { d: a } }],
      {},
      `3:1: ${extra('A.c, Query.d')}`,
    ],
    [
      'a resolver without a type',
      'type Query { a: Int }',
      { Query, A: { b: a } },
      {},
      `1:1: ${extra('A.b')}`,
    ],
    [
      'a __resolveType without a type',
      'type Query { a: Int }',
      { Query, A: type },
      {},
      `1:1: ${extra('A.__resolveType')}`,
    ],
    [
      'a resolver with the name of a method',
      'type Query { a: Int }',
      { Query: { a, toString: () => '1' } },
      {},
      `1:1: ${extra('Query.toString')}`,
    ],
    [
      'a resolver without a field of an interface',
      'type Query implements I { a: Int }\ninterface I { a: Int }',
      { Query, I: { b: a } },
      {},
      `2:1: ${extra('I.b')}`,
    ],
    [
      'a scalar that is none',
      'type Query { a: Int }\ntype S { a: Int }',
      { Query },
      { S },
      `2:1: ${extra('S')}`,
    ],
    [
      'a scalar and a resolver',
      'type Query { a: Int }',
      { Query: { a, b: a } },
      { S },
      `1:1: ${extra('Query.b, S')}`,
    ],
  ])('with %s', (_, sdl, resolvers, scalars, line) => {
    expect(refusal(sdl, resolvers, scalars)).toBe(line);
  });
});

describe('A schema starts', () => {
  it.each<[string, string, Resolvers, Scalars]>([
    [
      'all resolvers',
      roots,
      { Query: { a, b: a }, Mutation: { c: a }, Subscription: { d: source, e: source } },
      {},
    ],
    [
      'resolvers in several maps',
      roots,
      [
        { Query },
        { Query: { b: a }, Subscription: { d: source } },
        { Mutation: { c: a }, Subscription: { e: source } },
      ],
      {},
    ],
    ['a __resolveType', union, { Query, U: type }, {}],
    ['types that know themselves', union, { Query, A: own, B: own }, {}],
    ['an interface whose types know themselves', narrowed, [{ Query, A: own }, { B: own }], {}],
    [
      'an interface that no field returns',
      'type Query implements I { a: Int } interface I { a: Int }',
      { Query },
      {},
    ],
    [
      'resolvers of an interface',
      'type Query implements I { a: Int } interface I { a: Int }',
      { Query, I: { a } },
      {},
    ],
    ['values of an enum', 'type Query { a: E } enum E { X }', { Query, E: { X: 1 } }, {}],
    ['a scalar', 'type Query { a: S } scalar S', { Query }, { S }],
    ['a scalar among the resolvers', 'type Query { a: S } scalar S', [{ Query }, { S }], {}],
    [
      'a scalar of one function',
      'type Query { a: S } scalar S',
      { Query, S: { serialize: String } },
      {},
    ],
  ])('with %s', (_, sdl, resolvers, scalars) => {
    expect(refusal(sdl, resolvers, scalars)).toBeUndefined();
  });

  it('with nothing where it is only looked at, and with what fits where it is mocked', () => {
    const onWarning = () => {};
    expect(() => createSchema(roots, {}, { onWarning })).not.toThrow();
    expect(() => createSchema(roots, {}, { mockSeed: 1 })).not.toThrow();
    expect(() => createSchema(roots, {}, { onWarning, mockSeed: 1 })).not.toThrow();
    const odd = { Query: { f: a } };
    expect(() => createSchema(roots, odd, { onWarning, mockSeed: 1 })).toThrow(extra('Query.f'));
    expect(() => createSchema(roots, odd, { mockSeed: 1 })).toThrow(extra('Query.f'));
  });
});
