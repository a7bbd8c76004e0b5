// engines: sqlite
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { ask, closed, createProxied, rawServer } from '../../support/proxied.ts';

const { closing, listen, proxyBefore, close } = createProxied();
afterEach(close);

const badGateway = (detail: string) => ({
  ...{ type: 'urn:accord:problem:bad-gateway', title: 'Bad gateway', status: 502, detail },
});
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

describe('a proxy tells why it has no answer', () => {
  it('of a server that is down', async () => {
    const down = createServer();
    const address = await listen(down);
    down.close();
    const { text } = await ask((await proxyBefore(address)).url);
    expect(JSON.parse(text)).toEqual(badGateway('The server cannot be reached: ECONNREFUSED.'));
  });

  it('of a server that answers with something else', async () => {
    const address = await listen(rawServer((socket) => void socket.end('nonsense\r\n\r\n')));
    const { text } = await ask((await proxyBefore(address)).url);
    const detail = 'The server has answered with what is not HTTP: HPE_INVALID_CONSTANT.';
    expect(JSON.parse(text)).toEqual(badGateway(detail));
  });

  it('of a server that is too slow, whose connection it ends', async () => {
    const server = createServer();
    const arrived = once(server, 'request');
    const { url } = await proxyBefore(await listen(server), { patience: 100 });
    const { text } = await ask(url);
    expect(JSON.parse(text)).toEqual({
      ...{ type: 'urn:accord:problem:gateway-timeout', title: 'Gateway timeout', status: 504 },
      detail: 'The server has not answered within 100 ms.',
    });
    const [{ socket }] = (await arrived) as [IncomingMessage];
    await closed(socket);
  });

  it.each([
    ['000 X\r\nContent-Length: 9', 'The server has answered with status 0.'],
    [
      '101 X\r\nUpgrade: x\r\nConnection: Upgrade',
      'The server has answered with status 101, which nobody has asked for.',
    ],
  ])('of one that answers %j, whose connection it ends', async (answer, detail) => {
    const ended = Promise.withResolvers<void>();
    const server = rawServer((socket) => {
      socket.on('close', () => ended.resolve());
      socket.write(`HTTP/1.1 ${answer}\r\n\r\n`);
    });
    const { text } = await ask((await proxyBefore(await listen(server))).url);
    expect(JSON.parse(text)).toEqual(badGateway(detail));
    await ended.promise;
  });

  it('of one that it would speak TLS to', async () => {
    const first: (number | undefined)[] = [];
    const server = rawServer((socket, chunk) => {
      first.push(chunk[0]);
      socket.destroy();
    });
    const address = new URL((await listen(server)).href.replace('http:', 'https:'));
    expect(await ask((await proxyBefore(address)).url)).toMatchObject({ status: 502 });
    // A handshake (RFC 8446, section 5.1).
    expect(first).toEqual([22]);
  });
});

it('a proxy that refuses passes nothing on of a request that breaks off, and serves on', async () => {
  const arrived: string[] = [];
  const server = createServer((asked, response) => {
    arrived.push(String(asked.method));
    response.end();
  });
  const contract = await parseContract(`
openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /a: { get: { responses: &r { '200': { description: Done. } } }, post: { responses: *r } } }`);
  const { url } = await proxyBefore(await listen(server), { contract, refuse: true });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
  // The proxy has read it when it has answered another.
  await ask(url);
  socket.resetAndDestroy();
  expect(await ask(url)).toMatchObject({ status: 200 });
  expect(arrived).toEqual(['GET', 'GET']);
});

describe('a proxy passes on', () => {
  it('the head of an answer before its body', async () => {
    const server = createServer((_, response) => response.writeHead(200).flushHeaders());
    const asked = once(server, 'request');
    const sent = request((await proxyBefore(await listen(server))).url).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const [, response] = await asked;
    response.end('late');
    expect(String(await buffer(answer))).toBe('late');
  });

  it.each([
    ['before its length', 'Content-Length: 10\r\n\r\n{}'],
    ['within its chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{'],
    ['in a broken chunk', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n'],
  ])('the end of an answer that breaks off %s', async (_, text) => {
    const server = rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${text}`));
    const sent = request((await proxyBefore(await listen(server))).url, { agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await expect(buffer(answer)).rejects.toThrow('aborted');
  });
});

it.each([
  ['GET', 'once'],
  ['GET', 'twice'],
  ['POST', 'once'],
  ['POST', 'twice'],
])('an answer to %s that is sent %s reaches no other request', async (method, times) => {
  const first = new Map<Socket, string>();
  const server = rawServer((socket, chunk) => {
    const [, path = ''] = /^[A-Z]+ (\S+)/.exec(String(chunk)) ?? [];
    // What is asked later on a connection meets an answer that is left from before.
    const text = first.get(socket) ?? path;
    first.set(socket, text);
    const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    socket.write(times === 'once' ? answer : answer + answer);
  });
  const { url } = await proxyBefore(await listen(server));
  const paths = ['/a', '/b', '/c'];
  const texts: string[] = [];
  for (const path of paths) texts.push((await ask(url, { method, path })).text);
  expect(texts).toEqual(paths);
  // None of them is left open.
  await Promise.all([...first.keys()].map(closed));
});

it('a proxy waits no longer than it has to', async () => {
  const PATIENCE = 543_210;
  const set = vi.spyOn(globalThis, 'setTimeout');
  const clear = vi.spyOn(globalThis, 'clearTimeout');
  closing.push(() => vi.restoreAllMocks());
  /** How many timers of a length were set, and how many of them are left. */
  const timers = (length: number) => {
    const made = set.mock.calls.flatMap(([, ms], i) =>
      ms === length ? [set.mock.results[i]?.value] : [],
    );
    const cleared = new Set(clear.mock.calls.map(([timer]) => timer));
    return [made.length, made.filter((each) => !cleared.has(each)).length];
  };
  const server = rawServer((socket, chunk) => {
    const [, path = ''] = /^GET (\S+)/.exec(String(chunk)) ?? [];
    if (path === '/ok') socket.write(ok);
    if (path === '/upgrade') {
      socket.write('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    }
    if (path === '/cut') socket.destroy();
    if (path === '/silent') silent.resolve(socket);
  });
  const silent = Promise.withResolvers<Socket>();
  const { url, stop } = await proxyBefore(await listen(server), { patience: PATIENCE });
  for (const path of ['/ok', '/upgrade', '/cut']) await ask(url, { path });
  expect(timers(PATIENCE)).toEqual([3, 0]);
  const sent = request(`${url}/silent`, { agent: false })
    .on('error', () => {})
    .end();
  const socket = await silent.promise;
  sent.socket?.resetAndDestroy();
  await closed(socket);
  expect(timers(PATIENCE)).toEqual([4, 0]);
  await stop();
  closing.splice(closing.indexOf(stop), 1);
  expect(timers(1000)[1]).toBe(0);
});
