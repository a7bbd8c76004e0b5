// engines: sqlite
import { buildSchema } from 'graphql';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  createRestRequests,
  graphqlRequests,
  rootRequest,
} from '../../../src/kit/cli/review/example-requests.ts';
import { serveMock } from '../../../src/kit/cli/review/exchanges.ts';
import { restText, sdlText } from '../../../src/kit/cli/review/raw-lines.ts';
import { graphqlRows, restRows } from '../../../src/kit/cli/review/subject-rows.ts';
import { plantedSdl } from '../../support/planted-contracts.ts';
import { harbour } from '../../support/sdk-contracts.ts';

const openapi = `openapi: 3.1.0
info: { title: Sky, version: 1.0.0 }
security: [{ key: [], user: [] }, {}]
paths:
  /planets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }]
    get:
      deprecated: true
      security: []
      parameters:
        - { $ref: '#/components/parameters/Limit' }
        - { name: where, in: query, deprecated: true, content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } }
      responses:
        '200':
          description: It.
          headers: { ETag: { required: true, schema: { type: string } }, Total: { $ref: '#/components/headers/Total' } }
          content:
            application/json: { schema: { type: object, required: [a], properties: { a: { type: string }, b: { type: integer } } } }
            text/csv: { schema: { type: string } }
        '204': { description: '' }
        default: { $ref: '#/components/responses/Fault' }
    put:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } }
      responses: { '200': { description: It., content: { application/json: { schema: { type: array, items: {} } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: string, maxLength: 3 } } } }
      responses: { '200': { description: It. } }
components:
  parameters: { Limit: { name: limit, in: query, schema: { type: integer } }, Empty: { name: e, in: query } }
  headers: { Total: { required: true, schema: { type: integer } }, Content: { content: { text/plain: { schema: { type: string } } } } }
  responses: { Fault: { description: A fault., content: { application/json: { schema: { type: string } } } }, None: { description: No. } }
  requestBodies: { Note: { required: true, content: { text/plain: { schema: { type: string, maxLength: 9 } } } }, Planet: { required: true, content: { application/json: { schema: { type: string } } } } }
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, user: { type: http, scheme: basic } }
  schemas:
    Id: { type: integer, minimum: 1 }
    Any: {}
    Base: { type: object, required: [id], properties: { id: { $ref: '#/components/schemas/Id' } } }
    Planet: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { any: { $ref: '#/components/schemas/Any' }, base: { $ref: '#/components/schemas/Base' }, list: { type: array, items: { $ref: '#/components/schemas/Id' } } } }] }
`;

it('an operation and a type are shown by their parts', async () => {
  const document = parse(openapi);
  const operations = ['GET', 'PUT', 'POST', 'PATCH'].map((method) => `${method} /planets/{id}`);
  const types = [
    'Id',
    'Planet',
    'Any',
    'Limit',
    'Empty',
    'Total',
    'Content',
    'Fault',
    'None',
    'Note',
    'Nothing',
  ];
  const schema = buildSchema(
    `${plantedSdl}\ninput More { "One." one: Int = 3 """\nTwo.\n""" two: [String!]! @deprecated(reason: "Why: not") }\ntype Extra { find("Words: here." text: String = "a: b", limit: Int): Int @deprecated }\nenum Shade { DARK LIGHT @deprecated(reason: "Old.") }`,
  );
  const graphql = [
    ...['Query.planets', 'Query.none', 'Planet', 'Named', 'Hit', 'Kind', 'Order', 'PlanetFilter'],
    ...['More', 'Extra', 'Extra.find', 'Shade', 'None', 'Float'],
  ];
  const rows = [
    ...operations.map((name) => [name, restRows(document, { kind: 'operation', name })] as const),
    ...types.map((name) => [name, restRows(document, { kind: 'type', name })] as const),
    ...graphql.map(
      (name) => [`GraphQL ${name}`, graphqlRows(schema, { kind: 'type', name })] as const,
    ),
  ];
  const text = rows.map(
    ([name, all]) =>
      `${name}\n${[...all].map(([part, value]) => `  ${part}: ${value}\n`).join('')}`,
  );
  await expect(text.join('')).toMatchFileSnapshot('expected/subject-rows.txt');
  expect(restRows(undefined, { kind: 'type', name: 'Id' }).size).toBe(0);
  expect(graphqlRows(undefined, { kind: 'type', name: 'Id' }).size).toBe(0);
});

it('the text of a part is that of its operation or its type', () => {
  const document = parse(openapi);
  expect(restText(document, '#/components/schemas/Id/minimum')).toBe('type: integer\nminimum: 1\n');
  expect(restText(document, '#/paths/~1planets~1{id}/post/responses/200')).toContain(
    'maxLength: 3',
  );
  expect(restText(document, '#/components/schemas/None')).toBe('');
  expect(restText(undefined, '#/components/schemas/Id')).toBe('');
  const schema = buildSchema('type Query { a: Int b: Int }\ntype Planet { a: Int }\nscalar Day\n');
  const text = (place: string, kind: 'operation' | 'type') =>
    sdlText(schema, { place, subject: { kind, name: '' } } as Parameters<typeof sdlText>[1]);
  expect(text('Query.a', 'operation')).toBe('a: Int');
  expect(text('Planet.a', 'type')).toBe('type Planet { a: Int }');
  expect([text('Query.none', 'operation'), text('None.a', 'type')]).toEqual(['', '']);
  expect(text('Day', 'type')).toBe('scalar Day');
});

it('an operation is asked with what it needs, and with what is new', async () => {
  const request = createRestRequests({ name: 'a', openapi: harbour.openapi, sdl: '' });
  const asked = [
    ...([
      ['GET /cargo/{kind}/{id}', []],
      ['GET /cargo/{kind}/{id}', ['tags', 'X-Trace', 'filter']],
    ] as const),
    ...([
      ['POST /cargo', []],
      ['PUT /cargo', []],
      ['PATCH /cargo', []],
      ['GET /ships/{id}/log', ['after']],
    ] as const),
    ...([['GET /none', []]] as const),
  ];
  const text = asked.map(
    ([name, extra]) =>
      `${name} ${extra.join()}\n${JSON.stringify(request(name, extra), null, 2)}\n`,
  );
  await expect(text.join('')).toMatchFileSnapshot('expected/example-requests.txt');
  expect(createRestRequests({ name: 'a', openapi: '', sdl: '' })('GET /a', [])).toBe(undefined);
});

it('an operation is asked with values of every kind', () => {
  const text = `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /a/{id}:
    post:
      parameters:
        - { name: id, in: path, required: true, schema: { type: string }, example: a/b c }
        - { name: 'in[a]', in: query, required: true, schema: { type: array }, example: [1, { b: null }, x&y] }
        - { name: no, in: query, required: true, schema: { type: 'null' }, example: null }
        - { name: X-Not, in: header, schema: { type: string } }
        - { name: X-One, in: header, required: true, schema: { type: integer }, example: 7 }
      requestBody: { content: { application/json: { schema: { type: string }, example: text } } }
      responses: { 200: { description: A. } }
    put:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer }, example: 3 }]
      requestBody: { required: true, content: { application/json: { schema: false } } }
      responses: { 200: { description: A. } }
`;
  const request = createRestRequests({ name: 'a', openapi: text, sdl: '' });
  expect(request('POST /a/{id}', [])).toEqual({
    method: 'POST',
    path: '/a/a%2Fb%20c?in[a]=1%2C%7B%22b%22%3Anull%7D%2Cx%26y&no=null',
    headers: { 'X-One': '7', 'Content-Type': 'application/json' },
    body: '"text"',
  });
  expect(request('PUT /a/{id}', [])).toEqual({
    method: 'PUT',
    path: '/a/3',
    headers: {},
    body: '',
  });
});

it('a GraphQL operation is asked with its variables', () => {
  const operations =
    '# One.\n# variables {"id": 1}\nquery A($id: ID!) { a(id: $id) }\n\nquery B { b }\n';
  const found = graphqlRequests(operations);
  const headers = { 'Content-Type': 'application/json' };
  expect([...found.keys()]).toEqual(['A', 'B']);
  expect(found.get('A')).toMatchObject({ method: 'POST', path: '/graphql', headers });
  expect(JSON.parse(found.get('A')?.body ?? '').variables).toEqual({ id: 1 });
  expect(JSON.parse(found.get('B')?.body ?? '')).not.toHaveProperty('variables');
  expect(graphqlRequests(' \n').size).toBe(0);
  const schema = buildSchema('type Query { a(id: ID!): Int }');
  expect(rootRequest(schema, 'Query.a')?.body).toBe('{"query":"query { a(id: \\"1\\") }"}');
  expect(rootRequest(schema, 'Query.b')).toBe(undefined);
  expect(rootRequest(undefined, 'Query.a')).toBe(undefined);
});

it('an exchange with a mock is shown, and has an end', async () => {
  const long = (items: number, length: number) =>
    JSON.stringify(Array.from({ length: items }, () => 'x'.repeat(length)));
  const body = (schema: string) =>
    `{ 200: { description: A., content: { application/json: { schema: {}, example: ${schema} } } } }`;
  const served = await serveMock({
    name: 'a',
    openapi: `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /short: { get: { responses: ${body(long(38, 295))} } }
  /long: { get: { responses: ${body(long(39, 296))} } }
  /text: { post: { requestBody: { content: { text/plain: {} } }, responses: { 200: { description: A., content: { text/plain: { example: some } } } } } }
  /none: { get: { responses: { 204: { description: A. } } } }
`,
    sdl: 'type Query { a: Int }',
  });
  const ask = (method: string, path: string, body = '', headers = {}) =>
    served.ask({ method, path, headers, body });
  const short = (await ask('GET', '/short')).answer.split('\n');
  expect([short.at(-1), short.at(-3)]).toEqual([']', `  "${'x'.repeat(295)}",`]);
  const cut = (await ask('GET', '/long')).answer.split('\n');
  expect([cut.at(-1), cut.at(-3)]).toEqual(['…', `  "${'x'.repeat(296)}" …`]);
  const text = await ask('POST', '/text', 'hello', { 'Content-Type': 'text/plain' });
  expect(text).toEqual({
    request: 'POST /text\nContent-Type: text/plain\n\nhello',
    answer: expect.stringMatching(/^200 OK\n(?:[a-z-]+: .*\n)*\nsome$/),
    isMock: true,
  });
  expect(text.answer).not.toMatch(
    /^(date|connection|accord-mock|content-length|vary|x-request-id|keep-alive):/m,
  );
  expect((await ask('GET', '/none')).answer).toMatch(/^204 No Content(\n[a-z-]+: .*)*$/);
  expect(
    (await ask('POST', '/graphql', '{"query":"{ a }"}', { 'Content-Type': 'application/json' }))
      .answer,
  ).toContain('"data"');
  await served.stop();
});
