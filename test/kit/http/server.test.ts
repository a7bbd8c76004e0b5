import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import type { Exchange, Reply } from '../../../src/kit/http/exchange.ts';
import { createOverload } from '../../../src/kit/http/overload.ts';
import { useHttpServer } from '../../support/http-server.ts';

const LARGE = Buffer.alloc(24_000_000);
const ME = '127.0.0.1';
const OTHER = '127.0.0.2';
const reply = (body: string | Buffer): Reply => ({ status: 200, headers: {}, body });

describe('an answer', () => {
  const steps: string[] = [];
  const server = useHttpServer(
    ({ path }) => {
      steps.push('answer');
      if (path === '/throws') throw new ApiError('not-found');
      return reply('!');
    },
    {
      within: ({ path }, answer) => {
        steps.push(path);
        answer();
        steps.push('begun');
      },
    },
  );

  it('is run by what surrounds answers', async () => {
    steps.length = 0;
    expect((await fetch(`${server.url}/x`)).status).toBe(200);
    expect(steps).toEqual(['/x', 'answer', 'begun']);
  });

  it('that is thrown at once is a problem', async () => {
    const answer = await fetch(`${server.url}/throws`);
    expect([answer.status, Object(await answer.json()).status]).toEqual([404, 404]);
  });
});

describe('a server that answers one request at a time', () => {
  const begun: Exchange[] = [];
  const server = useHttpServer(
    (exchange) => {
      begun.push(exchange);
      if (exchange.path === '/held') return new Promise(() => {});
      return reply(exchange.path === '/large' ? LARGE : '!');
    },
    { overload: createOverload({ inFlight: 1 }) },
  );

  /** Sends a request from an address, until it is being answered. */
  async function ask(localAddress: string, lines: string): Promise<Socket> {
    const before = begun.length;
    const socket = connect({ port: server.port, host: ME, localAddress }).pause();
    socket.on('error', () => {});
    socket.write(`${lines}\r\nHost: x\r\n\r\n`);
    while (begun.length === before) await setImmediate();
    return socket;
  }
  /** What is sent until the connection is closed. */
  async function read(socket: Socket): Promise<Buffer> {
    const chunks: Buffer[] = [];
    socket.resume().on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'close');
    return Buffer.concat(chunks);
  }

  it('has room again when one is over', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++) statuses.push((await fetch(`${server.url}/x`)).status);
    expect(statuses).toEqual(Array(8).fill(200));
  });

  it('drops one whose body does not come for another client, and tells it so', async () => {
    const post = 'POST /held HTTP/1.1\r\nContent-Length: 9';
    const [slow, next] = [await ask(ME, post), await ask(ME, post)];
    const other = await ask(OTHER, 'POST /x HTTP/1.1\r\nConnection: close\r\nContent-Length: 0');
    expect(String(await read(other))).toMatch(/^HTTP\/1\.1 200 /);
    expect(String(await read(slow))).toMatch(/^HTTP\/1\.1 408 /);
    expect(next.readableLength).toBe(0);
    next.destroy();
    while (begun.some(({ response }) => !response.closed)) await setImmediate();
  });

  it('cuts off one whose answer is not read for another client', async () => {
    const get = 'GET /large HTTP/1.1\r\nConnection: close';
    const slow = [await ask(ME, get), await ask(ME, get), await ask(ME, get)];
    const other = await ask(OTHER, 'GET /x HTTP/1.1\r\nConnection: close');
    expect(String(await read(other))).toMatch(/^HTTP\/1\.1 200 /);
    const answers = await Promise.all(slow.map(read));
    expect(answers.map(({ length }) => length > LARGE.length)).toEqual([false, true, true]);
  });
});
