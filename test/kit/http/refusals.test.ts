import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import consumers from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Exchange, Outcome, Reply } from '../../../src/kit/http/exchange.ts';
import { answersIn, sendRaw } from '../../../tools/support/raw-http.ts';
import { useHttpServer } from '../../support/http-server.ts';

const reply: Reply = { status: 200, headers: {}, body: '"!"' };
const held: ((reply: Reply) => void)[] = [];
let told: [Exchange, Outcome][] = [];
const options = {
  taps: [(...each: [Exchange, Outcome]) => void told.push(each)],
  timeouts: { headers: 60_000, request: 60_000, idle: 60_000 },
};
const spied = vi.spyOn(globalThis, 'setInterval');
const server = useHttpServer(({ path, request, response }) => {
  if (path === '/held') return new Promise((resolve) => held.push(resolve));
  if (path !== '/read') return reply;
  return new Promise((resolve) => {
    request.resume().once('end', () => resolve(reply));
    response.once('close', () => resolve(reply));
  });
}, options);
const usual = useHttpServer(() => reply);
const intervals = spied.mock.calls.map(([, interval]) => interval);
spied.mockRestore();

beforeEach(() => {
  told = [];
  // Connections keep their own timers.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
const statuses = () => told.map(([, { reply, isSent }]) => [reply?.status, isSent]);

it('requests may take 10 s for their headers, 20 s in all, and connections be idle for 30 s', () => {
  expect([usual.server.headersTimeout, usual.server.requestTimeout]).toEqual([10_000, 20_000]);
  expect(usual.server.keepAliveTimeout).toBe(0);
  // Ten looks are taken meanwhile.
  expect(intervals).toContain(3000);
});

describe('bytes that are no request', () => {
  it.each([
    ['alone', 'NONSENSE\r\n\r\n', [400]],
    ['after a request', `${get('/x')}NONSENSE\r\n\r\n`, [200, 400]],
    [
      'after the last request',
      'GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nNONSENSE\r\n\r\n',
      [200],
    ],
    ['after several', `${get('/x')}${get('/x')}NONSENSE\r\n\r\n`, [200, 200, 400]],
    ['as a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
    ['in a body', `${post('/read')}NONSENSE\r\n`, [400]],
    ['in a body behind a request', `${get('/x')}${post('/read')}NONSENSE\r\n`, [200, 400]],
    ['twice', 'NONSENSE\r\n\r\nNONSENSE\r\n\r\n', [400]],
  ])('%s are answered once, closed, and told of once', async (_, text, expected) => {
    const answers = answersIn(await sendRaw(server.url, text));
    expect(answers.map(({ status }) => status)).toEqual(expected);
    while (told.length < expected.length) await setImmediate();
    await setImmediate();
    expect(statuses()).toEqual(expected.map((status) => [status, true]));
  });

  it('that go on while an answer before them is awaited are answered once', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${get('/held')}NONSENSE\r\n\r\n`);
    while (held.length === 0) await setImmediate();
    for (let i = 0; i < 3; i++) {
      socket.write('NONSENSE\r\n\r\n');
      for (let turns = 0; turns < 20; turns++) await setImmediate();
    }
    held.pop()?.(reply);
    const answers = answersIn(await consumers.text(socket));
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  });

  it('have neither method nor path', async () => {
    await sendRaw(server.url, 'NONSENSE\r\n\r\n');
    while (told.length === 0) await setImmediate();
    const [[exchange] = []] = told;
    expect(exchange).toMatchObject({ method: '', path: '', query: '', operation: undefined });
  });

  it('in a body that was answered before end the connection without another answer', async () => {
    const text = await sendRaw(server.url, post('/early'), { later: 'NONSENSE\r\n' });
    expect(answersIn(text).map(({ status }) => status)).toEqual([200]);
    expect(statuses()).toEqual([[200, true]]);
  });
});

describe('a client that was refused', () => {
  async function refused(): Promise<Socket> {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write('NONSENSE\r\n\r\n');
    await once(socket.resume(), 'end');
    return socket;
  }
  const open = () =>
    new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));

  it('and does not close its side is let go after a second', async () => {
    while ((await open()) > 0) await setImmediate();
    const socket = await refused();
    vi.advanceTimersByTime(999);
    for (let i = 0; i < 20; i++) await setImmediate();
    expect(await open()).toBe(1);
    vi.advanceTimersByTime(1);
    for (let i = 0; i < 20; i++) await setImmediate();
    expect(await open()).toBe(0);
    socket.destroy();
  });
});

describe('a connection without traffic', () => {
  /** Where the server sees it. */
  async function opened(text: string): Promise<{ client: Socket; near: Socket }> {
    const connected = once(server.server, 'connection');
    const client = connect(server.port, '127.0.0.1');
    const [near] = await connected;
    client.write(text);
    return { client, near };
  }

  it('is told that the answer takes too long, once', async () => {
    const { client, near } = await opened(get('/held'));
    while (held.length === 0) await setImmediate();
    near.emit('timeout');
    const [chunk] = await once(client, 'data');
    const [answer] = answersIn(String(chunk));
    expect(answer).toMatchObject({ status: 503, problem: { status: 503 } });
    expect(answer?.problem.detail).toBe(
      'The answer takes too long. Look whether anything was changed before you try again.',
    );
    held.pop()?.(reply);
    await once(client, 'close');
    expect(statuses()).toEqual([[503, true]]);
  });

  it('is told so, though the answer is there right after that', async () => {
    const { client, near } = await opened(get('/held'));
    while (held.length === 0) await setImmediate();
    near.emit('timeout');
    held.pop()?.(reply);
    const answers = answersIn(await consumers.text(client));
    expect(answers.map(({ status }) => status)).toEqual([503]);
    while (told.length === 0) await setImmediate();
    expect(statuses()).toEqual([[503, true]]);
  });

  it.each([
    ['of which nothing was asked', ''],
    ['whose last request was answered', get('/x')],
  ])('%s is closed', async (_, text) => {
    const { client, near } = await opened(text);
    if (text) await once(client, 'data');
    near.emit('timeout');
    await once(client.resume(), 'close');
    expect(told.length).toBe(text ? 1 : 0);
  });
});

it('a connection that asked for a tunnel may break', async () => {
  const connected = once(server.server, 'connection');
  const client = connect(server.port, '127.0.0.1');
  const [near] = await connected;
  client.write('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(client, 'data');
  // Without a listener it is thrown.
  expect(() => near.emit('error', new Error('read ECONNRESET'))).not.toThrow();
  client.destroy();
});

it('an expectation that nobody knows is passed over', async () => {
  const text = get('/x').replace('\r\n\r\n', '\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n');
  expect(await sendRaw(server.url, text)).toMatch(/^HTTP\/1\.1 200 /);
});
