// engines: sqlite
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { rootDocuments } from '../../../src/kit/cli/test/root-documents.ts';
import {
  createSampledRequests,
  withCredentials,
} from '../../../src/kit/cli/test/sampled-requests.ts';
import { credentialsConfig, testSecurity } from '../../../src/kit/cli/test/test-credentials.ts';
import { testedDocument } from '../../../src/kit/cli/test/tested-document.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';

const value = (text: string) => `schema: { const: ${text} }`;
const path = (name: string, style: string, explode: boolean, text: string) =>
  `{ name: ${name}, in: path, required: true, style: ${style}, explode: ${explode}, ${value(text)} }`;
const query = (name: string, more: string, text: string) =>
  `{ name: ${name}, in: query, ${more}, ${value(text)} }`;
const object = '{ R: 100, G: x y }';
const list = '[a, b c]';

const openapi = `openapi: 3.1.0
info: { title: A, version: '1' }
paths:
  /p/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}:
    get:
      operationId: inPath
      parameters:
        - ${path('a', 'simple', false, object)}
        - ${path('b', 'simple', true, object)}
        - ${path('c', 'label', false, list)}
        - ${path('d', 'label', true, object)}
        - ${path('e', 'matrix', false, object)}
        - ${path('f', 'matrix', true, list)}
        - ${path('g', 'matrix', false, "'x y'")}
        - ${path('h', 'label', false, "'/'")}
      responses: { 200: { description: A. } }
  /q:
    get:
      operationId: inQuery
      parameters:
        - ${query('a', 'required: true', list)}
        - ${query('b', 'explode: false', list)}
        - ${query('c', 'style: spaceDelimited, explode: false', list)}
        - ${query('d', 'style: pipeDelimited, explode: false', list)}
        - ${query('e', 'style: deepObject, explode: true', object)}
        - ${query('f', 'explode: true', object)}
        - ${query('g', 'explode: false', object)}
        - ${query('empty', 'explode: true', "''")}
        - { name: where, in: query, content: { application/json: { schema: { const: { a: [1] } } } } }
        - { name: deep, in: query, schema: { const: { a: [1] } } }
        - { name: nothing, in: query, schema: { const: null } }
        - { name: X-A, in: header, required: true, ${value(list)} }
        - { name: c, in: cookie, ${value("'x;y'")} }
        - { name: sid, in: cookie, ${value('one')} }
      security: [{ jar: [], bearer: [] }]
      responses: { 200: { description: A. } }
  /b:
    post:
      operationId: bodies
      security: [{ user: [], bearer: [] }, { head: [], search: [], tls: [], user: [] }]
      parameters: [{ name: x-key, in: header, schema: { type: string } }, { name: a, in: query, required: true, schema: { const: 1 } }]
      requestBody:
        required: true
        content:
          application/json: { schema: { const: { a: 1 } } }
          application/problem+json: { schema: { type: string, const: b } }
          application/x-www-form-urlencoded: { schema: { const: { a: x y, b: [1, 2], c: { d: 3 }, e: null, f: [4, 5], g: { h: 6 }, i: [] } }, encoding: { f: { style: pipeDelimited, explode: false }, g: { style: deepObject }, b: { explode: true }, a: { style: deepObject } } }
          multipart/form-data: { schema: { type: object, required: [file, text], properties: { file: { type: string, format: binary }, text: { const: a } } } }
          application/xml: {}
          text/plain: { schema: { const: some } }
          text/html: { schema: { const: '' } }
          text/csv: {}
      responses: { 200: { description: A. } }
    put:
      operationId: optionalBody
      requestBody: { content: { application/json: { schema: { type: array } } } }
      responses: { 200: { description: A. } }
    patch:
      operationId: noBody
      requestBody: { required: true, content: { application/json: { schema: false } } }
      responses: { 200: { description: A. } }
    delete:
      operationId: anyBody
      requestBody: { required: true, content: { application/json: { schema: {} } } }
      responses: { 200: { description: A. } }
components:
  securitySchemes:
    jar: { type: apiKey, in: cookie, name: sid }
    head: { type: apiKey, in: header, name: X-Key }
    search: { type: apiKey, in: query, name: k }
    user: { type: http, scheme: BASIC }
    bearer: { type: http, scheme: bearer }
    tls: { type: mutualTLS }
`;

const contract = await parseContract(openapi, 'openapi.yaml', { lenient: true });
const { operations } = contract;

describe('requests that are made from a contract', () => {
  it('are valid but for one fault each', async () => {
    const sampled = createSampledRequests(contract);
    const shown = operations.flatMap((operation) => {
      const { valid, invalid } = sampled(operation);
      return [
        ...valid.map((each) => ({ ...each, kind: 'valid' })),
        ...invalid.map((each) => ({ ...each, kind: 'invalid' })),
      ];
    });
    const text = shown.map(({ kind, what, method, target, headers, body }) =>
      [
        `## ${kind}: ${what}`,
        `${method} ${target}`,
        ...headers.map(([name, value]) => `${name}: ${value}`),
        ...(body ? ['', body.toString().replaceAll('\r\n', '\n')] : []),
      ].join('\n'),
    );
    await expect(`${text.join('\n\n')}\n`).toMatchFileSnapshot('expected/sampled-requests.txt');
  });

  it('have the credentials that an operation demands', () => {
    const sent = { method: 'GET', headers: [['A', 'b']], body: undefined } as const;
    const made = (id: string, target: string) => {
      const operation = operations.find((each) => each.id === id);
      if (!operation) throw new Error(`there is no ${id}`);
      const { target: at, headers } = withCredentials(contract, operation)({ ...sent, target });
      return [at, ...headers.map(([name, text]) => `${name}: ${text}`)];
    };
    const basic = 'Authorization: Basic dXNlcjpwYXNzd29yZA==';
    expect(made('bodies', '/b')).toEqual(['/b?k=key', 'A: b', 'X-Key: key', basic]);
    expect(made('bodies', '/b?a=1')).toEqual(['/b?a=1&k=key', 'A: b', 'X-Key: key', basic]);
    expect(made('inQuery', '/q')).toEqual([
      '/q',
      'A: b',
      'Authorization: Bearer token',
      'Cookie: sid=key',
    ]);
    expect(made('inPath', '/p')).toEqual(['/p', 'A: b']);
  });

  it('and the test has credentials for each scheme, and functions that take them', () => {
    expect(credentialsConfig(contract, { head: () => true })).toEqual([
      ...['[auth.openapi."jar"]', 'api_key = "key"', '[auth.openapi."bearer"]', 'bearer = "token"'],
      ...['[auth.openapi."user"]', 'username = "user"', 'password = "password"'],
      ...['[auth.openapi."search"]', 'api_key = "key"'],
    ]);
    const functions: Readonly<Record<string, unknown>> = testSecurity(contract);
    expect(Object.keys(functions).toSorted()).toEqual(['bearer', 'head', 'jar', 'search', 'user']);
    const { user } = functions;
    if (typeof user !== 'function') throw new Error('there is no function');
    expect([user('key'), user('token'), user({ password: 'password' })]).toEqual([
      true,
      true,
      true,
    ]);
    expect([user('other'), user({ password: 'other' }), user(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

it('schemathesis is given a document without malformed examples', async () => {
  expect(testedDocument(contract)).toBe(openapi);
  const text = openapi.replace(
    'schema: { type: array }',
    'schema: { type: array, examples: { a: 1 } }',
  );
  const malformed = await parseContract(text, 'openapi.yaml', { lenient: true });
  const made = JSON.parse(testedDocument(malformed));
  expect(made.paths['/b'].put.requestBody.content).toEqual({
    'application/json': { schema: { type: 'array' } },
  });
  const fine = openapi.replace(
    'schema: { type: array }',
    'schema: { type: array, examples: [[]] }',
  );
  expect(testedDocument(await parseContract(fine, 'openapi.yaml', { lenient: true }))).toBe(fine);
});

it('a document is made for each field of Query and Mutation', () => {
  const leaves = Array.from({ length: 22 }, (_, i) => `l${i}: Int`).join(' ');
  const schema = buildSchema(`
    type Query {
      plain: Int
      asked(a: Int!, b: Float!, c: Boolean!, d: String!, e: ID!, f: Kind!, g: [Int!]!, h: In!, i: One!, j: Int! = 3, k: Int): Int
      endless(a: Endless!): Int
      endlessList(a: [Endless!]!): Int
      endlessPair(a: Ping!): Int
      many: Many
      deep: A
      either: Either
      named: [Named!]!
    }
    type Mutation { make(a: Any!): A! }
    type Subscription { none: Int }
    enum Kind { FIRST SECOND }
    scalar Any
    input In { a: Int! b: Int c: Int! = 3 d: Inner! }
    input Inner { e: String! }
    input One @oneOf { a: Int b: Int }
    input Endless { again: Endless! }
    input Ping { pong: Pong! }
    input Pong { ping: Ping! }
    type Many { ${leaves} a1: A a2: A a3: A a4: A }
    type A { id: ID b: B needs(a: Int!): Int }
    type B { id: ID c: C }
    type C { id: ID d: D }
    type D { id: ID }
    union Either = A | B
    interface Named { name: String }
    type N implements Named { name: String }
  `);
  const documents = rootDocuments(schema).map(({ name, document }) => [name, document]);
  const [first, ...rest] = leaves.match(/l\d+/g) ?? [];
  expect(Object.fromEntries(documents)).toEqual({
    'Query.plain': 'query { plain }',
    'Query.asked':
      'query { asked(a: 1, b: 1.5, c: true, d: "text", e: "1", f: FIRST, g: [1], h: {a: 1, d: {e: "text"}}, i: {a: 1}) }',
    'Query.endless': undefined,
    'Query.endlessList': undefined,
    'Query.endlessPair': undefined,
    'Query.many': `query { many { __typename ${[first, ...rest.slice(0, 19)].join(' ')} a1 { __typename id } a2 { __typename id } a3 { __typename id } } }`,
    'Query.deep': 'query { deep { __typename id b { __typename id } } }',
    'Query.either': 'query { either { __typename } }',
    'Query.named': 'query { named { __typename name } }',
    'Mutation.make': 'mutation { make(a: "1") { __typename id b { __typename id } } }',
  });
});
