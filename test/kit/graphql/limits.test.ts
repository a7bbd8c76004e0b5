import { getIntrospectionQuery, Kind, parse, print, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { validatorWithin } from '../../../src/kit/graphql/limits/document-validator.ts';
import { defaultLimits, type Limits } from '../../../src/kit/graphql/limits/limits.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { useServer } from '../../support/api-server.ts';
import { everyFeatureSchema } from '../../support/every-feature.ts';
import { refusals, repeated } from '../../support/graphql-refusals.ts';
import { circularDocuments, hostileDocuments } from '../../support/hostile-documents.ts';

const introspectionQuery = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

const deepestRead = '{ users { id name email posts { id title body comments { id body } } } }';

function withTypenames(text: string): string {
  const typename = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;
  return print(
    visit(parse(text), {
      SelectionSet: (node) => ({ ...node, selections: [...node.selections, typename] }),
    }),
  );
}

const server = useServer();

it('The limits are those of the README where no setting says otherwise', () => {
  expect(readSettings({}).limits).toEqual({
    ...{ depth: 8, cost: 10_000, aliases: 15, directives: 8 },
    ...{ tokens: 1000, errors: 5, fields: 100_000 },
  });
});

describe('The limits on GraphQL documents', () => {
  it.each([
    ['the standard introspection query', introspectionQuery],
    [
      'the standard introspection query with __typename everywhere',
      withTypenames(introspectionQuery),
    ],
    ['the deepest plain read', deepestRead],
    ['the deepest plain read with __typename everywhere', withTypenames(deepestRead)],
    ['every root field at once', '{ users { id } books { id } todos { id } user(id: 1) { id } }'],
    ['15 aliases', `{ ${repeated(15, (i) => `a${i}: book(id: ${i}) { id }`)} }`],
    ['8 directives', `{ ${'book(id: 1) @include(if: true) { id } '.repeat(8)} }`],
    [
      '10 aliases in each of two operations',
      `
      query A { ${repeated(10, (i) => `a${i}: book(id: ${i}) { id }`)} }
      query B { ${repeated(10, (i) => `a${i}: book(id: ${i}) { id }`)} }`,
    ],
    [
      'fragments within fragments',
      `{ users { ...U } }
      fragment U on User { id posts { ...P } } fragment P on Post { id ... on Post { title } }`,
    ],
  ])('admit %s', (_, text) => {
    expect(refusals(text)).toEqual([]);
  });

  it.each([
    ['depth', 4, deepestRead, 'Depth limit exceeded: fields nest at most 3 levels deep.'],
    ['cost', 11, '{ users { id } }', 'Cost limit exceeded: an operation costs at most 10.'],
    ['cost', 2441, deepestRead, 'Cost limit exceeded: an operation costs at most 2440.'],
    [
      'cost',
      21,
      '{ users { ...A ...A } } fragment A on User { id }',
      'Cost limit exceeded: an operation costs at most 20.',
    ],
    [
      'aliases',
      2,
      '{ a: users { b: id } }',
      'Alias limit exceeded: an operation has at most 1 aliases.',
    ],
    [
      'aliases',
      4,
      '{ users { ...A ...A } } fragment A on User { ...B ...B } fragment B on User { a: id }',
      'Alias limit exceeded: an operation has at most 3 aliases.',
    ],
    [
      'directives',
      3,
      'query ($v: ID! @a) @b { user(id: $v) @c { id } }',
      'Directive limit exceeded: an operation has at most 2 directives.',
    ],
    [
      'directives',
      4,
      '{ users { ...A @a ...A @b } } fragment A on User { id @c }',
      'Directive limit exceeded: an operation has at most 3 directives.',
    ],
    [
      'tokens',
      4,
      '{ users id }',
      'Syntax Error: Document contains more than 3 tokens. Parsing aborted.',
    ],
    [
      'tokens',
      6,
      `${'#\n'.repeat(6)} { users }`,
      'Syntax Error: Document contains more than 5 comments. Parsing aborted.',
    ],
  ] as const)('hold %s exactly at %i', (limit, value, text, message) => {
    const codes = refusals(text, { [limit]: value }).join();
    expect(codes).not.toContain('QUERY_TOO_COMPLEX');
    expect(refusals(text, { [limit]: value - 1 })).toEqual([`QUERY_TOO_COMPLEX: ${message}`]);
  });

  it('hold each operation of a document', () => {
    const text = `query A { users { id } } query B { ${repeated(16, (i) => `a${i}: __typename`)} }`;
    expect(refusals(text)).toEqual([
      'QUERY_TOO_COMPLEX: Alias limit exceeded: an operation has at most 15 aliases.',
    ]);
  });

  it('hold the cost of lists with the value that a variable has', async () => {
    const ask = async (variables: object, sdl = 'Int', type = 'application/json') => {
      const query = `query ($n: ${sdl}) { users(first: $n) { id posts(first: $n) { id comments(first: $n) { id } } } }`;
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: type },
        body: JSON.stringify({ query, variables }),
      });
      const { errors } = Object(await response.json());
      return [response.status, errors?.[0].extensions.code];
    };
    const refused = 'QUERY_TOO_COMPLEX';
    // 20 of them cost 8841, 21 of them 10,186.
    for (const n of [1, 10, 20]) expect(await ask({ n })).toEqual([200, undefined]);
    for (const n of [21, 1000, 2 ** 31 - 1]) expect(await ask({ n })).toEqual([200, refused]);
    expect(await ask({ n: 1000 }, 'Int', 'application/graphql-response+json')).toEqual([
      400,
      refused,
    ]);
    expect(await ask({}, 'Int = 1000')).toEqual([200, refused]);
    expect(await ask({ n: 1 }, 'Int = 1000')).toEqual([200, undefined]);
    expect(await ask({})).toEqual([200, undefined]);
    expect(await ask({ n: null }, 'Int = 1000')).toEqual([200, undefined]);
    expect(await ask({ n: 'many' })).toEqual([200, 'BAD_USER_INPUT']);
  });

  it('hold a variable to its value alone', async () => {
    const list = 'users(first: $n) { posts(first: $n) { comments(first: $n) { id } } }';
    const query = `query ($n: Int) { ${repeated(15, (i) => `a${i}: ${list}`)} }`;
    expect((await server.graphql(query, { n: 1 })).json.errors).toBeUndefined();
    expect((await server.graphql(query)).json.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  it('hold the members of variables that no type has', async () => {
    const query = 'query ($w: BookFilter) { books(where: $w) { id } }';
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, 1]));
    const ask = async (w: object) => (await server.graphql(query, { w })).json.errors;
    for (const w of [members(23_000), { title: members(23_000) }]) {
      const [error, ...others] = await ask(w);
      expect(error.message).toBe(
        'Variable "$w" has more than 5 members that its type does not have.',
      );
      expect(error.extensions.code).toBe('BAD_USER_INPUT');
      expect(others).toEqual([]);
    }
    expect((await ask(members(5))).length).toBe(5);
    expect(await ask({ title: { contains: 'a' } })).toBeUndefined();
  });

  it('hold the size of a document, whatever its cost', () => {
    const text = (members: number) => `{ user(id: [${'1 '.repeat(members)}]) { id } }`;
    expect(refusals(text(9_997), { tokens: 100_000 })).toEqual([
      'QUERY_TOO_COMPLEX: Size limit exceeded: a document has at most 10000 fields, arguments and values.',
    ]);
    expect(refusals(text(9_996), { tokens: 100_000 }).join()).not.toContain('QUERY_TOO_COMPLEX');
  });

  it.each(Object.entries(hostileDocuments))('refuse %s', (_, text) => {
    expect(refusals(text)).toEqual([expect.stringMatching(/^QUERY_TOO_COMPLEX: /)]);
    expect(refusals(text, { tokens: 1_000_000 })).toEqual([
      expect.stringMatching(/^QUERY_TOO_COMPLEX: /),
    ]);
  });

  it.each(Object.entries(circularDocuments))('refuse %s', (_, text) => {
    const wanted = /^GRAPHQL_VALIDATION_FAILED: Cannot spread fragment "\w+" within itself\.$/;
    expect(refusals(text)).toEqual([expect.stringMatching(wanted)]);
  });

  it('refuse a document that is enormous because of one string, or of more than 200 characters a token', () => {
    const refused = (most: number) => [
      `QUERY_TOO_COMPLEX: Syntax Error: Source contains more than ${most} UTF-16 code units. Parsing aborted.`,
    ];
    expect(refusals(`{ user(id: "${'x'.repeat(200_000)}") { id } }`)).toEqual(refused(200_000));
    const text = '{ users { id } }';
    expect(refusals(text.padEnd(200_000))).toEqual([]);
    expect(refusals(text.padEnd(200_001))).toEqual(refused(200_000));
    expect(refusals(text.padEnd(2000), { tokens: 10 })).toEqual([]);
    expect(refusals(text.padEnd(2001), { tokens: 10 })).toEqual(refused(2000));
  });
});

describe('The depth of Relay connections', () => {
  const { schema } = everyFeatureSchema();
  const refusalsOf = (text: string, changed: Partial<Limits>) => {
    const options = { introspection: true };
    const found = validatorWithin({ ...defaultLimits, ...changed }, schema, options)(text);
    return 'faults' in found ? found.faults.map(({ message }) => message) : [];
  };
  const nested = (levels: number, leaf: string): string =>
    levels === 0 ? leaf : `ship { crew { edges { node { ${nested(levels - 1, leaf)} } } } }`;

  it.each([
    ['edges', '{ ships { crew { edges { cursor node { name } } } } }', 3],
    ['nodes', '{ ships { crew { nodes { name } } } }', 3],
    ['pageInfo', '{ ships { crew { pageInfo { endCursor } } } }', 3],
    ['connections in connections', `{ sailor { ${nested(3, 'name')} } }`, 8],
  ])('does not count %s', (_, text, depth) => {
    expect(refusalsOf(text, { depth })).toEqual([]);
    expect(refusalsOf(text, { depth: depth - 1 })).toEqual([
      `Depth limit exceeded: fields nest at most ${depth - 1} levels deep.`,
    ]);
  });

  it('is bounded all the same', () => {
    expect(refusalsOf(`{ sailor { ${nested(4, 'name')} } }`, {})).toHaveLength(1);
    expect(
      refusalsOf(
        '{ sailor { mentor { mentor { mentor { mentor { mentor { mentor { mentor { id } } } } } } } } }',
        {},
      ),
    ).toHaveLength(1);
  });
});
