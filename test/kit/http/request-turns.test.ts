import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTurns } from '../../../src/kit/http/request-turns.ts';
import { currentClient, withinContext } from '../../../src/kit/request-context.ts';
import { useHttpServer } from '../../support/http-server.ts';

describe('requests that arrive together', () => {
  const order: string[] = [];
  const server = useHttpServer(({ path }) => {
    // All have arrived when the first is answered.
    const work = path === '/first' ? 100 : 1;
    for (const start = performance.now(); performance.now() - start < work; );
    order.push(path);
    return { status: 200, headers: {}, body: '!' };
  });

  async function open(localAddress: string) {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
    // Answered once, the server has accepted it.
    socket.write(requestOf('/'));
    await once(socket, 'data');
    return socket;
  }

  const requestOf = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

  it('are answered client by client, so that one with many does not delay another', async () => {
    const crowd = await Promise.all(Array.from({ length: 40 }, () => open('127.0.0.1')));
    const other = await open('127.0.0.2');
    order.length = 0;
    const answers = [...crowd, other].map((socket) => once(socket, 'data'));
    crowd[0]?.write(requestOf('/first'));
    await sleep(0);
    for (const socket of crowd.slice(1)) socket.write(requestOf('/crowd'));
    other.write(requestOf('/other'));
    await Promise.all(answers);
    expect(order.length).toBe(41);
    expect(order.indexOf('/other')).toBeLessThan(10);
    for (const socket of [...crowd, other]) socket.destroy();
  });

  it('are not answered where their client has gone meanwhile', async () => {
    const crowd = await Promise.all(Array.from({ length: 20 }, () => open('127.0.0.1')));
    const gone = await open('127.0.0.1');
    gone.on('error', () => {});
    order.length = 0;
    const answers = crowd.map((socket) => once(socket, 'data'));
    server.server.on('request', ({ url }) => url === '/gone' && gone.resetAndDestroy());
    crowd[0]?.write(requestOf('/first'));
    await sleep(0);
    for (const socket of crowd.slice(1)) socket.write(requestOf('/crowd'));
    gone.write(requestOf('/gone'));
    await Promise.all(answers);
    for (const socket of crowd) socket.destroy();
    expect(order).toEqual(['/first', ...Array(19).fill('/crowd')]);
  });

  it('leave nothing to do when all were answered', async () => {
    const socket = await open('127.0.0.1');
    socket.destroy();
    while (process.getActiveResourcesInfo().includes('Immediate')) await sleep(5);
  });
});

describe('a turn of the event loop', () => {
  let now = 1000;
  const begun: [string | undefined, ...unknown[]][] = [];
  /** Answers that take 0.25 ms each. */
  const turns = (ofMany: () => string | undefined) =>
    inTurns<object>({ nameOf: () => '', ofMany }, (...given) => {
      now += 0.25;
      begun.push([currentClient(), ...given]);
    });
  const exchange = (writable = true, headersSent = false) => {
    const request: IncomingMessage = Object({ socket: { writable } });
    const response: ServerResponse = Object({ headersSent });
    return [request, response, {}] as const;
  };
  beforeEach(() => {
    begun.length = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('begins answers for half a millisecond, and leaves the rest to the next', async () => {
    const begin = turns(() => undefined);
    const all = Array.from({ length: 5 }, () => exchange());
    for (const each of all) begin(...each);
    expect(begun).toEqual([]);
    for (const count of [2, 4, 5, 5]) {
      await setImmediate();
      expect(begun).toEqual(all.slice(0, count).map((each) => [undefined, ...each]));
    }
    const later = exchange();
    begin(...later);
    await setImmediate();
    expect(begun.at(-1)).toEqual([undefined, ...later]);
  });

  it('takes the clients in turn, and knows whose request it is', async () => {
    const names = ['a', 'a', 'a', 'b'];
    const begin = turns(() => names.shift());
    for (let i = 0; i < 4; i++) begin(...exchange());
    await setImmediate();
    await setImmediate();
    expect(begun.map(([client]) => client)).toEqual(['a', 'b', 'a', 'a']);
  });

  it('is that of no request, whichever it was scheduled by', async () => {
    const begin = turns(() => undefined);
    withinContext({ client: 'a', reading: undefined }, () => begin(...exchange()));
    await setImmediate();
    expect(begun.map(([client]) => client)).toEqual([undefined]);
  });

  it('passes over what was refused, or has gone, meanwhile', async () => {
    const begin = turns(() => undefined);
    const good = exchange();
    for (const each of [exchange(false), exchange(true, true), good]) begin(...each);
    await setImmediate();
    expect(begun).toEqual([[undefined, ...good]]);
  });
});
