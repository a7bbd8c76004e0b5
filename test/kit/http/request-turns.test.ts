import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
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
});
