import { type GraphQLResolveInfo, GraphQLScalarType, type GraphQLSchema, Kind } from 'graphql';
import { createSchema } from '../../src/kit/graphql/executable-schema.ts';

/** A schema with features of the SDL, and how often its mutations were carried out. */
export type FeatureSchema = { readonly schema: GraphQLSchema; readonly changes: () => number };

/** The arguments of a call as they reached the resolver: what is absent, null and -0 can be told apart. */
const seen = (args: unknown) =>
  JSON.stringify(args, (_, value) => (Object.is(value, -0) ? '-0' : value));
const echo = (_: unknown, args: unknown) => seen(args);
const fails = () => {
  throw new Error('broken');
};
const later = async <T>(value: T) => value;

const Stamp = new GraphQLScalarType<unknown, unknown>({
  name: 'Stamp',
  coerceOutputValue: (value) => `at ${String(value)}`,
  coerceInputValue: (value) => ({ stamp: value }),
  coerceInputLiteral: (node) => (node.kind === Kind.STRING ? { stamp: node.value } : undefined),
});

/** Types that lead to several types, and input of every kind with defaults. */
export function abstractSchema(): FeatureSchema {
  let changes = 0;
  const animals = [
    { kind: 'Cat', name: 'Tom', lives: 9 },
    { kind: 'Dog', name: 'Rex', friends: [{ kind: 'Cat', name: 'Tim', lives: 1 }] },
  ];
  const isA = (kind: string) => (value: { kind?: string }) => value.kind === kind;
  const schema = createSchema(
    `
    schema { query: Reads mutation: Writes }
    directive @note(text: String = "none") on FIELD_DEFINITION | ARGUMENT_DEFINITION
    scalar Stamp
    enum Colour { RED GREEN BLUE @deprecated(reason: "Use GREEN") }
    enum Size { SMALL LARGE }
    interface Named { name: String! }
    interface Animal implements Named { name: String! friends(first: Int = 1): [Animal!] }
    type Cat implements Animal & Named { name: String! friends(first: Int = 1): [Animal!] lives: Int }
    type Dog implements Animal & Named { name: String! friends(first: Int = 1): [Animal!] barks: Boolean }
    union Pet = Cat | Dog
    type Plain { id: ID! size: Size stamp: Stamp }
    input Range { from: Int = 1, to: Int! = 9, step: Float }
    input Filter {
      text: String = "any"
      colours: [Colour!] = [RED, BLUE]
      range: Range = { from: 2 }
      nested: Filter
      ids: [[ID]!]
      stamp: Stamp
      must: Boolean!
    }
    input Choice @oneOf { id: ID name: String range: Range }
    type Reads {
      first(first: Int = 2): String!
      required(first: Int! = 3, text: String): String!
      colour(colour: Colour = RED, sizes: [Size!]! = [SMALL]): String
      colours: [Colour]
      filter(filter: Filter): String
      filtered(filter: Filter = { must: true, range: { from: 5 } }): String
      matrix(rows: [[Int!]!]! = [[1], [2, 3]], holes: [[Int]]): String
      grid: [[Int!]]
      choice(choice: Choice!): String
      stamp(stamp: Stamp = "now", stamps: [Stamp]): Stamp
      old(a: Int @deprecated(reason: "Not used")): Int @deprecated(reason: "Use first") @note
      animal(kind: String): Animal
      pets: [Pet]
      slow: [Named!]
      plain: Plain
      plains: [Plain!]
      fails: String
      failsHard: String!
      missing: Plain!
      hole: [Plain!]
    }
    type Writes {
      add(filter: Filter, count: Int = 1): String!
      adopt(choice: Choice!): Animal
      breaks: String!
    }`,
    {
      Stamp,
      Colour: { RED: 1, GREEN: { rgb: 'green' }, BLUE: 'blue' },
      Animal: { __resolveType: async (value: { kind: string }) => value.kind },
      Named: { __resolveType: (value: { kind: string }) => value.kind },
      Cat: { __isTypeOf: async (value: { kind?: string }) => isA('Cat')(value) },
      Dog: { __isTypeOf: isA('Dog') },
      Plain: { __isTypeOf: async (value: { id?: number }) => value.id !== 3 },
      Reads: {
        first: echo,
        required: echo,
        colour: echo,
        colours: () => [1, 'blue', null],
        filter: echo,
        filtered: echo,
        matrix: echo,
        grid: () => [[1, 2], null, []],
        choice: echo,
        stamp: echo,
        old: () => 1,
        animal: (_: unknown, { kind }: { kind?: string }) => animals.find(isA(kind ?? 'Cat')),
        pets: () => animals,
        slow: () => later(animals),
        plain: () => ({ id: 1, size: 'SMALL', stamp: 0 }),
        plains: () => [{ id: 1 }, { id: 2, size: 'LARGE' }],
        fails,
        failsHard: async () => fails(),
        missing: () => null,
        hole: () => [{ id: 1 }, null, { id: 3 }],
      },
      Writes: {
        add: (_: unknown, args: unknown) => ++changes && seen(args),
        adopt: async () => ++changes && animals[1],
        breaks: () => ++changes && fails(),
      },
    },
  );
  return { schema, changes: () => changes };
}

/** Objects, lists, plain arguments, and resolvers and records of every kind: much of it can be compiled. */
export function plainSchema(): FeatureSchema {
  let changes = 0;
  const info = (_: unknown, __: unknown, ___: unknown, { variableValues }: GraphQLResolveInfo) =>
    JSON.stringify(variableValues.coerced);
  const item = (id: number) => ({
    id,
    title: `Item ${id}`,
    ratio: id === 2 ? -0 : id / 3,
    isNew: id === 1,
    size: 'L',
    tags: ['a', null, 'b'],
    call: () => 'called',
    promised: later('promised'),
    direct: { id: 7, title: 'direct' },
    computed: () => ({ id: 8, title: 'computed' }),
    awaited: later({ id: 9, title: 'awaited' }),
    constructor: 'own',
  });
  const schema = createSchema(
    `
    enum Size { S L }
    type Query {
      item(id: ID!): Item
      items(size: Size, title: String, ratio: Float, isNew: Boolean, count: Int): [Item!]!
      lists: [[Item]!]
      echo(id: ID, size: Size, title: String, ratio: Float, isNew: Boolean, count: Int): String!
      ids(ids: [ID!]): String
      limited(first: Int = 2): String
      constructor(constructor: Int, toString: Int): String
      snake_case: Int
      steps: [Int]
      late: [Item]
      info(count: Int): String
      fails(count: Int): Int
      nothing: Int!
      maybe: Item
      a: A
      ab: Ab
    }
    type Item {
      id: ID!
      title(upper: Boolean): String!
      ratio: Float
      isNew: Boolean
      size: Size
      tags: [String]
      call: String
      promised: String
      parent: Item
      children(count: Int): [Item!]
      direct: Item
      computed: Item
      awaited: Item
      constructor: String
      broken: String!
    }
    type A { bc: String }
    type Ab { c: String }
    type Mutation {
      add(title: String!, count: Int): Item!
      remove(id: ID!): Item
      breaks(id: ID): Item
    }`,
    {
      Query: {
        item: (_: unknown, { id }: { id: string }) => (id === '0' ? null : item(Number(id) || 1)),
        items: () => [item(1), item(2)],
        lists: () => later([[item(1), null], []]),
        echo,
        ids: echo,
        limited: echo,
        // The names of arguments that are absent must not be found in a prototype.
        constructor: (_: unknown, args: Record<string, unknown>) =>
          `${typeof args.constructor} ${typeof args.toString}`,
        snake_case: () => 1,
        steps: async function* () {
          yield 1;
          yield null;
        },
        late: () => [later(item(1)), null, later(null)],
        info,
        fails: (_: unknown, { count }: { count?: number }) => (count === 1 ? 1 : fails()),
        nothing: () => null,
        maybe: () => undefined,
        a: () => ({}),
        ab: () => ({}),
      },
      Item: {
        title: ({ title }: { title: string }, { upper }: { upper?: boolean }) =>
          upper ? title.toUpperCase() : title,
        parent: ({ id }: { id: number }) => (id > 1 ? later(item(id - 1)) : null),
        children: async ({ id }: { id: number }, { count }: { count?: number }) =>
          count === 0 ? [] : [item(id), item(id + 1)],
        broken: ({ id }: { id: number }) => (id === 1 ? 'whole' : fails()),
      },
      A: { bc: () => 'of A' },
      Ab: { c: () => 'of Ab' },
      Mutation: {
        add: (_: unknown, { title }: { title: string }) => ++changes && { ...item(4), title },
        remove: async (_: unknown, { id }: { id: string }) => ++changes && id !== '0' && item(5),
        breaks: () => ++changes && fails(),
      },
    },
  );
  return { schema, changes: () => changes };
}
