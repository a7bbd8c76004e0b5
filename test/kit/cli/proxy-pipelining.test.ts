// engines: sqlite
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { answersIn, sendRaw } from '../../../tools/support/raw-http.ts';
import { closed, createProxied } from '../../support/proxied.ts';

const { closing, listen, proxyBefore, close } = createProxied();
afterEach(close);

const contract = await parseContract(`openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths: { /a: { get: { responses: &any { '200': { description: Any., content: { '*/*': {} } } } }, post: { requestBody: { content: { text/plain: {} } }, responses: *any } } }
`);
const get = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';
const post = 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n';
const tunnel = 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n';

/** A server that answers with what it was sent. */
const echoing = () =>
  createServer(async (request, response) => {
    const body = await text(request);
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end(`(${body})`);
  });

describe.each([[false], [true]])('a proxy, refusing: %s,', (refuse) => {
  const options = { contract, refuse };

  it.each([
    ['nonsense', 'NONSENSE\r\n\r\n', 400, 'invalid-request', 'The request is not valid HTTP.'],
    ['a tunnel', tunnel, 501, 'not-implemented', 'The proxy makes no tunnels.'],
  ])('answers what is asked before %s', async (_, last, status, name, detail) => {
    const proxy = await proxyBefore(await listen(echoing()), options);
    const told = await sendRaw(proxy.url, `${get}${get}${last}`);
    const type = `urn:accord:problem:${name}`;
    expect(answersIn(told)).toEqual([
      ...[{ status: 200 }, { status: 200 }],
      { status, problem: { type, title: expect.any(String), status, detail } },
    ]);
    expect(told.match(/^(Content-Type|Accord-Proxy|Connection): .*$/gim)?.slice(-3)).toEqual([
      'Content-Type: application/problem+json',
      'Accord-Proxy: true',
      'Connection: close',
    ]);
    expect(await proxy.found()).toEqual([]);
    expect(proxy.checks.traffic.requests).toBe(2);
  });

  it('answers a client that has closed its side', async () => {
    const proxy = await proxyBefore(await listen(echoing()), options);
    const asked = `${get}${post}Content-Length: 3\r\n\r\nabc`;
    const told = await sendRaw(proxy.url, asked, { halfCloses: true });
    expect(answersIn(told)).toEqual([{ status: 200 }, { status: 200 }]);
    expect(told).toMatch(/\(\).*\(abc\)/s);
  });

  it('asks one thing after another', async () => {
    const seen: string[] = [];
    const server = createServer(async ({ method }, response) => {
      seen.push(`${method}`);
      // The other request has arrived with it.
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      seen.push('answered');
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('a');
    });
    const proxy = await proxyBefore(await listen(server), options);
    await sendRaw(proxy.url, `${post}Content-Length: 1\r\n\r\na${get}`, { halfCloses: true });
    expect(seen).toEqual(['POST', 'answered', 'GET', 'answered']);
  });

  it('ends what it asked for where a request ends in nonsense', async () => {
    // Nor is the connection ended after a second.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
    const server = createServer((request) => request.resume());
    const arrived = once(server, 'request');
    const proxy = await proxyBefore(await listen(server), options);
    const { port } = new URL(proxy.url);
    const client = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    closing.push(() => client.destroy());
    // As much is held back where it refuses, and a byte.
    const size = 262_145;
    client.write(`${post}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`);
    client.write(`${'a'.repeat(size)}\r\n`);
    const [request] = (await arrived) as [IncomingMessage];
    client.write('NONSENSE\r\n');
    expect(answersIn(await text(client))).toMatchObject([
      { status: 400, problem: { status: 400 } },
    ]);
    await closed(request.socket);
    client.destroy();
    expect(await proxy.found()).toEqual([]);
  });
});

it('what was asked for a refused request is over before the client has the refusal', async () => {
  let asked: ClientRequest | undefined;
  const start = (message: unknown) => {
    asked = Object(message).request;
  };
  subscribe('http.client.request.created', start);
  const { end } = ServerResponse.prototype;
  const seen: unknown[] = [];
  const ending = vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (
    this: ServerResponse,
    body: unknown,
  ) {
    end.call(this, body, 'utf8');
    seen.push(asked?.destroyed);
    return this;
  });
  closing.push(() => {
    ending.mockRestore();
    unsubscribe('http.client.request.created', start);
  });
  const proxy = await proxyBefore(await listen(createServer()));
  await sendRaw(proxy.url, `${post}Transfer-Encoding: chunked\r\n\r\nNONSENSE\r\n`);
  expect(seen).toEqual([true]);
});

it('a tunnel does not cut into a long answer', async () => {
  const long = 'a'.repeat(20_000_000);
  const proxy = await proxyBefore(await listen(createServer((_, response) => response.end(long))));
  const told = await sendRaw(proxy.url, `${get}${tunnel}`);
  expect(answersIn(told).map(({ status }) => status)).toEqual([200, 501]);
  expect(told.includes(long)).toBe(true);
});

it('a proxy stops where a tunnel waits for an answer', async () => {
  const server = createServer();
  const arrived = once(server, 'request');
  const { url, stop } = await proxyBefore(await listen(server));
  const told = sendRaw(url, `${get}${tunnel}`);
  await arrived;
  await stop();
  closing.splice(closing.indexOf(stop), 1);
  expect(await told).toBe('');
});

it('a client of events that sends no more has gone', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
  });
  const arrived = once(server, 'request');
  const proxy = await proxyBefore(await listen(server), { contract });
  const { port } = new URL(proxy.url);
  const client = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  client.write(get);
  await once(client, 'data');
  client.end();
  const [request] = (await arrived) as [IncomingMessage];
  await closed(request.socket);
  await closed(client);
  expect(await proxy.found()).toEqual([]);
});
