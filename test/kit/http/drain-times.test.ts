import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDrain } from '../../../src/kit/http/drain.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  // The process has run for a while.
  vi.advanceTimersByTime(100_000);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server that listens; what it closes is told and not done. */
async function listening() {
  const closed: string[] = [];
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const told: Server = Object.assign(Object(server), {
    closeIdleConnections: () => closed.push('idle'),
    closeAllConnections: () => closed.push('all'),
  });
  return { server: told, closed };
}

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await setImmediate();
};

/** With a connection that keeps it from its end. */
async function open() {
  const { server, closed } = await listening();
  server.on('connection', (socket) => socket.resume());
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(server, 'connection');
  return { server, closed, end: () => client.destroy() };
}

describe('a drain', () => {
  it('accepts what waits, for two seconds at most', async () => {
    const { server } = await listening();
    let isOver = false;
    // Every second turn of the event loop one more connection is accepted.
    const coming = (async () => {
      while (!isOver) {
        server.emit('connection', {});
        await turns(2);
      }
    })();
    const drained = createDrain(server, { grace: 0, longest: 60_000, lastAnswer: () => 0 })();
    await turns(20);
    expect(server.listening).toBe(true);
    vi.advanceTimersByTime(1999);
    await turns(20);
    expect(server.listening).toBe(true);
    vi.advanceTimersByTime(1);
    while (server.listening) await setImmediate();
    isOver = true;
    await Promise.all([coming, drained]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('closes idle connections at once without a grace period', async () => {
    const { server, closed } = await listening();
    await createDrain(server, { grace: 0, longest: 60_000, lastAnswer: () => 0 })();
    expect(closed).toEqual(['idle']);
    expect(server.listening).toBe(false);
  });

  it('is one, however often it is asked for', async () => {
    const { server, closed } = await listening();
    const drain = createDrain(server, { grace: 0, longest: 60_000, lastAnswer: () => 0 });
    const [first, second] = [drain(), drain()];
    expect(first).toBe(second);
    await first;
    expect(closed).toEqual(['idle']);
  });

  it('closes idle connections when the last answer is as old as the grace period', async () => {
    const { server, closed, end } = await open();
    let lastAnswer = 0;
    const drained = createDrain(server, {
      grace: 1000,
      longest: 60_000,
      lastAnswer: () => lastAnswer,
    })();
    let isOver = false;
    void drained.then(() => {
      isOver = true;
    });
    while (server.listening) await setImmediate();
    expect(closed).toEqual([]);
    const start = performance.now();
    vi.advanceTimersByTime(500);
    lastAnswer = start + 500;
    vi.advanceTimersByTime(900);
    expect(closed).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(closed).toEqual(['idle']);
    vi.advanceTimersByTime(100);
    expect(closed).toEqual(['idle', 'idle']);
    await turns(5);
    expect(isOver).toBe(false);
    end();
    await drained;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('cuts everything off after the longest time', async () => {
    const { server, closed, end } = await open();
    const drained = createDrain(server, { grace: 60_000, longest: 3000, lastAnswer: () => 0 })();
    while (server.listening) await setImmediate();
    vi.advanceTimersByTime(2900);
    expect(closed).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(closed).toEqual(['all']);
    end();
    await drained;
  });
});
