// slow: starts a process
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import consumers from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/kit/http/exchange.ts';
import { useHttpServer } from '../../support/http-server.ts';

const MOST_WAITING = 16;
// What node:http reads at once it parses at once.
const ONE_READ = 65_536;
const request = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n';

/** Replies are held back until they are released. */
let held: ((reply: Reply) => void)[] = [];
let isHolding = true;
const reply: Reply = { status: 200, headers: {}, type: 'text/plain', body: '!' };
const { server } = useHttpServer(() =>
  isHolding ? new Promise((resolve) => held.push(resolve)) : reply,
);
let parsed = 0;
server.on('request', () => parsed++);
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

describe('a connection that sends request upon request', () => {
  it('is read no further while 16 wait, and each is answered in the end', async () => {
    const count = 50_000;
    const socket = open();
    socket.write(request.repeat(count));
    while (parsed === 0) await sleep(10);
    await untilStill(() => parsed);
    expect(held.length).toBe(1);
    expect(parsed).toBeGreaterThan(1);
    expect(parsed).toBeLessThan(1 + MOST_WAITING + ONE_READ / request.length);

    let answered = 0;
    socket.on('data', (chunk) => {
      answered += chunk.toString().split('!').length - 1;
    });
    letGo();
    while (answered < count) await once(socket, 'data');
    expect(parsed).toBe(count);
    socket.destroy();
  });

  it('is let go when all of them together have sent too many', async () => {
    isHolding = true;
    const crowd = Array.from({ length: 8 }, open);
    let closed = 0;
    for (const socket of crowd) {
      socket.on('close', () => closed++);
      socket.write(request.repeat(ONE_READ / request.length));
    }
    while (closed === 0) await sleep(10);
    await untilStill(() => closed);
    expect(closed).toBeLessThan(8);
    for (const socket of crowd) socket.destroy();

    // What they held is free again, once the server sees that they are gone.
    letGo();
    while (await connections()) await sleep(10);
    isHolding = true;
    const next = open();
    next.write(request.repeat(1000));
    await untilStill(() => parsed);
    expect(next.closed).toBe(false);
  });
});

describe('a connection whose requests wait for longer than a request may take to arrive', () => {
  const held: ((reply: Reply) => void)[] = [];
  const timeouts = { headers: 300, request: 300, idle: 60_000 };
  const impatient = useHttpServer(
    ({ path }) => (path === '/held' ? new Promise((resolve) => held.push(resolve)) : reply),
    { timeouts },
  );
  const send = async (first: string, later: string) => {
    const socket = connect(impatient.port, '127.0.0.1');
    socket.write(first);
    while (held.length === 0) await sleep(10);
    // Twice the time after which node:http has looked.
    await sleep(1600);
    socket.write(later);
    await sleep(50);
    for (const release of held.splice(0)) release(reply);
    return (await consumers.text(socket)).match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9));
  };
  const heldRequest = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n';
  const last = 'GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

  it('is answered: it is the server that did not read', async () => {
    const statuses = await send(heldRequest + request.repeat(5000), last);
    expect(statuses).toEqual(Array(5002).fill('200'));
  });

  it('is answered, too, where only one waits', async () => {
    const statuses = await send(
      `${heldRequest}${request}GET /x HTTP/1.1\r\nHo`,
      'st: x\r\nConnection: close\r\n\r\n',
    );
    expect(statuses).toEqual(['200', '200', '200']);
  });

  it('is refused once, after the answers before, when a head does not arrive; what follows is ignored', async () => {
    const statuses = await send(`${heldRequest}GET /x HTTP/1.1\r\nHo`, `st: x\r\n\r\n${request}`);
    expect(statuses).toEqual(['200', '408']);
    expect((await fetch(impatient.url)).status).toBe(200);
  });
});

describe('a request that was answered before it had arrived', () => {
  it('is not held by its connection once another is answered', () => {
    const probe = fileURLToPath(new URL('../../support/early-answer-probe.ts', import.meta.url));
    const told = execFileSync(process.execPath, ['--expose-gc', probe], { encoding: 'utf8' });
    expect(told).toBe('let go');
  });
});

function open(): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

function connections(): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}

function letGo(): void {
  isHolding = false;
  for (const release of held) release(reply);
  held = [];
}

/** Waits until nothing has changed in ten looks, between which the server has its turns. */
async function untilStill(value: () => number): Promise<void> {
  let seen = value();
  for (let looks = 0; looks < 10; looks++) {
    await sleep(30);
    if (value() === seen) continue;
    seen = value();
    looks = 0;
  }
}
