import { type GraphQLResolveInfo, GraphQLScalarType, Kind } from 'graphql';
import { createSchema } from '../../src/kit/graphql/executable-schema.ts';
import type { Resolvers, Scalars } from '../../src/kit/graphql/resolver-check.ts';
import type { FeatureSchema } from './feature-schemas.ts';

/** One SDL with every feature that docs/contracts.md lists. */
export const everyFeature = `
"""Ships and their crews, with every feature of the SDL."""
schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", { name: "@shareable", as: "@common" }]) {
  query: Reads
  mutation: Writes
  subscription: Feed
}

"Any whole number."
scalar BigInt @specifiedBy(url: "https://example.com/big-int")
scalar Instant
scalar Anything

directive @bounds(
  minLength: Int! = 0, maxLength: Int, format: Form, minimum: Float, maximum: Float, minItems: Int, maxItems: Int
) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
directive @mark(of: Shade = DARK, level: Int) repeatable on FIELD_DEFINITION | OBJECT | FIELD | QUERY
enum Form { EMAIL }

enum Shade { DARK LIGHT @deprecated(reason: "Use PALE") PALE }
enum Plain { ONE TWO }

interface Node { id: ID! }
interface Vessel implements Node { id: ID! name(upper: Boolean = false): String! }
type Ship implements Vessel & Node @key(fields: "id") @mark(level: 1) {
  id: ID!
  name(upper: Boolean = false): String! @common
  shade: Shade
  tonnage: BigInt
  launched: Instant
  crew(first: Int = 10 @bounds(minimum: 1, maximum: 100), after: String): CrewConnection!
  log: Anything
}
type Raft implements Vessel & Node { id: ID! name(upper: Boolean = false): String! planks: Int }
type Buoy { id: ID! light: Boolean }
union Floating = Ship | Raft | Buoy

type CrewConnection { edges: [CrewEdge!]! nodes: [Sailor!]! pageInfo: PageInfo! }
type CrewEdge { cursor: String! node: Sailor! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type Sailor { id: ID! name: String! ship: Ship mentor: Sailor }

input Range { from: Int = 1 @bounds(minimum: 0), to: Int! = 9, step: Float @bounds(minimum: 0.5, maximum: 2) }
input Filter {
  text: String = "any" @bounds(minLength: 1, maxLength: 5)
  shades: [Shade!] = [DARK, PALE] @bounds(maxItems: 2)
  range: Range = { from: 2 }
  nested: Filter
  all: [Filter!]
  tonnage: BigInt = 9007199254740993
  old: Int @deprecated(reason: "Use range")
}
input Choice @oneOf { id: ID name: String @bounds(maxLength: 3) range: Range }

type Reads { ships: [Ship!]! vessel(id: ID!): Vessel }
extend type Reads {
  floating: [Floating]
  node(id: ID!): Node
  echo(filter: Filter, choice: Choice, big: BigInt, any: Anything, shade: Shade = DARK, id: ID, ratio: Float): String!
  back(big: BigInt, any: Anything, when: Instant): Anything
  names(names: [String!]! @bounds(maxItems: 2, maxLength: 3)): String
  matrix(rows: [[Int!]!]! = [[1], [2, 3]]): String
  old(a: Int @deprecated(reason: "Not used")): Int @deprecated(reason: "Use ships")
  fails: Int
  plain(one: Plain, count: Int): Plain
  sailor: Sailor
}
type Writes { rename(id: ID!, to: String! @bounds(minLength: 1, maxLength: 9)): Ship add(filter: Filter!): String! }
type Feed {
  count(to: Int! @bounds(minimum: 0, maximum: 1000000)): Int!
  sightings: Floating
  broken(after: Int!): Int
  refused: Int
  silent: Int
}
`;

/** The arguments of a call as they reached the resolver: bigints, -0 and what is absent can be told apart. */
function seen(args: unknown): string {
  return JSON.stringify(args, (_, value) => {
    if (typeof value === 'bigint') return `${value}n`;
    return Object.is(value, -0) ? '-0' : value;
  });
}

/** Gives back whole numbers of any size, as bigints. */
const BigIntScalar = new GraphQLScalarType<bigint, bigint>({
  name: 'BigInt',
  coerceOutputValue: (value) => BigInt(String(value)),
  coerceInputValue(value) {
    if (typeof value === 'bigint') return value;
    if (Number.isSafeInteger(value)) return BigInt(Number(value));
    throw new TypeError('BigInt cannot represent what is no whole number.');
  },
});

const Instant = new GraphQLScalarType<Date, string>({
  name: 'Instant',
  coerceOutputValue: (value) => new Date(String(value)).toISOString(),
  coerceInputValue: (value) => new Date(String(value)),
  coerceInputLiteral: (node) => (node.kind === Kind.STRING ? new Date(node.value) : undefined),
});

const Anything = new GraphQLScalarType<unknown, unknown>({ name: 'Anything' });

export const scalars: Scalars = { BigInt: BigIntScalar, Instant, Anything };

/** Told how many events each source has given, and how many sources are open. */
export type Sources = { given: number; open: number };

export function featureResolvers(
  sources: Sources = { given: 0, open: 0 },
  onChange = () => {},
): Resolvers {
  const sailor = { id: 1, name: 'Ann', mentor: () => ({ id: 2, name: 'Bo' }) };
  const ship = {
    kind: 'Ship',
    id: 7,
    name: 'Vasa',
    shade: 2,
    tonnage: 12345678901234567890n,
    launched: '1628-08-10',
    log: { pages: [1, { last: 9007199254740993n }] },
  };
  const raft = { kind: 'Raft', id: 8, name: 'Kon-Tiki', planks: 9 };
  const buoy = { __typename: 'Buoy', id: 9, light: true };
  const byKind = ({ kind }: { kind: string }) => kind;
  const echo = (_: unknown, args: unknown) => seen(args);
  const named = {
    name: ({ name }: { name: string }, { upper }: { upper?: boolean }) =>
      upper ? name.toUpperCase() : name,
  };
  async function* counted(to: number) {
    sources.open++;
    try {
      for (let i = 0; i < to; i++) {
        sources.given++;
        yield { count: i };
      }
    } finally {
      sources.open--;
    }
  }
  return {
    Shade: { DARK: 1, LIGHT: { light: true }, PALE: 2 },
    Vessel: { __resolveType: async (value: { kind: string }) => value.kind },
    Node: { __resolveType: byKind },
    Floating: {
      __resolveType: ({ kind, __typename }: { kind: string; __typename: string }) =>
        kind ?? __typename,
    },
    Ship: {
      ...named,
      crew: (_: unknown, args: unknown) => ({
        edges: [{ cursor: 'a', node: sailor }],
        nodes: [sailor],
        pageInfo: { hasNextPage: false, endCursor: seen(args) },
      }),
    },
    Raft: named,
    Sailor: { ship: () => ship },
    Reads: {
      ships: () => [ship],
      vessel: (_: unknown, { id }: { id: string }) =>
        [ship, raft].find((each) => String(each.id) === id),
      floating: () => [ship, null, raft, buoy],
      node: () => raft,
      echo,
      back: (_: unknown, args: { big?: unknown; any?: unknown; when?: unknown }) =>
        args.any ?? args.big ?? args.when,
      names: echo,
      matrix: echo,
      old: () => 1,
      fails: () => {
        throw new Error('broken');
      },
      plain: (_: unknown, { one }: { one?: string }) => one ?? 'TWO',
      sailor: () => sailor,
    },
    Writes: {
      rename: (_: unknown, { to }: { to: string }) => {
        onChange();
        return { ...ship, name: to };
      },
      add: (_: unknown, args: unknown) => {
        onChange();
        return seen(args);
      },
    },
    Feed: {
      count: { subscribe: (_: unknown, { to }: { to: number }) => counted(to) },
      sightings: {
        subscribe: async function* () {
          yield* [ship, raft, buoy];
        },
        resolve: (event: unknown) => event,
      },
      broken: {
        subscribe: async function* (_: unknown, { after }: { after: number }) {
          for (let i = 0; i < after; i++) yield { broken: i };
          throw new Error('the secret of the source');
        },
      },
      refused: {
        subscribe: () => {
          throw new Error('the secret of the start');
        },
      },
      silent: {
        subscribe: async function* (
          _: unknown,
          __: unknown,
          ___: unknown,
          info: GraphQLResolveInfo,
        ) {
          sources.open++;
          try {
            const signal = info.getAbortSignal();
            await new Promise((resolve) => signal?.addEventListener('abort', resolve));
            yield { silent: 1 };
          } finally {
            sources.open--;
          }
        },
      },
    },
  };
}

export function everyFeatureSchema(): FeatureSchema {
  let changes = 0;
  const resolvers = featureResolvers(undefined, () => changes++);
  return { schema: createSchema(everyFeature, resolvers, { scalars }), changes: () => changes };
}
