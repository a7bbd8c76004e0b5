import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/kit/http/exchange.ts';
import { createOverload } from '../../../src/kit/http/overload.ts';
import { answersIn, sendRaw } from '../../../tools/support/raw-http.ts';
import { useServer } from '../../support/api-server.ts';
import { useHttpServer } from '../../support/http-server.ts';

const body = '{"title":"one too many"}';
const head =
  `POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${body.length}\r\n`;

const LARGE = Buffer.alloc(24_000_000);

describe('more requests at a time than a process takes on', () => {
  const held: ((reply: Reply) => void)[] = [];
  const reply = (body: string | Buffer): Reply => ({ status: 200, headers: {}, body });
  const server = useHttpServer(
    ({ path }) => {
      if (path === '/held') return new Promise((resolve) => held.push(resolve));
      return reply(path === '/large' ? LARGE : '!');
    },
    { overload: createOverload({ inFlight: 10 }) },
  );
  const address = () => server.url;

  it('are 503 with Retry-After before their bodies are read, in the shape of each protocol', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => open(address())));
    for (const socket of sockets) socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
    while (held.length < 10) await sleep(5);

    for (const expectation of ['', 'Expect: 100-continue\r\n']) {
      const text = await sendRaw(address(), `${head}Connection: close\r\n${expectation}\r\n`);
      expect(answersIn(text)).toMatchObject([{ status: 503, problem: { status: 503 } }]);
      expect(text).toContain('\r\nRetry-After: 1\r\n');
    }
    const refused = await fetch(`${address()}/graphql`, { method: 'POST', body: '{}' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(Object(await refused.json()).errors[0].extensions.code).toBe('UNAVAILABLE');
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await fetch(address() + path)).status).toBe(200);
    }

    // One address does not take all places: another still has some.
    const elsewhere = connect({ port: Number(new URL(address()).port), localAddress: '127.0.0.2' });
    elsewhere.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String(await once(elsewhere, 'data'))).toMatch(/^HTTP\/1.1 200/);
    elsewhere.destroy();

    for (const release of held.splice(0)) release(reply('!'));
    while ((await fetch(`${address()}/x`)).status !== 200);
    for (const socket of sockets) socket.destroy();
  });

  it('are dropped, the largest first, where their answers are not read and take too much memory', async () => {
    const sockets = await Promise.all(Array.from({ length: 9 }, () => open(address())));
    const closed = sockets.map((socket) => once(socket.pause(), 'close'));
    for (const socket of sockets) socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(500);
    expect((await fetch(`${address()}/x`)).status).toBe(200);
    for (const socket of sockets) socket.resume();
    await Promise.race(closed);
    const cut = sockets.filter((socket) => socket.bytesRead < LARGE.length && socket.closed);
    expect(cut.length).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
  });

  it('are dropped for another, where they wait for a client that is slow', async () => {
    const slow = await Promise.all(Array.from({ length: 20 }, () => open(address())));
    const told: string[] = [];
    for (const socket of slow) socket.on('data', (chunk) => told.push(String(chunk)));
    const closed = slow.map((socket) => once(socket, 'close'));
    for (const socket of slow) socket.write(`${head.replace('/tasks', '/held')}\r\n{`);
    while (held.length < 20) await sleep(5);
    const get = async () => (await fetch(`${address()}/x`)).status;
    const post = async () => (await fetch(`${address()}/x`, { method: 'POST', body })).status;
    expect([await get(), await post()]).toEqual([200, 503]);
    // Nobody is slow before a second has passed.
    let status = 503;
    while (status === 503) status = await post();
    expect(status).toBe(200);
    await Promise.race(closed);
    expect(slow.filter((socket) => socket.closed).length).toBe(1);
    expect(told.join('')).toMatch(/^HTTP\/1.1 408 /);
    for (const socket of slow) socket.destroy();
    held.length = 0;
  });
});

describe('requests whose bodies have not arrived', () => {
  const server = useServer({ MAX_IN_FLIGHT: '4' });

  it('are given up, where there are too many, by the address that has most of them', async () => {
    const { port } = new URL(server.url);
    const slow = Array.from({ length: 8 }, () =>
      connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' }),
    );
    for (const socket of slow) socket.resume().write(`${head}\r\n{`);
    // One more of the same address is one too many.
    const another = () =>
      fromAddress(Number(port), '127.0.0.2', `${head}Connection: close\r\n\r\n${body}`);
    while (!(await another()).startsWith('HTTP/1.1 503'));
    const post = { method: 'POST', path: '/tasks', json: JSON.parse(body) };
    for (let i = 0; i < 5; i++) expect((await server.api(post)).status).toBe(201);
    for (const socket of slow) socket.destroy();
  });

  it('take no place from those that can be answered, and are answered themselves', async () => {
    const slow = await Promise.all(Array.from({ length: 7 }, () => open(server.url)));
    for (const socket of slow) socket.write(`${head}\r\n{`);
    for (let i = 0; i < 20; i++) {
      expect((await server.api({ path: '/tasks' })).status).toBe(200);
      expect((await server.graphql('{ todos { id } }')).status).toBe(200);
    }
    for (const socket of slow) socket.write(body.slice(1));
    const answers = await Promise.all(slow.map((socket) => once(socket, 'data')));
    for (const answer of answers) expect(String(answer)).toMatch(/^HTTP\/1.1 201/);
    for (const socket of slow) socket.destroy();
  });

  it('are asked for their bodies when there is room', async () => {
    const socket = await open(server.url);
    socket.write(`${head}Expect: 100-continue\r\n\r\n`);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\n$/);
    socket.write(body);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 201/);
    socket.destroy();
  });
});

describe('more connections than a process takes on', () => {
  const server = useServer({ MAX_CONNECTIONS: '3' });

  it('are told so and closed; whoever looks after the server is answered', async () => {
    const idle = [await open(server.url), await open(server.url), await open(server.url)];
    const get = (path: string) => sendRaw(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const refused = await get('/books');
    expect(refused).toMatch(/^HTTP\/1.1 503/);
    expect(refused).toContain('\r\nRetry-After: 1\r\n');
    expect(refused).toContain('\r\nConnection: close\r\n');
    expect(answersIn(refused)).toMatchObject([{ status: 503, problem: { status: 503 } }]);
    expect(await get('/healthz')).toMatch(/^HTTP\/1.1 200/);

    for (const socket of idle) socket.destroy();
    while ((await server.api({ path: '/books' })).status !== 200);
  });
});

async function fromAddress(port: number, localAddress: string, text: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.write(text);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer);
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}
