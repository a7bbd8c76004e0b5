import { GraphQLScalarType, graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import type { Resolvers } from '../../../src/kit/graphql/resolver-check.ts';
import { repeated } from '../../support/graphql-refusals.ts';

const sdl = `
  scalar Big
  interface Named { name: String! }
  interface Nobody { name: String! }
  union Any = Thing | Other
  enum Kind { A B C @deprecated }
  enum Old { X @deprecated Y @deprecated }
  enum Last { ONE @deprecated TWO }
  enum Inner { ONE TWO }
  input Deep { title: String }
  input Make { title: String, size: Int, id: ID, kind: Kind, tags: [String!], deep: Deep }
  type Thing implements Named {
    id: ID! name: String! title: String size: Int kind: Kind! old: Old! last: Last! inner: Inner! tags: [String!]!
    grid: [[Int!]!]! labels: [String!]! any: Any! other: Other owner: Thing count: Number! plain: Plain!
  }
  type Other implements Named { id: ID! name: String! title: String }
  type Number { id: Int! name: String! }
  type Plain { name: String! size: Int! }
  type Payload { title: String thing: Thing things: [Thing!]! }
  type Query {
    thing(id: ID, key: Int, title: String, size: Int, kind: Kind, tags: [String!], labels: String): Thing!
    unlike(id: Kind, title: Int, size: String, kind: ID, name: [String!]): Thing!
    byNumber(id: Int!): Thing!
    things(ids: [ID!], first: Int, limit: Int, kind: Kind, title: String): [Thing!]!
    named(id: ID): Named!
    anys(ids: [ID!]!): [Any!]!
    nobody: Nobody
    big(n: Big): Thing!
    written: Thing!
    made: Thing
    numbers: [Number!]!
    plain: Plain!
  }
  type Mutation { make(input: Make!, name: String): Payload! touch(title: String, id: ID): Thing! }`;

class Made {
  readonly id = 7;
  readonly name = (...given: object[]) => `own ${JSON.stringify(given)}`;
  get title() {
    return 'got';
  }
}
const resolvers: Resolvers = {
  Inner: { ONE: 1, TWO: { two: 2 } },
  Query: { written: () => ({ id: 5, toString: 'x' }), made: () => new Made() },
};
const scalars = { Big: new GraphQLScalarType({ name: 'Big' }) };
const schema = createSchema(sdl, resolvers, { mockSeed: 1, scalars });

async function ask(source: string, on = schema) {
  const { data, errors } = await graphql({ schema: on, source, contextValue: { of: 'context' } });
  expect(errors).toBeUndefined();
  return Object(data);
}

const COUNT = 100;
const ids = (count: number) => `ids: [${repeated(count, (i) => `"n${i}"`)}]`;

describe('A mocked list', () => {
  it('has two or three records, or as many as are asked for', async () => {
    const { things } = await ask(`{ things(${ids(COUNT)}) { tags grid } }`);
    const lengths = (lists: unknown[][]) => new Set(lists.map(({ length }) => length));
    expect(lengths(things.map(({ tags }: { tags: unknown[] }) => tags))).toEqual(new Set([2, 3]));
    const grids: number[][][] = things.map(({ grid }: { grid: number[][] }) => grid);
    expect(lengths(grids)).toEqual(new Set([2, 3]));
    expect(lengths(grids.flat())).toEqual(new Set([2, 3]));
    expect(grids.flat(2).every(Number.isInteger)).toBe(true);
    expect(new Set(grids.flat(2)).size).toBeGreaterThan(50);
  });

  it.each([
    ['first: 0', 0],
    ['first: 1', 1],
    ['first: -1', 0],
    ['limit: 1', 1],
    ['limit: 0', 0],
    ['first: 1, limit: 9', 1],
    ['limit: 1, first: null', 1],
  ])('with %s has %i', async (args, length) => {
    expect((await ask(`{ things(${args}) { id } }`)).things).toHaveLength(length);
  });

  it('of ids has a record for each of them, up to a hundred', async () => {
    const { things } = await ask(`{ things(${ids(3)}) { id } }`);
    expect(things).toEqual([{ id: 'n0' }, { id: 'n1' }, { id: 'n2' }]);
    expect((await ask(`{ things(${ids(100)}) { id } }`)).things).toHaveLength(100);
    expect((await ask(`{ things(${ids(101)}) { id } }`)).things).toHaveLength(100);
  });

  it('has other records for other arguments, and shows none of them', async () => {
    const { a, b, c } = await ask(
      '{ a: things { id title } b: things(kind: A) { id kind } c: things(title: "sent") { title } }',
    );
    expect(a.map(({ id }: { id: string }) => id)).not.toContain(b[0].id);
    expect(new Set(a.map(({ id }: { id: string }) => id)).size).toBe(a.length);
    expect(c.map(({ title }: { title: string }) => title)).not.toContain('sent');
  });
});

describe('A mocked record', () => {
  it('has an id that tells its type, and is the same wherever its id is found', async () => {
    const { thing } = await ask('{ thing { id name other { id name } plain { name size } } }');
    expect(thing.id).toMatch(/^Thing-[1-9]\d{0,4}$/);
    expect(thing.other.id).toMatch(/^Other-[1-9]\d{0,4}$/);
    const found = await ask(`{
      things(ids: ["${thing.id}"]) { name plain { name size } } named(id: "${thing.id}") { __typename name }
      another: thing(id: "${thing.id}", key: 1) { name } other: named(id: "${thing.other.id}") { name }
    }`);
    const { name, plain } = thing;
    expect(found.things).toEqual([{ name, plain }]);
    expect(found.named).toEqual({ __typename: 'Thing', name });
    expect(found.another).toEqual({ name });
    expect(found.other).toEqual({ name: thing.other.name });
  });

  it('has an id of another type only if that is a number, and none where its type has none', async () => {
    const { numbers, plain } = await ask('{ numbers { id name } plain { name size } }');
    expect(numbers.every(({ id }: { id: unknown }) => Number.isInteger(id))).toBe(true);
    expect(plain).toEqual({ name: expect.any(String), size: expect.any(Number) });
    expect(new Set(numbers.map(({ name }: { name: string }) => name)).size).toBeGreaterThan(1);
  });

  it('is another with other arguments, whatever their types', async () => {
    const { a, b, c, d } = await ask(`{
      a: thing(key: 1) { id } b: thing(key: 2) { id } c: big(n: 9007199254740993) { id } d: big(n: 9007199254740995) { id }
    }`);
    expect(new Set([a.id, b.id, c.id, d.id]).size).toBe(4);
  });

  it('has values of enums that are not deprecated, where there are any', async () => {
    const { things } = await ask(`{ things(${ids(COUNT)}) { kind old last inner } }`);
    const seen = (name: string) =>
      new Set(things.map((thing: Readonly<Record<string, string>>) => thing[name]));
    expect(seen('kind')).toEqual(new Set(['A', 'B']));
    expect(seen('old')).toEqual(new Set(['X', 'Y']));
    expect(seen('last')).toEqual(new Set(['TWO']));
    expect(seen('inner')).toEqual(new Set(['ONE', 'TWO']));
  });

  it('is of any type that is possible, the one that its id names or the same each time', async () => {
    const { anys } = await ask(
      `{ anys(${ids(COUNT)}) { __typename ... on Thing { id } ... on Other { id } } }`,
    );
    expect(new Set(anys.map(({ __typename }: { __typename: string }) => __typename))).toEqual(
      new Set(['Thing', 'Other']),
    );
    const { things } = await ask(`{ things(${ids(COUNT)}) { any { __typename } } }`);
    expect(new Set(things.map(({ any }: { any: object }) => JSON.stringify(any))).size).toBe(2);
    for (const { __typename, id } of anys.slice(0, 10)) {
      expect((await ask(`{ named(id: "${id}") { __typename } }`)).named).toEqual({ __typename });
    }
    for (const type of ['Thing', 'Other']) {
      const { named } = await ask(`{ named(id: "${type}-12") { __typename } }`);
      expect(named).toEqual({ __typename: type });
    }
    expect(await ask('{ nobody { name } }')).toEqual({ nobody: null });
  });

  it('follows from the seed', async () => {
    const query = '{ thing { id name } things { id name tags } numbers { name } }';
    const seeded = (mockSeed: number) => createSchema(sdl, resolvers, { mockSeed, scalars });
    expect(await ask(query, seeded(1))).toEqual(await ask(query));
    const [one, two] = [await ask(query), await ask(query, seeded(2))];
    for (const name of ['thing', 'things', 'numbers']) expect(two[name]).not.toEqual(one[name]);
  });
});

it('The values of a seed are the same in each release', async () => {
  const on = createSchema(
    `scalar Decimal scalar Duration scalar GitObjectID
     type Query { thing(key: Int): Thing! }
     type Thing { id: ID! size: Int! price: Decimal! takes: Duration! commit: GitObjectID! }`,
    {},
    { mockSeed: 1, onWarning: () => {} },
  );
  const query = '{ thing { id size price takes commit } other: thing(key: 1) { id size } }';
  expect(await ask(query, on)).toEqual({
    thing: {
      ...{ id: 'Thing-43470', size: 133, price: 936.61, takes: 'PT15M' },
      commit: 'cdc0c4e4120dc7c19342093f906ac8419557488c',
    },
    other: { id: 'Thing-82749', size: 990 },
  });
});

describe('What a field was sent', () => {
  it.each([
    ['thing(id: "x") { id }', { id: 'x' }],
    ['thing(id: 5) { id }', { id: '5' }],
    ['byNumber(id: 5) { id }', { id: '5' }],
    ['thing(title: "T", size: 3, kind: B) { title size kind }', { title: 'T', size: 3, kind: 'B' }],
  ])('shows in its record: %s', async (field, expected) => {
    expect(Object.values(await ask(`{ ${field} }`))).toEqual([expected]);
  });

  it('does not show in lists, in fields of another type, or where it is null', async () => {
    const { a, b, c, d } = await ask(`{
      d: thing(labels: "sent") { labels } a: thing(tags: ["sent"]) { tags } b: thing(id: null) { id } c: thing(title: "sent") { other { title } owner { title } }
    }`);
    expect([...a.tags, ...d.labels]).not.toContain('sent');
    expect(b.id).toMatch(/^Thing-/);
    expect([c.other.title, c.owner.title]).not.toContain('sent');
    const { unlike } = await ask(
      '{ unlike(id: A, title: 1, size: "sent", kind: "B", name: ["sent"]) { id title size name } }',
    );
    expect(unlike).toEqual({
      id: expect.stringMatching(/^Thing-/),
      title: expect.stringMatching(/^[a-z]+/),
      size: expect.any(Number),
      name: expect.stringMatching(/^[a-z]+/),
    });
    expect(unlike.name).not.toBe('sent');
  });

  it('by a mutation shows in the records of its answer', async () => {
    const { make, touch } = await ask(`mutation {
      make(input: { title: "T", size: 3, id: "i", kind: B, tags: ["sent"], deep: { title: "no" } }, name: "N") {
        title thing { id name title size kind tags other { id title name } } things { title name }
      }
      touch(title: "U", id: "j") { id title owner { title } }
    }`);
    expect(make.title).toBe('T');
    expect(make.thing).toMatchObject({ id: 'i', name: 'N', title: 'T', size: 3, kind: 'B' });
    expect(make.thing.tags).not.toContain('sent');
    expect(make.things.map(({ title }: { title: string }) => title)).not.toContain('T');
    expect(touch).toMatchObject({ id: 'j', title: 'U', owner: { title: 'U' } });
    expect(make.thing.other.title).not.toBe('T');
  });
});

describe('A record that a resolver gave', () => {
  it('has mocks for what it lacks, which are those of its id', async () => {
    const { written, thing } = await ask(
      '{ written { id name size } thing(id: 5) { id name size } }',
    );
    expect(written).toEqual(thing);
  });

  it('is read as graphql reads it: members, methods and getters', async () => {
    const { made } = await ask('{ made { id name title size } }');
    expect(made).toMatchObject({ id: '7', title: 'got', size: expect.any(Number) });
    expect(made.name).toBe('own [{},{"of":"context"}]');
  });
});

describe('Types that the API tells apart', () => {
  it('are told apart by it for its own records, and by their names for mocks', async () => {
    const own = createSchema(
      `union Any = A | B type A { a: Int! } type B { b: Int! }
       interface I { n: Int } type C implements I { n: Int } type D implements I { n: Int }
       type Query { mine: Any! mocked: [Any!]! face: I! faces: [I!]! }`,
      {
        A: { __isTypeOf: (value: object) => 'a' in value },
        B: { __isTypeOf: (value: object) => 'b' in value },
        I: { __resolveType: ({ kind }: { kind: string }) => kind },
        Query: { mine: () => ({ b: 1 }), face: () => ({ kind: 'D', n: 1 }) },
      },
      { mockSeed: 1 },
    );
    const query =
      '{ mine { __typename } mocked { __typename ... on A { a } ... on B { b } } face { __typename } faces { __typename n } }';
    const { mine, mocked, face, faces } = await ask(query, own);
    expect([mine, face]).toEqual([{ __typename: 'B' }, { __typename: 'D' }]);
    for (const { __typename, a, b } of mocked) {
      expect(Number.isInteger(__typename === 'A' ? a : b)).toBe(true);
    }
    expect(faces.every(({ __typename }: { __typename: string }) => /^[CD]$/.test(__typename))).toBe(
      true,
    );
  });
});
