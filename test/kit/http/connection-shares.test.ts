import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createConnectionShares } from '../../../src/kit/http/connection-shares.ts';
import { useHttpServer } from '../../support/http-server.ts';

const ME = '127.0.0.1';
const OTHER = '127.0.0.2';
const THIRD = '127.0.0.3';

describe('connections that several addresses share', () => {
  let release = () => {};
  const held = () => new Promise<void>((resolve) => (release = resolve));
  const reply = { status: 200, headers: {}, body: '!' };
  const server = useHttpServer(
    ({ path }) => (path === '/held' ? held().then(() => reply) : reply),
    { connections: 4 },
  );

  async function open(localAddress: string): Promise<Socket> {
    const socket = connect({ port: server.port, host: ME, localAddress });
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }

  async function get(socket: Socket, path = '/x'): Promise<string> {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return String(await once(socket, 'data'));
  }

  /** Each has been answered once, so that the server knows it. */
  async function openServed(address: string, count: number): Promise<Socket[]> {
    const sockets: Socket[] = [];
    while (sockets.length < count) {
      const socket = await open(address);
      expect(await get(socket)).toMatch(/^HTTP\/1.1 200/);
      sockets.push(socket);
    }
    return sockets;
  }

  /** Until the server has noticed that so many are open. */
  async function openAre(expected: number): Promise<void> {
    const count = () =>
      new Promise<number>((resolve) => server.server.getConnections((_, open) => resolve(open)));
    while ((await count()) !== expected) await sleep(5);
  }

  async function close(sockets: readonly Socket[]): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await openAre(0);
  }

  it('are all one address’s while there is no other; one more is refused and closed', async () => {
    const sockets = await openServed(ME, 4);
    const beyond = await open(ME);
    const refusal = await get(beyond);
    expect(refusal).toMatch(/^HTTP\/1.1 503/);
    expect(refusal).toContain('\r\nConnection: close\r\n');
    for (const socket of sockets) expect(await get(socket)).toMatch(/^HTTP\/1.1 200/);
    await close([...sockets, beyond]);
    await close(await openServed(ME, 4));
  });

  it('are given up, the oldest idle one first, by the address that has most', async () => {
    const mine = await openServed(ME, 4);
    const [first, second, ...rest] = mine;
    const ended = [first, second].map((socket) => socket && once(socket, 'close'));
    const others = await openServed(OTHER, 2);
    await Promise.all(ended);
    for (const socket of rest) expect(await get(socket)).toMatch(/^HTTP\/1.1 200/);

    // Both have their share.
    const beyond = await Promise.all([open(OTHER), open(ME)]);
    for (const socket of beyond) expect(await get(socket)).toMatch(/^HTTP\/1.1 503/);
    for (const socket of [...rest, ...others]) {
      expect(await get(socket)).toMatch(/^HTTP\/1.1 200/);
    }
    const thirds = await openServed(THIRD, 1);
    await close([...mine, ...others, ...beyond, ...thirds]);
    await close(await openServed(ME, 4));
  });

  it('are given up by the address that has most, whenever it came', async () => {
    const [mine, others] = [await openServed(ME, 1), await openServed(OTHER, 2)];
    const thirds = await openServed(THIRD, 1);
    const [oldest] = others;
    const ended = oldest && once(oldest, 'close');
    const fourth = await openServed('127.0.0.4', 1);
    await ended;
    for (const socket of [...mine, ...others.slice(1), ...thirds, ...fourth]) {
      expect(await get(socket)).toMatch(/^HTTP\/1.1 200/);
    }
    await close([...mine, ...others, ...thirds, ...fourth]);
  });

  it('end after the answer where none is idle', async () => {
    const mine = await openServed(ME, 3);
    const busy = await open(ME);
    const answer = get(busy, '/held');
    for (const socket of mine)
      socket.write('GET /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n');
    await Promise.all(mine.map((socket) => once(socket, 'data')));
    // The bodies are awaited, so that all four are busy.
    const others = await openServed(OTHER, 1);
    release();
    expect(await answer).toMatch(/^HTTP\/1.1 200/);
    expect(mine.every((socket) => !socket.closed)).toBe(true);
    mine[0]?.write('!');
    expect(await get(mine[0] ?? busy)).toMatch(/^HTTP\/1.1 503/);
    expect(await get(busy)).toMatch(/^HTTP\/1.1 200/);
    await close([...mine, busy, ...others]);
  });

  it('beyond the bound are served once there is a place', async () => {
    const sockets = await openServed(ME, 4);
    const beyond = await open(ME);
    await openAre(5);
    sockets[0]?.destroy();
    await openAre(4);
    expect(await get(beyond)).toMatch(/^HTTP\/1.1 200/);
    await close([...sockets, beyond]);
  });

  it('give no place to more when one that was refused has gone', async () => {
    const sockets = await openServed(ME, 4);
    for (let i = 0; i < 2; i++) {
      const beyond = await open(ME);
      expect(await get(beyond)).toMatch(/^HTTP\/1.1 503/);
      beyond.destroy();
      await openAre(4);
    }
    await close(sockets);
    while (server.shares.addresses() > 0) await sleep(5);
  });

  it('are counted for an address though one of them was closed', async () => {
    const [first, ...rest] = await openServed(ME, 4);
    first?.destroy();
    await openAre(3);
    const again = await openServed(ME, 1);
    const [oldest] = rest;
    const ended = oldest && once(oldest, 'close');
    const others = await openServed(OTHER, 1);
    await ended;
    expect(server.shares.addresses()).toBe(2);
    await close([...rest, ...again, ...others]);
  });

  it('that are refused are not given up for those that are served', async () => {
    const sockets = await openServed(ME, 4);
    const refused = await open(ME);
    await openAre(5);
    for (const socket of sockets) socket.destroy();
    await openAre(1);
    const [first, ...rest] = await openServed(ME, 4);
    const ended = first && once(first, 'close');
    const others = await openServed(OTHER, 1);
    await ended;
    expect(refused.closed).toBe(false);
    await close([refused, ...rest, ...others]);
  });

  it('are held to be refused up to 256, and cut beyond', async () => {
    const sockets = await openServed(ME, 4);
    const beyond: Socket[] = [];
    while (beyond.length < 256) beyond.push(await open(ME));
    await openAre(260);
    const cut = await open(ME);
    await once(cut.resume(), 'close');
    await openAre(260);
    const last = beyond.at(-1);
    if (last) expect(await get(last)).toMatch(/^HTTP\/1.1 503/);
    await close([...sockets, ...beyond]);
  });
});

describe('connections that come before others were closed', () => {
  /** Four connections, all of them idle; what is destroyed is closed by the test. */
  function shared() {
    const shares = createConnectionShares(4);
    const server: Server = Object(new EventEmitter());
    shares.watch(server, () => true);
    const open = (...addresses: string[]) =>
      addresses.map((remoteAddress) => {
        const made = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false });
        const destroy = () => {
          made.destroyed = true;
        };
        const socket: Socket = Object.assign(Object(made), { destroy });
        server.emit('connection', socket);
        return socket;
      });
    return { shares, open };
  }
  const cut = (sockets: readonly Socket[]) => sockets.map(({ destroyed }) => destroyed);

  it('are given the place of one each', () => {
    const { open } = shared();
    const mine = open(ME, ME, ME, ME);
    const others = open(OTHER, OTHER);
    expect(cut(mine)).toEqual([true, true, false, false]);
    expect(cut(others)).toEqual([false, false]);
  });

  it('take it from the address that came first of those that have as many', () => {
    const { open } = shared();
    const all = open(OTHER, ME, ME, OTHER);
    open(THIRD);
    expect(cut(all)).toEqual([true, false, false, false]);
  });

  it('take none where one that was served has gone, though others are refused', () => {
    const { shares, open } = shared();
    const mine = open(ME, ME, ME, ME, ME);
    expect(mine.map(shares.isRefused)).toEqual([false, false, false, false, true]);
    for (const gone of mine.slice(0, 2)) gone.emit('close');
    const others = open(OTHER);
    expect([...cut(mine), ...cut(others)]).toEqual(Array(6).fill(false));
    expect(others.map(shares.isRefused)).toEqual([false]);
  });

  it('are known by their addresses', () => {
    const { shares, open } = shared();
    expect(open(ME, OTHER).map(shares.addressOf)).toEqual([ME, OTHER]);
    expect(shares.addressOf(Object({}))).toBe('');
  });
});
