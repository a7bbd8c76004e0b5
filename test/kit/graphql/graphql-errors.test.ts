import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import { createGraphqlEndpoint } from '../../../src/kit/graphql/graphql-endpoint.ts';
import { defaultLimits } from '../../../src/kit/graphql/limits/limits.ts';
import { serveGraphql } from '../../support/graphql-server.ts';
import { useHttpServer } from '../../support/http-server.ts';

const sdl = `
  input Pair { left: Int! right: [Int!] pair: Pair }
  enum Colour { RED PUCE @deprecated(reason: "Use RED") }
  type Query {
    nothing: String!
    maybe: String
    breaks: String
    busy: String
    forbidden: String
    forbiddenTwice: String
    wrong: Int
    old: String @deprecated(reason: "Use maybe")
    paint(colour: Colour, shade: Int @deprecated(reason: "Not used")): String
    colour(colour: Colour! = RED, count: Int! = 1): String
    list(ids: [ID!], all: [[Int!]!]): String
    pair(pair: Pair): String
    self: Query
  }`;

const resolvers = {
  Query: {
    nothing: () => null,
    maybe: () => null,
    breaks: () => {
      throw new Error('SELECT * FROM secrets');
    },
    busy: () => {
      throw new ApiError('unavailable', { cause: new Error('database is locked') });
    },
    forbidden: () => {
      throw new ApiError('forbidden');
    },
    forbiddenTwice: () => {
      throw new ApiError('forbidden', { detail: 'Twice is too often.' });
    },
    wrong: () => 'text',
    old: () => 'still here',
    paint: () => 'done',
    colour: () => 'done',
    list: () => 'done',
    pair: () => 'done',
    self: () => ({}),
  },
};

let server: Awaited<ReturnType<typeof serveGraphql>>;
beforeAll(async () => {
  server = await serveGraphql(sdl, resolvers);
});
afterAll(() => server.stop());

describe('a resolver', () => {
  it('that yields null for a field marked ! gives the message of the specification', async () => {
    const { status, json } = await server.graphql('{ nothing }');
    expect(status).toBe(200);
    expect(json.data).toBeNull();
    expect(json.errors[0].message).toBe('Cannot return null for non-nullable field Query.nothing.');
    expect(json.errors[0].extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR' });
    expect(String(server.failures.at(-1))).toContain('Cannot return null');
  });

  it('that yields null elsewhere gives null', async () => {
    expect((await server.graphql('{ maybe }')).json).toEqual({ data: { maybe: null } });
  });

  it.each([
    ['breaks', 'SELECT * FROM secrets'],
    ['wrong', 'Int cannot represent non-integer value'],
  ])('that fails (%s) is masked, and its cause is told to the log', async (field, cause) => {
    const { json } = await server.graphql(`{ ${field} maybe }`);
    expect(json.data).toEqual({ [field]: null, maybe: null });
    expect(json.errors).toEqual([
      {
        message: 'Internal server error',
        locations: [{ line: 1, column: 3 }],
        path: [field],
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ]);
    expect(String(server.failures.at(-1))).toContain(cause);
  });

  it.each([
    ['forbidden', 'The caller may not do this.'],
    ['forbiddenTwice', 'Twice is too often.'],
  ])('that refuses its caller (%s) says so, and nothing is logged', async (field, message) => {
    const before = server.failures.length;
    const { json } = await server.graphql(`{ ${field} }`);
    expect(json.errors).toMatchObject([{ message, extensions: { code: 'FORBIDDEN' } }]);
    expect(server.failures).toHaveLength(before);
  });

  it('whose store is busy says so, and the cause is told to the log', async () => {
    const { json } = await server.graphql('{ busy }');
    expect(json.errors[0].extensions).toEqual({ code: 'UNAVAILABLE' });
    expect(String(server.failures.at(-1))).toContain('database is locked');
  });

  it('is told to the log with the id of its request', async () => {
    const { headers } = await server.graphql('{ busy }');
    const id = headers.get('x-request-id');
    expect(id).toBeTruthy();
    expect(JSON.parse(String(server.failures.at(-1))).request).toBe(id);
  });
});

describe('an argument that does not fit is the client’s mistake', () => {
  it.each([
    [
      'a null for a default that is no null',
      'query ($v: Colour = RED) { self { colour(colour: $v) } }',
      null,
    ],
    ['an Int that is null', 'query ($v: Int = 1) { colour(count: $v) }', null],
    ['a null in a list', 'query ($v: ID = 1) { list(ids: [$v]) }', null],
    ['a null in a list of lists', 'query ($v: Int = 1) { list(all: [[1, $v]]) }', null],
    ['a null in an input object', 'query ($v: Int = 1) { pair(pair: { left: $v }) }', null],
    [
      'a null deep down',
      'query ($v: Int = 1) { pair(pair: { left: 1, pair: { left: $v } }) }',
      null,
    ],
    [
      'a null in a list in an object',
      'query ($v: Int = 1) { pair(pair: { left: 1, right: [$v] }) }',
      null,
    ],
    ['a directive’s', 'query ($v: Boolean = true) { self { maybe @skip(if: $v) } }', null],
    ['an Int out of range', 'query ($v: Int!) { pair(pair: { left: 1, right: [$v] }) }', 2 ** 31],
    ['an unknown colour', 'query ($v: Colour!) { colour(colour: $v) }', 'PINK'],
    ['another type in a list', 'query ($v: [ID!]) { list(ids: $v) }', [[{}]]],
    ['another type in an object', 'query ($v: Pair) { pair(pair: $v) }', { left: '1' }],
  ])('%s', async (_, query, v) => {
    const before = server.failures.length;
    for (let i = 0; i < 12; i++) {
      const { json } = await server.graphql(query, { v });
      expect(json.errors.map(({ extensions }: { extensions: unknown }) => extensions)).toEqual([
        { code: 'BAD_USER_INPUT' },
      ]);
      expect(json.errors[0].message).toMatch(/invalid value/);
    }
    expect(server.failures.length).toBe(before);
  });
});

describe('a failure outside any resolver', () => {
  const failures: unknown[] = [];
  const broken = useHttpServer(
    createGraphqlEndpoint({
      schema: createSchema(sdl, resolvers),
      digest: '',
      envelopeFaults: () => {
        throw new Error('the secret');
      },
      store: undefined,
      access: () => async () => undefined,
      limits: defaultLimits,
      listTimeout: 10_000,
      introspection: true,
      fastLane: true,
      subscriptions: { most: 1, life: 1000 },
      draining: new AbortController().signal,
      onFailure: (cause) => failures.push(cause),
      onDeprecated: () => {},
      onExecuted: () => {},
      onLookup: () => {},
    }),
  );

  it('is 500, masked, and its cause is told to the log', async () => {
    const response = await fetch(`${broken.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ maybe }' }),
    });
    expect(response.status).toBe(500);
    const extensions = { code: 'INTERNAL_SERVER_ERROR' };
    const errors = [{ message: 'Internal server error', extensions }];
    expect(await response.json()).toEqual({ errors });
    expect(String(failures)).toContain('the secret');
  });
});

describe('a deprecated part', () => {
  it('keeps working, is marked in the SDL, and its use is counted', async () => {
    const { json } = await server.graphql('{ old again: old maybe }');
    expect(json.data).toEqual({ old: 'still here', again: 'still here', maybe: null });
    await server.graphql('{ paint(colour: PUCE, shade: 1) }');
    await server.graphql('{ paint(colour: RED) }');
    expect([...server.deprecatedUse]).toEqual([
      ['Query.old', 1],
      ['Colour.PUCE', 1],
      ['Query.paint(shade:)', 1],
    ]);
    const marked = await server.graphql(
      '{ __type(name: "Query") { fields(includeDeprecated: true) { name isDeprecated } } }',
    );
    expect(marked.json.data.__type.fields).toContainEqual({ name: 'old', isDeprecated: true });
  });
});

describe('a schema that is broken or does not fit its resolvers stops the start with a line', () => {
  const a = () => 1;

  it.each([
    ['type Query {', {}, /:1:13: Syntax Error: Expected Name, found <EOF>/],
    ['type Query {\n  a: Nothing\n}', { Query: { a } }, /:2:6: Unknown type "Nothing"/],
    ['type Query { a: Int\n a: Int }', { Query: { a } }, /:2:2: Field "Query.a" can only be/],
    ['type Query { a(b: Query): Int }', { Query: { a } }, /:1:19: .* must be Input Type but got/],
    ['type A { a: Int }', {}, /:1:1: Query root type must be provided/],
    [
      'type Query {\n  a: Int\n  b: Int\n  c: Int\n}',
      { Query: { a } },
      /:3:3: no resolver for Query.b, Query.c; expected one for each/,
    ],
    [
      'type Query { a: Int }',
      { Query: { a, b: a }, Person: { c: a } },
      /:1:1: no field for the resolver of Query.b, Person.c; expected one for each/,
    ],
    [
      'directive @bounds(minLength: Int! = 0, maxLength: Int!) on ARGUMENT_DEFINITION type Query { a(b: Int @bounds(maxLength: 1)): Int }',
      { Query: { a } },
      /:1:95: @bounds on Query\.a\(b:\) wants a String/,
    ],
  ])('%s', (text, given, reason) => {
    expect(() => createSchema(text, given)).toThrow(/^schema.graphql:[0-9]+:[0-9]+: [^\n]+$/);
    expect(() => createSchema(text, given)).toThrow(reason);
  });
});
