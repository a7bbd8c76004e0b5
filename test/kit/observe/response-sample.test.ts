// engines: sqlite
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Exchange } from '../../../src/kit/http/exchange.ts';
import { createSample } from '../../../src/kit/observe/response-sample.ts';
import type { AnyHandlers } from '../../../src/kit/rest/handler.ts';
import { serveContract } from '../../support/contract-server.ts';

const contract = `
openapi: 3.1.0
info: { title: Samples, version: '1' }
paths:
  /number: { get: { operationId: number, responses: { '200': { description: One., content: { application/json: { schema: { type: integer } } } } } } }
  /text: { get: { operationId: text, responses: { '200': { description: One., content: { text/plain: { schema: { type: string, maxLength: 3 } } } } } } }
  /empty: { get: { operationId: empty, responses: { '204': { description: None. } } } }
  /headers:
    get:
      operationId: headers
      responses:
        '204':
          description: None.
          headers:
            X-Request-Id: { required: true, schema: { type: string, const: given } }
            Set-Cookie: { required: true, schema: { type: string, const: 'a=1,b=2' } }
            X-Count: { required: true, schema: { type: integer } }
            X-List: { required: true, schema: { type: array, items: { type: integer } } }
            X-Gone: { required: true, schema: { type: string } }
  /long: { get: { operationId: long, responses: { '200': { description: One., content: { application/json: { schema: { type: integer } } } } } } }
  /any: { get: { operationId: any, responses: { '200': { description: One., content: { application/json: {} } } } } }
  /endless: { get: { operationId: endless, responses: { '200': { description: One., content: { text/plain: {} } } } } }
  /other: { options: { operationId: other, responses: { '204': { description: None. } } }, get: { operationId: declared, responses: { '204': { description: None. } } } }
`;

/** A body that does not end. */
function endlessText(): Readable {
  const text = new Readable({ read: () => {} });
  text.push('a');
  return text;
}

let body = '1';
let type: string | undefined;
let status = 200;
const reply = () => ({ status, headers: {}, type, body });
const list = { 'Set-Cookie': ['a=1', 'b=2'], 'X-Count': 7, 'X-List': [1, 2], 'X-Gone': undefined };
const handlers: AnyHandlers = {
  ...{ number: reply, text: reply, long: reply },
  empty: () => ({ status: 204, headers: {}, body: undefined }),
  any: () => ({ status: 200, headers: {}, body: undefined }),
  other: () => ({ status: 204, headers: {}, body: undefined }),
  declared: () => ({ status: 200, headers: {}, body: '1' }),
  headers: () => ({ status: 204, headers: list, body: undefined }),
  endless: () => ({
    status: 200,
    headers: {},
    type: 'text/plain',
    body: endlessText(),
  }),
};

type Server = Awaited<ReturnType<typeof serveContract>>;
let server: Server;
beforeAll(async () => {
  server = await serveContract(contract, handlers, {
    share: 1,
    graphql: 'type Query { a: Int }',
    resolvers: { Query: { a: () => 1 } },
  });
});
afterAll(() => server.stop());
afterEach(() => {
  vi.restoreAllMocks();
  [body, type, status] = ['1', undefined, 200];
});

/** How many responses of each operation were checked, and how many of them broke the contract. */
async function counted(from: Server = server) {
  const text = await from.metrics();
  const values = (name: string) =>
    Object.fromEntries(
      Array.from(
        text.matchAll(new RegExp(`^${name}\\{operation="(.*)"\\} (\\d+)$`, 'gm')),
        ([, operation, count]) => [operation, Number(count)],
      ),
    );
  return {
    checked: values('accord_responses_checked_total'),
    broken: values('accord_contract_violations_total'),
  };
}
/** What an answer added to these, as [checked, broken], and what was logged. */
async function added(operation: string, ask: () => Promise<unknown>) {
  const before = await counted();
  const lines = server.log.length;
  await ask();
  const after = await counted();
  const causes = server.log
    .slice(lines)
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 'error')
    .map(({ cause }) => cause);
  const more = (kind: 'checked' | 'broken') =>
    (after[kind][operation] ?? 0) - (before[kind][operation] ?? 0);
  return [more('checked'), more('broken'), ...causes];
}
const get = async (path: string, init: RequestInit = {}) =>
  (await fetch(server.url + path, init)).arrayBuffer();

describe('a response that is checked', () => {
  it('keeps or breaks the contract by its body and media type', async () => {
    expect(await added('number', () => get('/number'))).toEqual([1, 0]);
    body = '"a"';
    expect(await added('number', () => get('/number'))).toEqual([1, 1, 'body must be integer']);
    body = 'no JSON';
    expect(await added('number', () => get('/number'))).toEqual([1, 1, 'body must be integer']);
    [body, type] = ['abc', 'text/plain'];
    expect(await added('text', () => get('/text'))).toEqual([1, 0]);
    expect(await added('number', () => get('/number'))).toEqual([
      1,
      1,
      'Content-Type text/plain is not declared',
    ]);
    [body, type] = ['abcd', 'text/plain'];
    expect(await added('text', () => get('/text'))).toEqual([
      1,
      1,
      'body must NOT have more than 3 characters',
    ]);
  });

  it('keeps or breaks it by its status', async () => {
    expect(await added('empty', () => get('/empty'))).toEqual([1, 0]);
    expect(await added('declared', () => get('/other'))).toEqual([
      1,
      1,
      'status 200 is not declared',
    ]);
  });

  it('breaks it without a body where one is declared', async () => {
    expect((await added('any', () => get('/any'))).slice(0, 2)).toEqual([1, 1]);
  });

  it('has no body in answer to HEAD', async () => {
    expect(await added('number', () => get('/number', { method: 'HEAD' }))).toEqual([1, 0]);
  });

  it('has the headers of the kit and of the handler, as they are sent', async () => {
    const headers = { 'x-request-id': 'given' };
    expect(await added('headers', () => get('/headers', { headers }))).toEqual([
      1,
      1,
      'header X-Gone is missing',
    ]);
  });

  it('is at most 65,536 characters long', async () => {
    body = '1'.padEnd(65_536);
    expect(await added('long', () => get('/long'))).toEqual([1, 0]);
    body = '1'.padEnd(65_537);
    expect(await added('long', () => get('/long'))).toEqual([0, 0]);
  });
});

describe('a response that is not checked', () => {
  it('is one that its client did not wait for', async () => {
    const { port } = new URL(server.url);
    const before = await counted();
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    while (!server.log.some((line) => line.includes('"aborted"'))) await new Promise(setImmediate);
    expect(await counted()).toEqual(before);
  });

  it('is one that was not sent to its end, though its text is known', () => {
    const told: unknown[] = [];
    const sample = createSample(server.contract, 1, (...given) => told.push(given));
    const operation = server.contract.operations.find(({ id }) => id === 'number');
    const parts = { method: 'GET', path: '/number', id: 'i', headers: [], operation };
    const exchange = parts as unknown as Exchange;
    const outcome = { reply: { status: 200, headers: {}, body: '1' }, text: '1' };
    sample(exchange, { ...outcome, isSent: false });
    expect(told).toEqual([]);
    sample(exchange, { ...outcome, isSent: true });
    expect(told).toEqual([['number', 'i', []]]);
  });

  it('is one that the contract does not describe', async () => {
    const before = await counted();
    for (const path of ['/', '/docs', '/healthz', '/metrics', '/openapi.yaml']) await get(path);
    const headers = { 'content-type': 'application/json' };
    await get('/graphql', { method: 'POST', headers, body: '{"query":"{ a }"}' });
    expect(await counted()).toEqual(before);
  });

  it('is not one of an OPTIONS that the contract declares', async () => {
    expect(await added('other', () => get('/other', { method: 'OPTIONS' }))).toEqual([1, 0]);
  });

  it.each([
    [0.5, 0.499, 1],
    [0.5, 0.5, 0],
    [0.5, 0.9, 0],
    [0, 0, 0],
    [1, 0.999, 1],
  ])('is outside the share of %d: %d', async (share, random, checked) => {
    const own = await serveContract(contract, handlers, { share });
    vi.spyOn(Math, 'random').mockReturnValue(random);
    await (await fetch(`${own.url}/number`)).text();
    expect((await counted(own)).checked.number ?? 0).toBe(checked);
    await own.stop();
  });
});
