// engines: sqlite
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { buildSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { createBreaches, kindLine } from '../../../src/kit/cli/proxy/breaches.ts';
import { createChecks } from '../../../src/kit/cli/proxy/checks.ts';
import { startProxy } from '../../../src/kit/cli/proxy/proxy-server.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';

const json = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
const openapi = `openapi: 3.1.0
info: { title: Sky, version: 1.0.0 }
paths:
  /planets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getPlanet
      security: [{ key: [] }]
      responses:
        '200': { description: It., headers: { X-Total: { required: true, schema: { type: integer } } }, ${json('{ type: object, required: [name], properties: { name: { type: string }, at: { type: object, properties: { x: { type: integer } } } } }')} }
        '404': { description: None. }
    put:
      operationId: putPlanet
      parameters: [{ name: mode, in: query, required: true, schema: { enum: [a, b] } }]
      requestBody: { required: true, ${json('{ type: object, required: [name] }')} }
      responses: { default: { description: Anything. } }
    delete: { operationId: deletePlanet }
  /graphql:
    post: { operationId: graphql, requestBody: { required: true, ${json('{ type: object, required: [query], properties: { query: { type: string, maxLength: 30 } } }')} }, responses: { '200': { description: It., content: { application/json: {} } } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`;

type Planned = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
};
type Sent = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
};

let planned: Planned = {};
const server = createServer(async (asked, response) => {
  await buffer(asked);
  response.writeHead(planned.status ?? 200, planned.headers);
  response.end(planned.body);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
// A TCP server that listens has an address of this kind.
const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
const contract = await parseContract(openapi, 'openapi.yaml', { lenient: true });
afterAll(() => void server.close());

/** What a proxy finds in one exchange, and what it passes on. */
async function found(
  { method = 'GET', path, headers = {}, body }: Sent,
  answer: Planned,
  { refuse = false } = {},
) {
  planned = answer;
  const breaches = createBreaches(() => {});
  const schema = buildSchema('type Query { a: Int }');
  const checks = await createChecks({
    contract,
    schema,
    graphqlPath: '/graphql',
    breaches,
    onWarning: () => {},
  });
  const proxy = await startProxy({ address, checks, refuse, port: 0, patience: 60_000 });
  const { hostname, port } = new URL(proxy.url);
  const sent = request({ hostname, port, method, path, headers, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await buffer(response)).toString();
  await proxy.stop();
  const { unread, answers } = checks.traffic;
  return {
    lines: breaches.kinds().map(kindLine).toSorted(),
    ...{
      status: response.statusCode,
      headers: response.headers,
      text,
      unread,
      answers: [...answers],
    },
  };
}

const key = { 'X-Key': 'a' };
const typed = { 'content-type': 'application/json' };
const total = { ...typed, 'x-total': '1' };
const right: Planned = { headers: total, body: '{"name":"Mars"}' };
const get = { path: '/planets/1', headers: key };
const put = (body: string, headers: Record<string, string> = typed, query = '?mode=a') => ({
  method: 'PUT',
  path: `/planets/1${query}`,
  headers,
  body,
});

describe('a proxy finds in an exchange', () => {
  it.each<[string, Sent, Planned, string[]]>([
    ['nothing', get, right, []],
    ['a status without a body', get, { status: 404 }, []],
    [
      'no credentials',
      { path: '/planets/1' },
      right,
      ['request of getPlanet: /headers/authorization credentials are missing'],
    ],
    [
      'a path parameter',
      { path: '/planets/x', headers: key },
      right,
      ['request of getPlanet: /path/id must be an integer in decimal digits'],
    ],
    [
      'another path',
      { path: '/moons/12345678901234567', headers: key },
      right,
      ['request of GET /moons/*: path is not declared'],
    ],
    [
      'another method',
      { method: 'PATCH', path: '/planets/1' },
      right,
      ['request of PATCH /planets/{id}: method is not declared'],
    ],
    [
      'a body without its type',
      get,
      { headers: { 'x-total': '1' }, body: '{"name":"a"}' },
      ['answer of getPlanet: Content-Type is missing'],
    ],
    [
      'a body of another type',
      get,
      { headers: { 'content-type': 'text/plain', 'x-total': '1' }, body: 'a' },
      ['answer of getPlanet: Content-Type text/plain is not declared'],
    ],
    [
      'a header',
      get,
      { headers: { ...typed, 'x-total': 'x' }, body: '{"name":"a"}' },
      ['answer of getPlanet: header X-Total must be integer'],
    ],
    [
      'a member',
      get,
      { headers: total, body: '{"name":"a","at":{"x":"y"}}' },
      ['answer of getPlanet: body/at/x must be integer'],
    ],
    [
      'no member',
      get,
      { headers: total, body: '{}' },
      ["answer of getPlanet: body must have required property 'name'"],
    ],
    [
      'no JSON',
      get,
      { headers: total, body: '{"name":' },
      ['answer of getPlanet: body must be object'],
    ],
    [
      'bytes that are not UTF-8',
      get,
      { headers: total, body: Buffer.from('{"name":"\xff"}', 'latin1') },
      ['answer of getPlanet: body is not in UTF-8'],
    ],
    [
      'two members with one name',
      get,
      { headers: total, body: '{"name":1,"name":"a"}' },
      ['answer of getPlanet: body has two members with one name'],
    ],
    [
      'numbers that readers may round',
      get,
      { headers: total, body: '{"name":"a","b":0.1000000000000000055}' },
      [],
    ],
    [
      'a status',
      get,
      { ...right, status: 201 },
      ['answer of getPlanet: status 201 is not declared'],
    ],
    ['anything where anything is declared', put('{"name":1}'), { status: 418 }, []],
    [
      'anything where nothing is declared',
      { method: 'DELETE', path: '/planets/1' },
      { status: 418 },
      [],
    ],
    [
      'a query',
      put('{"name":1}', typed, ''),
      {},
      ['request of putPlanet: /query/mode is required'],
    ],
    ['a long body', put(`{"name":"${'x'.repeat(300_000)}"}`), {}, []],
    [
      'a long body with a query',
      put(`{"name":"${'x'.repeat(300_000)}"}`, typed, '?mode=c'),
      {},
      [expect.stringMatching(/^request of putPlanet: \/query\/mode /)],
    ],
    [
      'a body in a coding that nobody knows',
      put('x', { ...typed, 'content-encoding': 'unknown' }),
      { headers: { ...typed, 'content-encoding': 'gzip' }, body: '{"name":"x"}' },
      [
        'answer of putPlanet: /body cannot be decoded',
        'request of putPlanet: /body cannot be decoded',
      ],
    ],
    [
      'a question of a browser',
      {
        method: 'OPTIONS',
        path: '/planets/1',
        headers: { 'access-control-request-method': 'PUT' },
      },
      { status: 204 },
      [],
    ],
    [
      'another OPTIONS',
      { method: 'OPTIONS', path: '/planets/1' },
      { status: 204 },
      ['request of OPTIONS /planets/{id}: method is not declared'],
    ],
    [
      'GraphQL, in both contracts',
      {
        method: 'POST',
        path: '/graphql',
        headers: typed,
        body: JSON.stringify({ query: `{ b ${' '.repeat(30)}}` }),
      },
      { headers: typed, body: '{"errors":[{"message":"a"}]}' },
      [
        'request of graphql: /body/query must NOT have more than 30 characters',
        'request of query: document Cannot query field "b" on type "Query". Did you mean "a"?',
      ],
    ],
    [
      'GraphQL that is right',
      { method: 'POST', path: '/graphql', headers: typed, body: '{"query":"{ a }"}' },
      { headers: typed, body: '{"data":{"a":1}}' },
      [],
    ],
    [
      'GraphQL by GET, which OpenAPI does not have',
      { path: '/graphql?query={a}' },
      { headers: typed, body: '{"data":{"a":"x"}}' },
      ['answer of query: Query.a must be Int'],
    ],
  ])('%s', async (_, sent, answer, lines) => {
    expect((await found(sent, answer)).lines).toEqual([...lines]);
  });

  it('how often an operation was answered, and what was not read', async () => {
    const long = await found(put(`{"name":"${'x'.repeat(300_000)}"}`), {
      body: 'y'.repeat(300_000),
    });
    expect([long.unread, long.answers]).toEqual([2, [['putPlanet → 200', 1]]]);
    const asked = await found(
      {
        method: 'OPTIONS',
        path: '/planets/1',
        headers: { 'access-control-request-method': 'PUT' },
      },
      { status: 204 },
    );
    expect(asked.answers).toEqual([]);
    expect((await found({ path: '/none' }, {})).answers).toEqual([['other → 200', 1]]);
  });
});

describe('a proxy that refuses', () => {
  const refuse = { refuse: true };

  it('says what is wrong with a request, or with an answer, as a problem of its own', async () => {
    const wrong = await found({ path: '/planets/x', headers: key }, right, refuse);
    expect(wrong.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'accord-proxy': 'true',
      'content-length': String(wrong.text.length),
    });
    expect([wrong.status, JSON.parse(wrong.text)]).toEqual([
      400,
      {
        ...{ type: 'urn:accord:problem:invalid-request', title: 'Invalid request', status: 400 },
        detail: 'The request does not satisfy the contract.',
        errors: [{ path: '/path/id', message: 'must be an integer in decimal digits' }],
      },
    ]);
    const answered = await found(get, { ...right, status: 201 }, refuse);
    expect([answered.status, JSON.parse(answered.text)]).toEqual([
      502,
      {
        ...{ type: 'urn:accord:problem:invalid-answer', title: 'Invalid answer', status: 502 },
        detail: 'The answer of the server does not satisfy the contract.',
        errors: [{ path: 'status 201', message: 'is not declared' }],
      },
    ]);
  });

  it('passes on what is right, also where it is too long to be checked', async () => {
    const fine = await found(get, right, refuse);
    expect([fine.status, fine.text, fine.headers['x-total'], fine.headers['accord-proxy']]).toEqual(
      [200, right.body, '1', undefined],
    );
    const long = await found(
      put(`{"name":"${'x'.repeat(300_000)}"}`),
      { body: 'y'.repeat(300_000) },
      refuse,
    );
    expect([long.status, long.text.length, long.lines]).toEqual([200, 300_000, []]);
  });
});
