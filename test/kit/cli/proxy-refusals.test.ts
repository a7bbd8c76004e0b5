// engines: sqlite
import { once } from 'node:events';
import http, { Agent, createServer, IncomingMessage, type ServerResponse } from 'node:http';
import { connect, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startProxy } from '../../../src/kit/cli/proxy/proxy-server.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { ask, closed, createProxied, rawServer } from '../../support/proxied.ts';

const { closing, listen, proxyBefore, close } = createProxied();
afterEach(close);

const contract = await parseContract(`openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /a:
    get: { operationId: getA, responses: { '204': { description: None. } } }
    put: { operationId: putA, requestBody: { content: { text/plain: {} } }, responses: { '204': { description: None. } } }
  /b: { get: { operationId: getB, responses: { '200': { description: Anything. } } } }
  /events:
    get: { operationId: getEvents, responses: { '200': { description: Events., content: { text/event-stream: {} } } } }
`);
const refusing = { contract, refuse: true };

describe('a proxy that refuses keeps the connection of its client', () => {
  /** One connection. */
  const createAgent = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    closing.push(() => agent.destroy());
    return agent;
  };

  it('where a request or an answer cannot be decoded', async () => {
    const server = createServer((_, response) =>
      response.writeHead(204, { 'Content-Encoding': 'gzip' }).end(),
    );
    const { url } = await proxyBefore(await listen(server), refusing);
    const agent = createAgent();
    const coded = (coding: string) => ({
      ...{ method: 'PUT', body: 'a', agent },
      headers: { 'Content-Type': 'text/plain', ...(coding && { 'Content-Encoding': coding }) },
    });
    for (const coding of ['gzip', 'unknown']) {
      const { status, text: body } = await ask(url, coded(coding));
      const errors = [{ path: '/body', message: 'cannot be decoded' }];
      expect([status, JSON.parse(body).errors]).toEqual([400, errors]);
    }
    expect(await ask(url, coded(''))).toMatchObject({ status: 204 });
    server
      .removeAllListeners('request')
      .on('request', (_, response) =>
        response
          .writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'text/event' })
          .end('a'),
      );
    const { status, text: body } = await ask(url, { agent });
    expect([status, JSON.parse(body).errors]).toContainEqual(
      expect.arrayContaining([{ path: '/body', message: 'cannot be decoded' }]),
    );
    expect(status).toBe(502);
  });

  it('where a request is too long to be checked', async () => {
    const address = await listen(createServer((_, response) => response.writeHead(204).end()));
    const { url } = await proxyBefore(address, refusing);
    const agent = createAgent();
    const headers = { 'Content-Type': 'text/plain' };
    const long = { method: 'PUT', path: '/a?b=1', headers, body: 'a'.repeat(3_000_000), agent };
    expect(await ask(url, long)).toMatchObject({ status: 400 });
    expect(await ask(url, { agent })).toMatchObject({ status: 204 });
  });

  it('where an answer is too long to be checked, and ends that of the server', async () => {
    const server = createServer((_, response) => response.end('a'.repeat(3_000_000)));
    const asked = once(server, 'request');
    const { url } = await proxyBefore(await listen(server), refusing);
    const agent = createAgent();
    expect(await ask(url, { agent })).toMatchObject({ status: 502, isReused: false });
    const [{ socket }] = (await asked) as [IncomingMessage];
    await closed(socket);
    expect(await ask(url, { agent })).toMatchObject({ status: 502, isReused: true });
  });
});

describe('a proxy that waits for an answer', () => {
  it('tells that it breaks off, whatever the fault', async () => {
    const server = rawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n'),
    );
    const { status, text: body } = await ask(
      (await proxyBefore(await listen(server), refusing)).url,
    );
    const detail = 'The server has not sent the whole answer.';
    expect([status, JSON.parse(body).detail]).toEqual([502, detail]);
  });

  it('tells that the server is too slow where its body does not go on, and ends its connection', async () => {
    const server = createServer((_, response) => response.write('a'));
    const arrived = once(server, 'request');
    const { url } = await proxyBefore(await listen(server), { ...refusing, patience: 100 });
    const { status, text: body } = await ask(url);
    expect([status, JSON.parse(body).detail]).toEqual([
      504,
      'The server has not answered within 100 ms.',
    ]);
    const [{ socket }] = (await arrived) as [IncomingMessage];
    await closed(socket);
  });

  it.each([
    ['text/event-stream', refusing],
    ['text/event-stream', {}],
    ['multipart/mixed; boundary=a', {}],
  ])('leaves a stream of events its time: %s %o', async (type, options) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': type }).write('data: 1\n\n');
      void end.then(() => response.end('data: 2\n\n'));
    });
    const { url } = await proxyBefore(await listen(server), { ...options, patience: 1000 });
    const sent = http.request(`${url}/events`).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    vi.advanceTimersByTime(1000);
    resolve();
    expect(await text(answer)).toBe('data: 1\n\ndata: 2\n\n');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves a stream of events its time, also where the request goes on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const arrived = once(server, 'request');
    const { url } = await proxyBefore(await listen(server), { patience: 1000 });
    const sent = http.request(`${url}/events`, { method: 'PUT', agent: false });
    sent.write('a');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const [request, response] = (await arrived) as [IncomingMessage, ServerResponse];
    sent.end('b');
    expect(await text(request)).toBe('ab');
    vi.advanceTimersByTime(1000);
    response.end('data: 2\n\n');
    expect(await text(answer)).toBe('data: 1\n\ndata: 2\n\n');
  });

  it('waits no more while it checks it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
    const address = await listen(createServer((_, response) => response.writeHead(204).end()));
    const { checks } = await proxyBefore(address);
    const watch = () => ({
      request: async () => [],
      async answer() {
        // The answer is closed by then.
        await new Promise((resolve) => setImmediate(resolve));
        vi.advanceTimersByTime(1000);
        return [];
      },
      failure: async () => [],
    });
    const proxy = await startProxy({
      ...{ address, refuse: true, port: 0, patience: 1000 },
      checks: { ...checks, watch },
    });
    closing.push(proxy.stop);
    expect(await ask(proxy.url)).toMatchObject({ status: 204 });
  });

  it('waits no more once it has it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
    const address = await listen(createServer((_, response) => response.writeHead(204).end()));
    const { url } = await proxyBefore(address, refusing);
    expect(await ask(url)).toMatchObject({ status: 204 });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a proxy gives its server time', () => {
  it('from the last byte of a request that takes long to arrive', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
    const server = createServer();
    const { url } = await proxyBefore(await listen(server), { patience: 1000 });
    const sent = http.request(`${url}/a`, { method: 'PUT', agent: false });
    const answered = once(sent, 'response');
    sent.write('a');
    const [request, response] = await once(server, 'request');
    for (const letter of ['a', 'b', 'c']) {
      // The byte has come through the proxy.
      expect(String((await once(request, 'data'))[0])).toBe(letter);
      vi.advanceTimersByTime(1500);
      if (letter < 'c') sent.write(letter === 'a' ? 'b' : 'c');
    }
    sent.end('d');
    expect(String((await once(request, 'data'))[0])).toBe('d');
    await once(request, 'end');
    vi.advanceTimersByTime(999);
    response.writeHead(204).end();
    const [answer] = await answered;
    expect(answer.statusCode).toBe(204);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('and no more, also where it does not read what is sent', async () => {
    const server = createServer((request) => request.pause());
    const { url } = await proxyBefore(await listen(server), { patience: 100 });
    const sent = http.request(`${url}/a`, { method: 'PUT', agent: false });
    sent.on('error', () => {}).end(Buffer.alloc(50_000_000));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(504);
    answer.resume();
  });
});

describe('a proxy that passes an answer on', () => {
  // As much as is held back where it refuses, and a byte.
  const START = Buffer.alloc(262_145);
  const withFakeTime = () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
  };
  /** A server that has begun an answer, and a client that has its start. */
  async function begun(options: object, sent = (url: string) => http.get(url, { agent: false })) {
    const server = createServer((_, response) => void response.writeHead(200).write(START));
    const { url } = await proxyBefore(await listen(server), { ...options, patience: 1000 });
    const arrived = once(server, 'request');
    const request = sent(`${url}/b`);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const started = Promise.withResolvers<void>();
    let length = 0;
    answer.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length === START.length) started.resolve();
    });
    await started.promise;
    const [asked, response] = (await arrived) as [IncomingMessage, ServerResponse];
    return { request, answer, asked, response };
  }
  it.each([[false], [true]])(
    'gives its server time between two pieces, and no more, refusing: %s',
    async (refuse) => {
      withFakeTime();
      const { answer, asked, response } = await begun({ contract, refuse });
      for (const letter of ['a', 'b', 'c']) {
        vi.advanceTimersByTime(999);
        response.write(letter);
        expect(String((await once(answer, 'data'))[0])).toBe(letter);
      }
      const aborted = once(answer, 'error');
      vi.advanceTimersByTime(1000);
      expect(String(await aborted)).toBe('Error: aborted');
      await closed(asked.socket);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('gives its server time from the head of an answer', async () => {
    withFakeTime();
    const server = createServer();
    const { url } = await proxyBefore(await listen(server), { patience: 1000 });
    const sent = http.get(`${url}/b`, { agent: false });
    const [, response] = await once(server, 'request');
    vi.advanceTimersByTime(999);
    response.flushHeaders();
    const [answer] = await once(sent, 'response');
    vi.advanceTimersByTime(999);
    response.end('a');
    expect(await text(answer)).toBe('a');
  });

  it('waits for a client that is slow to read', async () => {
    withFakeTime();
    const pause = IncomingMessage.prototype.pause;
    let pauses = 0;
    const spy = vi.spyOn(IncomingMessage.prototype, 'pause').mockImplementation(function (
      this: IncomingMessage,
    ) {
      pause.call(this);
      pauses++;
      vi.advanceTimersByTime(5000);
      return this;
    });
    closing.push(() => spy.mockRestore());
    const body = Buffer.alloc(50_000_000);
    const address = await listen(createServer((_, response) => response.end(body)));
    const { url } = await proxyBefore(address, { patience: 1000 });
    const { text: read } = await ask(url);
    expect([read.length, pauses > 0]).toEqual([body.length, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for the rest of a request that is answered before its end', async () => {
    withFakeTime();
    const { request, answer, response } = await begun({}, (url) => {
      const sent = http.request(url, { method: 'PUT', agent: false });
      sent.write('a');
      return sent;
    });
    vi.advanceTimersByTime(5000);
    const aborted = once(answer, 'error');
    const ended = once(response.req.resume(), 'end');
    request.end('b');
    await ended;
    vi.advanceTimersByTime(999);
    response.write('c');
    expect(String((await once(answer, 'data'))[0])).toBe('c');
    vi.advanceTimersByTime(1000);
    await aborted;
  });
});

describe('a proxy', () => {
  const silent = async () => listen(createServer());

  it('makes no tunnel, and outlives a client that wanted one', async () => {
    const { url, stop } = await proxyBefore(await silent());
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
    socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n');
    let text = '';
    while (!text.endsWith('}')) text += (await once(socket, 'data'))[0];
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
      ...{ type: 'urn:accord:problem:not-implemented', title: 'Not implemented', status: 501 },
      detail: 'The proxy makes no tunnels.',
    });
    socket.resetAndDestroy();
    await stop();
    closing.splice(closing.indexOf(stop), 1);
  });

  it('ends where a client that wanted a tunnel stays', async () => {
    const { url, stop } = await proxyBefore(await silent());
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n');
    await once(socket, 'data');
    await stop();
    closing.splice(closing.indexOf(stop), 1);
    socket.destroy();
  });

  it('does not start where another server listens', async () => {
    const address = await silent();
    await expect(proxyBefore(address, { port: Number(address.port) })).rejects.toThrow(
      'EADDRINUSE',
    );
  });

  it('lets an upload take any time, and the start of a request a minute', async () => {
    const address = await silent();
    const listening = vi.spyOn(Server.prototype, 'listen');
    await proxyBefore(address);
    const proxy = listening.mock.contexts.at(-1);
    listening.mockRestore();
    expect(proxy).toMatchObject({ requestTimeout: 0, headersTimeout: 60_000 });
  });

  it('that stops has checked all', async () => {
    const address = await listen(createServer((_, response) => void response.end()));
    const { checks } = await proxyBefore(address);
    let isSettled = false;
    const settled = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isSettled = true;
    };
    const proxy = await startProxy({
      ...{ address, refuse: false, port: 0, patience: 600_000 },
      checks: { ...checks, settled },
    });
    await ask(proxy.url);
    await proxy.stop();
    expect(isSettled).toBe(true);
  });

  it('that refuses passes nothing on of a client that goes away while its request is checked', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    });
    const address = await listen(server);
    const { checks } = await proxyBefore(address);
    const first = Promise.withResolvers<IncomingMessage>();
    const checked = Promise.withResolvers<[]>();
    const watch = (request: IncomingMessage) => ({
      request() {
        first.resolve(request);
        return checked.promise;
      },
      answer: async () => [],
      failure: async () => [],
    });
    const proxy = await startProxy({
      ...{ address, refuse: true, port: 0, patience: 600_000 },
      checks: { ...checks, watch },
    });
    closing.push(proxy.stop);
    const sent = http.request(`${proxy.url}/first`, { agent: false }).end();
    sent.on('error', () => {});
    const { socket } = await first.promise;
    sent.socket?.resetAndDestroy();
    await closed(socket);
    checked.resolve([]);
    await ask(proxy.url, { path: '/second' });
    expect(asked).toEqual(['/second']);
  });
});
