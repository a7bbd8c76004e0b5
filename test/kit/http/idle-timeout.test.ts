import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endIdleConnections } from '../../../src/kit/http/idle-timeout.ts';

const LONGEST = 60_000;
const server = createServer();

beforeEach(async () => {
  // Looks at connections are taken by hand; sockets keep their own timers.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  vi.useRealTimers();
});

const look = () => vi.advanceTimersByTime(LONGEST / 10);

/** Both ends of a new connection; the timers of the server's end are recorded. */
async function connected() {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  return { client, socket, timed: vi.spyOn(socket, 'setTimeout') };
}

test('a connection without traffic since the last look gets a timer, and loses it with the next byte', async () => {
  endIdleConnections(server, LONGEST, () => {});
  const { client, socket, timed } = await connected();
  look();
  expect(timed.mock.calls).toEqual([[LONGEST * 0.9]]);
  look();
  expect(timed.mock.calls).toEqual([[LONGEST * 0.9]]);
  client.write('GET');
  await once(socket, 'data');
  look();
  expect(timed.mock.calls).toEqual([[LONGEST * 0.9], [0]]);
});

test('a connection on which as much is sent as is received has traffic', async () => {
  endIdleConnections(server, LONGEST, () => {});
  const { client, socket, timed } = await connected();
  client.write('GET');
  await once(socket, 'data');
  socket.write('200');
  await once(client, 'data');
  look();
  expect(timed).not.toHaveBeenCalled();
});

test('a connection that was closed is looked at no more', async () => {
  endIdleConnections(server, LONGEST, () => {});
  const { client, socket, timed } = await connected();
  const closed = once(socket, 'close');
  client.destroy();
  await closed;
  look();
  expect(timed).not.toHaveBeenCalled();
});

test('a connection whose timer runs out is ended as is asked for, and not by node:http', async () => {
  const ended: Socket[] = [];
  endIdleConnections(server, LONGEST, (socket) => ended.push(socket));
  const { socket } = await connected();
  socket.emit('timeout');
  expect(ended).toEqual([socket]);
  expect(socket.destroyed).toBe(false);
});

test('no look is taken after the server is closed', async () => {
  const own = createServer().listen(0, '127.0.0.1');
  await once(own, 'listening');
  const before = vi.getTimerCount();
  endIdleConnections(own, LONGEST, () => {});
  expect(vi.getTimerCount()).toBe(before + 1);
  own.close();
  await once(own, 'close');
  expect(vi.getTimerCount()).toBe(before);
});
