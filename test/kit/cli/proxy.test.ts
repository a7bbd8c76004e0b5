// engines: sqlite
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { buildSchema } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { createBreaches, kindLine } from '../../../src/kit/cli/proxy/breaches.ts';
import { createChecks } from '../../../src/kit/cli/proxy/checks.ts';
import { driftReport } from '../../../src/kit/cli/proxy/drift-report.ts';
import { startProxy } from '../../../src/kit/cli/proxy/proxy-server.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { answersIn, sendRaw } from '../../../tools/support/raw-http.ts';

const openapi = `
openapi: 3.1.0
info: { title: Planets, version: 1.0.0 }
paths:
  /planets:
    get:
      operationId: listPlanets
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 10 } }]
      responses:
        '200':
          description: All.
          headers: { X-Total: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Planet' } } } }
    post:
      operationId: createPlanet
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } }
      responses:
        '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } }
  /planets/{id}:
    get:
      operationId: getPlanet
      security: [{ key: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } }
        '404': { description: None. }
  /pictures:
    put:
      operationId: replacePicture
      requestBody: { required: true, content: { image/png: {} } }
      responses: { '204': { description: Stored. } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Planet:
      type: object
      additionalProperties: false
      required: [name]
      properties: { name: { type: string, maxLength: 20 }, moons: { type: integer } }
`;
const sdl = `
type Query { planet(id: ID!): Planet, planets: [Planet!]! }
type Planet { id: ID!, name: String!, moons: Int, kind: Kind, sun: Body }
enum Kind { ROCK GAS }
interface Body { name: String! }
type Star implements Body { name: String!, heat: Float }
`;

type Planned = { status?: number; headers?: string[]; body?: string | Buffer };
type Seen = { method: string; url: string; headers: string[]; body: string };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server that answers as the test says, and a proxy before it. */
async function setUp({ refuse = false, patience = 10_000 } = {}) {
  const seen: Seen[] = [];
  let planned: Planned = {};
  const server = createServer(async (asked, response) => {
    const body = (await buffer(asked)).toString('latin1');
    const { method = '', url = '', rawHeaders: headers } = asked;
    seen.push({ method, url, headers, body });
    response.sendDate = false;
    response.writeHead(planned.status ?? 200, 'Planned', planned.headers ?? json);
    response.end(planned.body ?? '{"name":"Mars"}');
  });
  const address = await listen(server);
  const breaches = createBreaches(() => {});
  const warnings: string[] = [];
  const checks = await createChecks({
    contract: await parseContract(openapi),
    schema: buildSchema(sdl),
    graphqlPath: '/graphql',
    breaches,
    onWarning: (line) => warnings.push(line),
  });
  const parts = { checks, refuse, patience, port: 0 };
  const proxy = await startProxy({ address, ...parts });
  closing.push(proxy.stop);
  return {
    ...{ address, proxy, checks, seen, warnings, breaches, server },
    plan(next: Planned) {
      planned = next;
    },
    async found(): Promise<string[]> {
      await checks.settled();
      // Request and answer are checked each on its own, in either order.
      return breaches.kinds().map(kindLine).toSorted();
    },
  };
}

const json = ['Content-Type', 'application/json'];

async function listen(server: Server): Promise<URL> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

type Sent = { method?: string; path: string; headers?: string[]; body?: string | Buffer };

async function ask(base: URL | string, { method = 'GET', path, headers = [], body }: Sent) {
  const { hostname, port, host } = new URL(base);
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  const all = ['Host', host, ...headers, ...length];
  const sent = request({ hostname, port, method, path, headers: all, agent: false }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status, statusMessage, rawHeaders } = answer;
  return {
    status,
    statusMessage,
    headers: rawHeaders,
    body: (await buffer(answer)).toString('latin1'),
  };
}

const key = ['X-Key', 'a'];
const post = (body: unknown, headers = json) => ({
  ...{ method: 'POST', path: '/planets', headers },
  body: JSON.stringify(body),
});
const graphql = (query: string, variables?: object) => ({
  ...post({ query, variables }),
  path: '/graphql',
});

describe('a proxy', () => {
  const total = [...json, 'X-Total', '1'];
  const made = { status: 201, body: '{"name":"Mars"}' };
  /** What is asked, what is answered, and the line of the report. */
  const planted: [sent: Sent, answer: Planned, line: string][] = [
    [
      { path: '/planets?limit=11' },
      { headers: total, body: '[]' },
      'request of listPlanets: /query/limit must be <= 10',
    ],
    [
      { path: '/planets?colour=red' },
      { headers: total, body: '[]' },
      'request of listPlanets: /query/colour is not a parameter of this operation',
    ],
    [post({ moons: 2 }), made, 'request of createPlanet: /body/name is required'],
    [
      { path: '/planets/1' },
      {},
      'request of getPlanet: /headers/authorization credentials are missing',
    ],
    [{ path: '/stars/7?x=1' }, {}, 'request of GET /stars/*: path is not declared'],
    [
      { path: '/planets' },
      { headers: total, body: '[{"name":"Mars"},{"name":1},{"name":2}]' },
      'answer of listPlanets: body/*/name must be string',
    ],
    [{ path: '/planets' }, { body: '[]' }, 'answer of listPlanets: header X-Total is missing'],
    [
      { path: '/planets/1', headers: key },
      { status: 418, body: '{}' },
      'answer of getPlanet: status 418 is not declared',
    ],
    [
      { path: '/planets/1', headers: key },
      { headers: ['Content-Type', 'text/html'], body: '<p>' },
      'answer of getPlanet: Content-Type text/html is not declared',
    ],
    [
      { method: 'PUT', path: '/pictures', headers: ['Content-Type', 'image/png'], body: 'png' },
      { status: 200 },
      'answer of replacePicture: status 200 is not declared',
    ],
  ];
  const right: [Sent, Planned][] = [
    [{ path: '/planets?limit=2' }, { headers: total, body: '[{"name":"Mars","moons":2}]' }],
    [post({ name: 'Mars' }), made],
    [{ path: '/planets/4', headers: key }, { body: '{"name":"Mars"}' }],
    [
      { path: '/planets/5', headers: key },
      { status: 404, body: '' },
    ],
    [
      {
        method: 'PUT',
        path: '/pictures',
        headers: ['Content-Type', 'image/png'],
        body: '\u0000png',
      },
      { status: 204, headers: [], body: '' },
    ],
    [
      { method: 'OPTIONS', path: '/planets', headers: ['Access-Control-Request-Method', 'GET'] },
      { status: 204, headers: [], body: '' },
    ],
  ];

  it('reports ten planted deviations and no other, and passes everything on unchanged', async () => {
    const { proxy, address, seen, plan, found, breaches, checks } = await setUp();
    for (const [sent, answer] of [...planted, ...right, ...planted]) {
      plan(answer);
      const through = await ask(proxy.url, sent);
      const direct = await ask(address, sent);
      expect(through).toEqual(direct);
      const [first, second] = seen.splice(0).map(withoutHops);
      expect(first).toEqual(second);
    }
    expect(await found()).toEqual(planted.map(([, , line]) => line).toSorted());
    expect(breaches.kinds().map(({ count }) => count)).toEqual(planted.map(() => 2));
    const report = driftReport(address, breaches, checks.traffic);
    expect(report).toMatchObject({ isKept: false, requests: 26, unread: 0 });
    expect(report.sections.map(({ parts }) => parts.length)).toEqual([5, 5, expect.anything()]);
  });

  it('passes on bytes, repeated headers, streams and long bodies', async () => {
    const { proxy, address, seen, plan, found, checks } = await setUp();
    const long = Buffer.alloc(3_000_000, 'ä');
    const headers = [
      ...json,
      'Set-Cookie',
      'a=1',
      'set-cookie',
      'b=\u00e9',
      'X-Odd',
      '',
      ...['X-Total', '1'],
    ];
    plan({ headers, body: long });
    const sent = { ...post({}), body: long, headers: [...json, 'X-A', '1', 'x-a', '\u00e9'] };
    const through = await ask(proxy.url, { ...sent, path: '/planets/?a=%2F&b=%zz&&c' });
    const direct = await ask(address, { ...sent, path: '/planets/?a=%2F&b=%zz&&c' });
    expect(through).toEqual(direct);
    const [first, second] = seen.map(withoutHops);
    expect(first).toEqual(second);
    expect(first?.body === long.toString('latin1')).toBe(true);
    expect(await found()).toEqual(['request of POST /planets/: path is not declared']);
    expect(checks.traffic.unread).toBe(2);
  });

  it('checks parameters, status and headers of exchanges with long bodies', async () => {
    const { proxy, plan, found } = await setUp();
    plan({ body: `[${' '.repeat(300_000)}]` });
    await ask(proxy.url, { path: '/planets?limit=11' });
    expect(await found()).toEqual([
      'answer of listPlanets: header X-Total is missing',
      'request of listPlanets: /query/limit must be <= 10',
    ]);
  });

  it('answers 502 where the server answers with no status of HTTP, and goes on', async () => {
    const { checks } = await setUp();
    const server = createNetServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.end('HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A TCP server that listens has an address of this kind.
    const { port } = server.address() as AddressInfo;
    const address = new URL(`http://127.0.0.1:${port}`);
    const proxy = await startProxy({ address, checks, refuse: false, port: 0, patience: 10_000 });
    closing.push(proxy.stop, () => void server.close());
    for (let i = 0; i < 2; i++) {
      expect(await ask(proxy.url, { path: '/planets' })).toMatchObject({ status: 502 });
    }
  });

  /** A proxy before a server that is told the bytes it gets, and answers with others. */
  const standBefore = async (
    answered: string | Buffer,
    { end = /\r\n\r\n$/, refuse = false } = {},
  ) => {
    let received = '';
    const server = createNetServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        if (end.test(received)) socket.end(answered);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A TCP server that listens has an address of this kind.
    const { port } = server.address() as AddressInfo;
    const address = new URL(`http://127.0.0.1:${port}`);
    const { checks, found } = await setUp();
    const proxy = await startProxy({ address, checks, refuse, port: 0, patience: 600_000 });
    closing.push(proxy.stop, () => void server.close());
    return { url: proxy.url, found, received: () => received };
  };

  it('passes an answer on without a reason phrase that cannot be written', async () => {
    const { url } = await standBefore('HTTP/1.1 200 \xff\x01\r\nContent-Length: 2\r\n\r\n{}');
    expect(await ask(url, { path: '/planets' })).toMatchObject({ status: 200, body: '{}' });
    expect(await ask(url, { path: '/planets' })).toMatchObject({ status: 200 });
  });

  it.each([
    ['ends before its length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}'],
    ['ends within its chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{'],
    ['has a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'],
  ])('answers 502 where it holds answers, and one %s', async (_, text) => {
    const { url } = await standBefore(text, { refuse: true });
    expect(await ask(url, { path: '/planets' })).toMatchObject({ status: 502 });
  });

  it('answers 502 where the server changes the protocol', async () => {
    const { url } = await standBefore(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    );
    const answer = await ask(url, { path: '/planets' });
    expect(answer).toMatchObject({ status: 502 });
    expect(answer.body).toContain('status 101');
  });

  it('answers 400 where a request names two hosts or none, and 501 where it wants a tunnel', async () => {
    const { url, received } = await standBefore('');
    const bare = 'GET /planets HTTP/1.1\r\nConnection: close\r\n';
    for (const [text, status] of [
      [`${bare}Host: a\r\nHost: b\r\n\r\n`, 400],
      [`${bare}\r\n`, 400],
      ['CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 501],
    ] as const) {
      const [answer] = answersIn(await sendRaw(url, text));
      expect(answer).toMatchObject({ status, problem: { status } });
    }
    expect(received()).toBe('');
  });

  it('passes on what was done to a body besides cutting it into chunks', async () => {
    const chunks = (text: string) => {
      const bytes = gzipSync(text);
      const [size, end] = [`${bytes.length.toString(16)}\r\n`, '\r\n0\r\n\r\n'];
      return Buffer.concat([Buffer.from(size), bytes, Buffer.from(end)]);
    };
    const coding = 'Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n';
    const sent = Buffer.concat([
      Buffer.from(`POST /planets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${coding}\r\n`),
      chunks('{"name":"Mars"}'),
    ]);
    const made = Buffer.concat([
      Buffer.from(`HTTP/1.1 201 Created\r\nConnection: close\r\n${coding}\r\n`),
      chunks('{"name":"Venus"}'),
    ]);
    const { url, received, found } = await standBefore(made, { end: /\r\n0\r\n\r\n$/ });
    const text = await sendRaw(url, sent);
    for (const [all, body] of [
      [received(), '{"name":"Mars"}'],
      [text, '{"name":"Venus"}'],
    ] as const) {
      expect(all).toMatch(/\r\nTransfer-Encoding: gzip, chunked\r\n/);
      expect(all).toContain(gzipSync(body).toString('latin1'));
    }
    expect(await found()).toEqual([]);
  });

  it('counts a fault of many items as one kind', async () => {
    const { proxy, plan, found } = await setUp();
    const items = Array.from({ length: 30_000 }, () => 1);
    plan({ headers: [...json, 'X-Total', '1'], body: JSON.stringify(items) });
    await ask(proxy.url, { path: '/planets' });
    const query = 'query ($names: [String!]) { __typename @include(if: true) }';
    await ask(proxy.url, {
      ...post({ query, variables: { names: items } }),
      path: '/graphql',
    });
    const kinds = await found();
    expect(kinds.filter((each) => each.startsWith('answer of listPlanets'))).toHaveLength(1);
    expect(kinds.length).toBeLessThan(10);
  });

  it('looks into encoded bodies', async () => {
    const { proxy, plan, found } = await setUp();
    const headers = [...json, 'Content-Encoding', 'gzip'];
    plan({ status: 201, headers, body: gzipSync('{"name":2}') });
    await ask(proxy.url, { ...post({}, headers), body: gzipSync('{"name":1}') });
    expect(await found()).toEqual([
      'answer of createPlanet: body/name must be string',
      'request of createPlanet: /body/name must be string',
    ]);
  });

  it('passes the start of an answer on before its end', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const address = await listen(server);
    for (const refuse of [false, true]) {
      const { checks } = await setUp();
      const proxy = await startProxy({ address, checks, refuse, port: 0, patience: 10_000 });
      closing.push(proxy.stop);
      const sent = request(`${proxy.url}/graphql?query={planets{id}}`).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const [chunk] = await once(answer, 'data');
      expect(String(chunk)).toBe('data: 1\n\n');
      sent.destroy();
    }
  });

  it('refuses what breaks the contract, where it is told to', async () => {
    const { proxy, seen, plan } = await setUp({ refuse: true });
    const invalid = await ask(proxy.url, post({ moons: 2 }));
    expect(invalid.status).toBe(400);
    expect(JSON.parse(invalid.body)).toMatchObject({
      type: 'urn:accord:problem:invalid-request',
      errors: [{ path: '/body/name', message: 'is required' }],
    });
    expect(seen).toEqual([]);
    plan({ status: 201, body: '{"name":1}' });
    const wrong = await ask(proxy.url, post({ name: 'Mars' }));
    expect(wrong.status).toBe(502);
    expect(JSON.parse(wrong.body).errors).toEqual([
      { path: 'body/name', message: 'must be string' },
    ]);
    plan({ status: 201 });
    expect((await ask(proxy.url, post({ name: 'Mars' }))).status).toBe(201);
    expect(seen.at(-1)?.body).toBe('{"name":"Mars"}');
    const long = Buffer.alloc(3_000_000, 1);
    const picture = { method: 'PUT', path: '/pictures', headers: ['Content-Type', 'image/png'] };
    plan({ status: 204, headers: [], body: '' });
    expect((await ask(proxy.url, { ...picture, body: long })).status).toBe(204);
    expect(seen.at(-1)?.body === long.toString('latin1')).toBe(true);
  });

  it('answers 502 and 504 as problems where the server is down, resets or is slow', async () => {
    const { checks } = await setUp();
    const silent = createServer(() => {});
    const resetting = createServer((asked) => void asked.socket.resetAndDestroy());
    const down = createServer();
    const addresses = [await listen(silent), await listen(resetting), await listen(down)];
    down.close();
    const answers = [];
    for (const address of addresses) {
      const proxy = await startProxy({ address, checks, refuse: false, port: 0, patience: 200 });
      closing.push(proxy.stop);
      const { status, body } = await ask(proxy.url, post({ name: 'Mars' }));
      answers.push([status, JSON.parse(body).type]);
    }
    expect(answers).toEqual([
      [504, 'urn:accord:problem:gateway-timeout'],
      [502, 'urn:accord:problem:bad-gateway'],
      [502, 'urn:accord:problem:bad-gateway'],
    ]);
  });
});

describe('a proxy holds GraphQL to the SDL', () => {
  const planet =
    'query One($id: ID!) { planet(id: $id) { id name moons kind sun { __typename name ... on Star { heat } } } }';
  const data = (value: unknown) => ({ body: JSON.stringify({ data: value }) });
  const whole = {
    id: '1',
    name: 'Mars',
    moons: 2,
    kind: 'ROCK',
    sun: { __typename: 'Star', name: 'Sol', heat: 1.5 },
  };

  it.each<[string, Sent, Planned, string[]]>([
    ['what is right', graphql(planet, { id: 1 }), data({ planet: whole }), []],
    ['null where it may be', graphql(planet, { id: 1 }), data({ planet: null }), []],
    ['an error', graphql(planet, { id: 1 }), { body: '{"errors":[{"message":"no"}]}' }, []],
    [
      'an unknown field',
      graphql('{ planets { mass } }'),
      { body: '{"errors":[{"message":"no"}]}' },
      ['request of query: document Cannot query field "mass" on type "Planet".'],
    ],
    [
      'a variable that is missing',
      graphql(planet),
      { body: '{"errors":[{"message":"no"}]}' },
      [expect.stringMatching(/^request of query One: \/body\/variables Variable "\$id"/)],
    ],
    [
      'a wrong scalar, a wrong enum and a null',
      graphql(planet, { id: 1 }),
      data({ planet: { ...whole, name: null, moons: '2', kind: 'ICE' } }),
      [
        'answer of query One: Planet.name must not be null',
        'answer of query One: Planet.moons must be Int',
        'answer of query One: Planet.kind must be Kind',
      ],
    ],
    [
      'fields that are missing and that nobody asked for',
      graphql('{ planets { id } }'),
      data({ planets: [{ name: 'Mars' }, { name: 'Mars' }] }),
      ['answer of query: Planet.name is not selected', 'answer of query: Planet.id is missing'],
    ],
    [
      'a type that is none of the interface',
      graphql(planet, { id: 1 }),
      data({ planet: { ...whole, sun: { __typename: 'Planet', name: 'x' } } }),
      ['answer of query One: Planet.sun must be Body, not Planet'],
    ],
    [
      'what is skipped',
      graphql('query ($a: Boolean!) { planets @skip(if: $a) { id } }', { a: true }),
      data({}),
      [],
    ],
    [
      'no data',
      graphql('{ planets { id } }'),
      { body: '{}' },
      ['answer of query: data is missing, without errors'],
    ],
    [
      'a GET',
      { path: `/graphql?query=${encodeURIComponent('{ planets { mass } }')}` },
      { body: '{"errors":[{"message":"no"}]}' },
      ['request of query: document Cannot query field "mass" on type "Planet".'],
    ],
  ])('%s', async (_, sent, answer, lines) => {
    const { proxy, plan, found } = await setUp();
    plan(answer);
    expect((await ask(proxy.url, sent)).status).toBe(200);
    expect(await found()).toEqual([...lines].toSorted());
  });
});

/** Without headers of the connection, each pair in order. */
function withoutHops({ headers, ...others }: Seen) {
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${headers[i + 1]}`] : []));
  return { ...others, headers: pairs.filter((pair) => !/^connection:/i.test(pair)) };
}
