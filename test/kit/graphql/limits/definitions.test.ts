import { Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { present } from '../../../../src/kit/errors.ts';
import { createSchema } from '../../../../src/kit/graphql/executable-schema.ts';
import { checkWithin } from '../../../../src/kit/graphql/limits/check.ts';
import { defaultLimits, type Limits } from '../../../../src/kit/graphql/limits/limits.ts';

const nothing = () => null;
const schema = createSchema(
  `
  interface Node { id: ID! }
  interface FaceConnection { nodes: [Thing!] pageInfo: PageInfo }
  union Any = Thing | Part
  type Thing implements Node {
    id: ID! size: Int name: String owner: Thing part: Part tags: [String!]
    parts(first: Int): [Part!]! held: [Part!] root: Query
  }
  type Part { id: ID! }
  type PageInfo { endCursor: String }
  type ThingConnection { edges: [ThingEdge!] nodes: [Thing!] pageInfo: PageInfo other: Part }
  type ThingEdge { cursor: String node: Thing other: Part }
  type Loose { edges: [ThingEdge!] nodes: [Thing!] pageInfo: PageInfo }
  type BareConnection { edges: [ThingEdge!] nodes: [Thing!] }
  type BareEdge { node: Thing }
  type Hook { cursor: String node: Thing }
  type Query {
    things(skip: Int, first: Int): [Thing!]!
    grid(first: Int): [[Thing!]!]
    numbers: [Int!]!
    any: [Any!]
    thing(n: Int): Thing
    node: Node
    connection: ThingConnection
    face: FaceConnection
    loose: Loose
    bare: BareConnection
    edge: BareEdge
    hook: Hook
  }
  type Mutation { add: Thing addAll: [Thing!] }`,
  {
    Query: { things: nothing, thing: nothing },
    Mutation: { addAll: nothing },
    Thing: { name: nothing, owner: nothing, parts: nothing },
  },
  { onWarning: () => {} },
);

function checked(text: string, limits: Partial<Limits> = {}) {
  return checkWithin({ ...defaultLimits, ...limits }, schema)(parse(text));
}

function refusal(text: string, limits: Partial<Limits>): string | undefined {
  const found = checked(text, limits);
  return 'excess' in found ? found.excess.message : undefined;
}

describe('A document costs', () => {
  it.each([
    [1, '{ thing }'],
    [2, '{ thing { id } }'],
    [3, '{ thing { id size } }'],
    // A list counts ten times, or as often as `first` says.
    [11, '{ things { id } }'],
    [4, '{ things(first: 3) { id } }'],
    [1, '{ things(first: 0) { id } }'],
    [1, '{ things(first: -3) { id } }'],
    [11, '{ things(skip: 3) { id } }'],
    [3, '{ things(skip: 3, first: 2) { id } }'],
    [11, '{ things(first: "3") { id } }'],
    [101, '{ grid { id } }'],
    [21, '{ grid(first: 2) { id } }'],
    // A connection is no list.
    [3, '{ connection(first: 0) { pageInfo { endCursor } } }'],
    [3, '{ connection(first: 100) { pageInfo { endCursor } } }'],
    [1, '{ numbers }'],
    [12, '{ thing { parts { id } } }'],
    [31, '{ things { parts(first: 2) { id } } }'],
    [12, 'mutation { add { parts { id } } }'],
    [11, 'mutation { addAll { id } }'],
    // Fragments, where they are spread.
    [22, '{ ...F ...F } fragment F on Query { things { id } }'],
    [12, '{ node { ... on Thing { parts { id } } } }'],
    [12, '{ thing { ... { parts { id } } } }'],
    [12, '{ node { ...T } } fragment T on Thing { parts { id } }'],
    // Introspection has limits of its own.
    [1, '{ __schema { types { name } } }'],
    [1, '{ __type(name: "A") { name fields { name } } }'],
    [3, '{ thing { id } __schema { description } }'],
    // What the schema does not have.
    [3, '{ nope { nope { id } } }'],
    [1, '{ ...Nope nope }'],
  ])('%i: %s', (cost, text) => {
    expect(refusal(text, { cost })).toBeUndefined();
    expect(refusal(text, { cost: cost - 1 })).toBe(
      `Cost limit exceeded: an operation costs at most ${cost - 1}.`,
    );
  });

  it.each([
    [4, 'Int', { n: 3 }],
    [1, 'Int', { n: 0 }],
    [1, 'Int', { n: -2 }],
    [11, 'Int', {}],
    [11, 'Int', null],
    [11, 'Int', undefined],
    [11, 'Int', { other: 3 }],
    [6, 'Int = 5', {}],
    [6, 'Int = 5', null],
    [3, 'Int = 5', { n: 2 }],
    [11, 'Int = 5', { n: null }],
    [11, 'Int = 5', { n: 'many' }],
    [11, 'Int = null', {}],
    [11, 'String = "5"', {}],
  ])('%i with `first` as the variable %s of %j', (cost, type, variables) => {
    const text = `query ($m: Int = 7, $n: ${type}) { things(skip: $m, first: $n) { id } }`;
    const excess = (most: number) => {
      const found = checked(text, { cost: most });
      if ('excess' in found) throw found.excess;
      const [operation] = parse(text).definitions;
      if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
      return present(found.excessWith)(operation, variables);
    };
    expect(excess(cost)).toBeUndefined();
    // The list itself costs one, whatever the variable is.
    if (cost === 1) return;
    const message = `Cost limit exceeded: an operation costs at most ${cost - 1}.`;
    expect(excess(cost - 1)).toMatchObject({ message, extensions: { code: 'QUERY_TOO_COMPLEX' } });
  });

  it.each(['{ things(first: 3) { id } }', 'query ($n: Int) { thing(n: $n) { id } }'])(
    'the same with any variables: %s',
    (text) => {
      expect(checked(text)).toMatchObject({ excessWith: undefined });
    },
  );
});

describe('A document is as deep as', () => {
  it.each([
    [1, '{ thing }'],
    [3, '{ thing { owner { id } } }'],
    [3, '{ thing { id } other: thing { owner { id } } thing { id } }'],
    [2, '{ ... { ...F } } fragment F on Query { ... on Query { thing { id } } }'],
    [1, '{ __schema { types { fields { name } } } }'],
    [1, '{ __type(name: "A") { fields { name } } }'],
    // The parts of a connection are no levels.
    [2, '{ connection { edges { node { id } } } }'],
    [2, '{ connection { edges { cursor } } }'],
    [2, '{ connection { nodes { id } } }'],
    [2, '{ connection { pageInfo { endCursor } } }'],
    [2, '{ face { nodes { id } } }'],
    // These are levels.
    [3, '{ connection { other { id } } }'],
    [3, '{ connection { edges { other { id } } } }'],
    [3, '{ loose { nodes { id } } }'],
    [3, '{ loose { edges { cursor } } }'],
    [3, '{ loose { pageInfo { endCursor } } }'],
    [3, '{ bare { nodes { id } } }'],
    [3, '{ bare { edges { cursor } } }'],
    [3, '{ edge { node { id } } }'],
    [3, '{ hook { node { id } } }'],
    [2, '{ node { id } }'],
    [3, '{ any { nodes { id } } }'],
    [3, '{ nope { node { id } } }'],
  ])('%i: %s', (depth, text) => {
    expect(refusal(text, { depth })).toBeUndefined();
    expect(refusal(text, { depth: depth - 1 })).toBe(
      `Depth limit exceeded: fields nest at most ${depth - 1} levels deep.`,
    );
  });

  it('all of its fields, up to the last level that is looked at', () => {
    const text = `{ thing { ${'owner { '.repeat(99)}id${' }'.repeat(99)} } }`;
    expect(refusal(text, { depth: 100 })).toBe(
      'Depth limit exceeded: fields nest at most 100 levels deep.',
    );
    expect(refusal(text, { depth: 101 })).toContain('Nesting limit exceeded');
  });

  it('a fragment that is not spread', () => {
    const text = '{ thing } fragment F on Thing { owner { owner { id } } }';
    expect(refusal(text, { depth: 3 })).toBeUndefined();
    expect(refusal(text, { depth: 2 })).toContain('Depth limit exceeded');
  });
});

describe('A document is refused', () => {
  it('with the place of the operation that is too large, and a code', () => {
    const found = checked('query A { thing }\n  query B { thing { owner { id } } }', { depth: 2 });
    expect(found).toMatchObject({
      excess: {
        message: 'Depth limit exceeded: fields nest at most 2 levels deep.',
        locations: [{ line: 2, column: 3 }],
        extensions: { code: 'QUERY_TOO_COMPLEX' },
      },
    });
  });

  it.each([
    'query A { ...F }\nfragment F on Query { thing { id } ...F }',
    'fragment F on Query { ...G }\nfragment G on Query { ... { ...F } }',
  ])('where a fragment contains itself: %s', (text) => {
    expect(checked(text)).toMatchObject({
      excess: {
        message: expect.stringMatching(/^Cannot spread fragment "[FG]" within itself\.$/),
        locations: [{ line: 1, column: 1 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    });
  });
});

describe('A record of a list takes in the answer', () => {
  it.each<[string, Record<string, readonly [ofRecord: number, copies: number]>, number]>([
    // One for itself, and one for each field.
    ['{ things { id } }', { 'Query.things': [2, 1] }, 1],
    ['{ things { id size __typename } }', { 'Query.things': [4, 1] }, 1],
    // A field with a resolver takes 5, a list 20.
    ['{ things { name } }', { 'Query.things': [6, 1] }, 1],
    ['{ things { owner { id } } }', { 'Query.things': [7, 1] }, 1],
    ['{ things { part { id } } }', { 'Query.things': [3, 1] }, 1],
    ['{ things { parts { id } } }', { 'Query.things': [21, 1], 'Thing.parts': [2, 1] }, 1],
    ['{ things { held { id } } }', { 'Query.things': [2, 1], 'Thing.held': [2, 1] }, 1],
    [
      '{ things { root { __schema { types { name } } } } }',
      { 'Query.things': [3, 1], '__Schema.types': [6, 1] },
      1,
    ],
    ['{ things { tags } numbers }', { 'Query.things': [2, 1] }, 1],
    ['{ grid { id } }', { 'Query.grid': [2, 1] }, 1],
    ['{ thing { id owner { id } } }', {}, 1],
    ['mutation { addAll { id name } }', { 'Mutation.addAll': [7, 1] }, 1],
    // Fragments.
    ['{ node { ... on Thing { parts { id } } } }', { 'Thing.parts': [2, 1] }, 1],
    ['{ things { ... on Thing { name } ... { id } } }', { 'Query.things': [7, 1] }, 1],
    ['{ any { ... on Part { id } ... on Thing { name } } }', { 'Query.any': [7, 1] }, 1],
    ['{ things { ...F } } fragment F on Thing { x: id name }', { 'Query.things': [7, 2] }, 2],
    // Aliases make copies; the largest of several selections counts.
    ['{ a: things { id } b: things { n: id m: id } }', { 'Query.things': [3, 3] }, 5],
    ['{ b: things { n: id m: id } a: things { id } }', { 'Query.things': [3, 3] }, 5],
    ['{ a: things { id } b: things { name } }', { 'Query.things': [6, 1] }, 3],
    ['query A { things { name } } query B { a: things { b: id } }', { 'Query.things': [6, 2] }, 3],
    ['query B { a: things { b: id } } query A { things { name } }', { 'Query.things': [6, 2] }, 3],
  ])('%s', (text, lists, copies) => {
    const found = checked(text);
    if ('excess' in found) throw found.excess;
    const costs = [...found.costs.ofList].map(([name, cost]) => [
      name,
      [cost.ofRecord, cost.copies],
    ]);
    expect(Object.fromEntries(costs)).toEqual(lists);
    expect(found.costs.copies).toBe(copies);
  });
});
