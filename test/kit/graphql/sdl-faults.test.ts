// engines: sqlite
import { execute, GraphQLScalarType, parse, printSchema, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import type { Resolvers, Scalars } from '../../../src/kit/graphql/resolver-check.ts';
import { serveGraphql } from '../../support/graphql-server.ts';

const a = () => 1;
const Query = { a };
const types = { __resolveType: () => 'A' };

describe('what nobody supplies stops the start with a line', () => {
  it.each<[string, Resolvers, Scalars, string]>([
    [
      'type Query { a: Int }\nscalar Big\nscalar Small',
      { Query },
      {},
      '2:1: no scalar for Big, Small; expected one for each',
    ],
    [
      'schema { query: R }\ntype R { a: Int }',
      {},
      {},
      '2:10: no resolver for R.a; expected one for each',
    ],
    [
      'type Query { a: Int }\ntype Subscription { b: Int }',
      { Query },
      {},
      '2:21: no resolver for Subscription.b; expected one for each',
    ],
    [
      'type Query { a: Int }\ntype Subscription { b: Int }',
      { Query, Subscription: { b: a } },
      {},
      '2:21: no subscribe function for Subscription.b; expected one for each',
    ],
    [
      'type A { a: Int }\nunion U = A\ntype Query { a: U }',
      { Query },
      {},
      '2:1: no __resolveType for U; expected one for each',
    ],
    [
      'interface I { a: Int }\ntype A implements I { a: Int }\ntype Query { a: [I!]! }',
      { Query },
      {},
      '1:1: no __resolveType for I; expected one for each',
    ],
    [
      'type Query { a: Int }',
      { Query },
      { Big: new GraphQLScalarType({ name: 'Big' }) },
      '1:1: no field for the resolver of Big; expected one for each',
    ],
    [
      'enum E { X }\ntype Query { a: E }',
      { Query, E: { Y: 1 } },
      {},
      'E.Y was defined in resolvers, but not present within E',
    ],
    [
      'type Query { a: Int }\n\ndirective @defer on FIELD',
      { Query },
      {},
      '3:1: found @defer or @stream, expected neither',
    ],
    [
      'type Query { a(b: I): Int }\ninput I { c: Int, c: Int }',
      { Query },
      {},
      '2:19: Field "I.c" can only be defined once.',
    ],
    [
      'type Query { id: Int }\ntype A { id: Int }\ntype B { id: Int\nid: ID }',
      { Query: { id: a } },
      {},
      '4:1: Field "B.id" can only be defined once.',
    ],
    [
      'enum E { A B A }\ntype Query { a: E }',
      { Query },
      {},
      '1:14: Enum value "E.A" can only be defined once.',
    ],
    ['type Query { a: Int @nope }', { Query }, {}, '1:22: Unknown directive "@nope".'],
    [
      'directive @bounds(maximum: Int) on INPUT_FIELD_DEFINITION\ninput I { b: String\n c: String @bounds(maximum: 1) }\ntype Query { a(i: I): Int }',
      { Query },
      {},
      '3:2: @bounds on I.c wants an Int or a Float.',
    ],
  ])('%s', (sdl, resolvers, scalars, line) => {
    const start = () => createSchema(sdl, resolvers, { file: 'my.graphql', scalars });
    expect(start).toThrow(/^my\.graphql:\d+:\d+: [^\n]+$/);
    expect(start).toThrow(line);
  });

  it.each<[string, string, Resolvers]>([
    [
      'an interface that no field returns',
      'interface I { a: Int } type Query implements I { a: Int }',
      { Query },
    ],
    [
      'a union whose types all know their own',
      'type A { a: Int } union U = A type Query { a: U }',
      { Query, A: { __isTypeOf: () => true } },
    ],
    [
      'a scalar among the resolvers',
      'scalar S type Query { a: S }',
      { Query, S: new GraphQLScalarType({ name: 'S' }) },
    ],
    [
      'several maps of resolvers',
      'scalar S type A { a: Int } union U = A type Query { a: U b: S }',
      [{ Query }, { Query: { b: a } }, { U: types, S: new GraphQLScalarType({ name: 'S' }) }],
    ],
  ])('but not %s', (_, sdl, resolvers) => {
    expect(() => createSchema(sdl, resolvers)).not.toThrow();
  });

  it('with the name of the file that is served', async () => {
    await expect(serveGraphql('type Query { a: Int }', {})).rejects.toThrow(
      'schema.graphql:1:14: no resolver for Query.a',
    );
  });
});

describe('an SDL that is only mocked', () => {
  const faulty = `interface I { a: Int }
type Query implements I {
  a: Int @deprecated
  b(c: Int = 1): Int
  "Again."
  b(c: Int = 1): Int
}
enum E { X X }
directive @stream on FIELD`;

  it('may have faults that leave a single meaning: they are told with their place', () => {
    const warnings: string[] = [];
    const schema = createSchema(faulty, {}, { onWarning: (line) => warnings.push(line) });
    expect(warnings).toEqual([
      'schema.graphql:6:3: Field "Query.b" can only be defined once.',
      'schema.graphql:8:12: Enum value "E.X" can only be defined once.',
      'schema.graphql:9:1: found @defer or @stream, expected neither: incremental delivery is not supported',
      'schema.graphql:3:10: Interface field I.a is not deprecated, so implementation field Query.a must not be deprecated.',
    ]);
    const document = parse('{ a b }');
    expect(validate(schema, document)).toEqual([]);
    expect(execute({ schema, document })).toEqual({ data: { a: null, b: null } });
    expect(() => createSchema(faulty, {})).toThrow('schema.graphql:6:3: Field "Query.b"');
  });

  it.each([
    ['type Query { a: Int a: String }', /Field "Query.a" can only be defined once/],
    ['type Query { a: Nothing }', /Unknown type "Nothing"/],
    ['interface I { a: Int } type Query implements I { b: Int }', /Interface field I.a expected/],
  ])('may not be %s', (sdl, message) => {
    expect(() => createSchema(sdl, {}, { onWarning: () => {} })).toThrow(message);
  });
});

describe('federation', () => {
  const graph = (head: string, type: string) => `${head}
    ${type}
    extend type Query { a: Thing }`;

  it.each([
    [
      'version 1, where types are extended only',
      graph(
        '',
        'extend type Thing @key(fields: "id") { id: ID! @external b: Int @requires(fields: "id") }',
      ),
    ],
    [
      'version 2',
      graph(
        'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"], for: SECURITY)',
        'type Query { b: Int } type Thing @key(fields: "id", resolvable: false) @shareable { id: ID! @federation__override(from: "b") @tag(name: "x") }',
      ),
    ],
    [
      'version 2 with other names',
      graph(
        'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [{ name: "@key", as: "@primary" }])',
        'type Query { b: Int } type Thing @primary(fields: "id") { id: ID! }',
      ),
    ],
    [
      'with directives that the SDL declares',
      graph(
        'directive @key(by: Int) on OBJECT',
        'type Query { b: Int } type Thing @key(by: 1) { id: ID! }',
      ),
    ],
  ])('directives are known: %s', async (_, sdl) => {
    const b = sdl.includes('type Query { b') ? { b: a } : {};
    const server = await serveGraphql(sdl, { Query: { a: () => ({ id: 7 }), ...b } });
    expect((await server.graphql('{ a { id } }')).json).toEqual({ data: { a: { id: '7' } } });
    await server.stop();
  });

  it('directives are refused where they are used wrongly', () => {
    expect(() =>
      createSchema(graph('', 'type Query { b: Int } type Thing @key { id: ID! }'), {}),
    ).toThrow('schema.graphql:2:39: Argument "@key(fields:)" of type "String!" is required');
  });

  it('adds nothing to an SDL without it', () => {
    const schema = createSchema('type Query { a: Int }', { Query });
    expect(printSchema(schema)).toBe('type Query {\n  a: Int\n}');
  });
});
