import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOverload, type InFlight } from '../../../src/kit/http/overload.ts';

type State = {
  client?: string;
  /** Whether its body has arrived. */
  complete?: boolean;
  headers?: Record<string, string>;
  writableEnded?: boolean;
  writableNeedDrain?: boolean;
  unread?: number;
};

/** A request and its response as node:http would describe them. */
function exchange({
  client = 'a',
  complete = true,
  headers = {},
  unread = 0,
  ...state
}: State = {}) {
  const socket = { remoteAddress: client, bytesRead: 0, bytesWritten: 0, writableLength: unread };
  const request: IncomingMessage = Object({ complete, headers, socket });
  const destroy = vi.fn();
  const idle = { writableEnded: false, writableNeedDrain: false };
  const response: ServerResponse = Object({ ...idle, ...state, destroy });
  return { request, response, socket, destroy };
}

const body = { complete: false, headers: { 'content-length': '9' } };
const unread = { writableNeedDrain: true };

function bounded(inFlight: number) {
  const dropped: IncomingMessage[] = [];
  const overload = createOverload({ inFlight });
  const server: Server = Object(new EventEmitter());
  overload.watch(server, ({ request }) => dropped.push(request));
  const admit = (state: State = {}, now = 0) => {
    const made = exchange(state);
    return { ...made, admitted: overload.admit(made.request, made.response, now) };
  };
  /** How many of so many are admitted. */
  const count = (all: number, state: State = {}, now = 0) =>
    Array.from({ length: all }, () => admit(state, now)).filter(({ admitted }) => admitted).length;
  return { overload, server, dropped, admit, count };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('requests that are worked on', () => {
  it('are as many as the bound, and a quarter more for clients with less than a tenth of it', () => {
    const { count } = bounded(20);
    expect(count(30, { client: 'a' })).toBe(20);
    expect(count(5, { client: 'b' })).toBe(2);
    expect(count(1, { client: 'c' })).toBe(1);
    expect(count(5, { client: 'd' })).toBe(2);
    expect([count(3, { client: 'e' }), count(3, { client: 'a' })]).toEqual([0, 0]);
  });

  it('leave their places when they are over, once each', () => {
    const { overload, admit, count } = bounded(10);
    const all = Array.from({ length: 10 }, () => admit().admitted);
    expect(count(1)).toBe(0);
    for (const place of [3, 9, 0]) {
      overload.leave(all[place], 5);
      overload.leave(all[place], 5);
    }
    overload.leave(undefined, 6);
    expect(count(5)).toBe(3);
    for (const each of all) overload.leave(each, 7);
    expect(count(20)).toBe(7);
  });

  it('tell when the last was over', () => {
    const { overload, admit } = bounded(10);
    expect(overload.lastLeft()).toBe(0);
    const { admitted } = admit();
    overload.leave(admitted, 12.5);
    expect(overload.lastLeft()).toBe(12.5);
    overload.leave(undefined, 13);
    expect(overload.lastLeft()).toBe(13);
  });
});

describe('requests that wait for their client', () => {
  it.each<[string, State]>([
    ['whose body has not arrived', { complete: false }],
    ['whose answer is written', { writableEnded: true }],
    ['whose answer is not read', unread],
  ])('(%s) take no place', (_, waiting) => {
    const { count } = bounded(10);
    expect(count(15, waiting)).toBe(15);
    expect(count(20)).toBe(10);
  });

  it('are at most three times the bound, or twice for one with a body', () => {
    for (const headers of [{ 'content-length': '0' }, { 'transfer-encoding': 'chunked' }]) {
      const { count } = bounded(10);
      expect(count(50, { complete: false, headers })).toBe(20);
      expect(count(50, unread)).toBe(10);
      expect(count(50, unread)).toBe(0);
    }
  });

  it('are given up by the client that has most, where another has fewer by two', () => {
    const { admit, count, dropped } = bounded(10);
    const [first] = Array.from({ length: 15 }, () => admit({ ...unread, client: 'a' }));
    expect(count(14, { ...unread, client: 'b' })).toBe(14);
    expect(count(1, { ...unread, client: 'c' })).toBe(1);
    expect(count(1, { ...unread, client: 'b' })).toBe(0);
    expect(dropped).toEqual([]);
    expect(count(1, { ...unread, client: 'c' })).toBe(1);
    expect(dropped).toEqual([first?.request]);
    // Now a and b have 14, c has 2.
    expect(count(1, { ...unread, client: 'b' })).toBe(0);
    expect(count(30, { ...unread, client: 'd' })).toBe(9);
    expect(dropped).toHaveLength(10);
  });

  it('are given up by the one that came first of clients that have as many', () => {
    const { admit, count, dropped } = bounded(10);
    const clients = ['a', 'b', 'c'].map((client) =>
      Array.from({ length: 10 }, () => admit({ ...unread, client })),
    );
    expect(count(1, { ...unread, client: 'd' })).toBe(1);
    expect(dropped).toEqual([clients[0]?.[0]?.request]);
  });

  it('are dropped with their response where nobody watches', () => {
    const overload = createOverload({ inFlight: 1 });
    const [one, two, three, other] = [
      ...['a', 'a', 'a', 'b'].map((client) => exchange({ ...unread, client })),
    ];
    for (const each of [one, two, three, other]) {
      if (each) expect(overload.admit(each.request, each.response, 0)).toBeDefined();
    }
    expect([one, two, three].map((each) => each?.destroy.mock.calls.length)).toEqual([1, 0, 0]);
  });

  it('are slow below 500 bytes a second, measured over a second or more', () => {
    const { overload, admit, count, dropped } = bounded(10);
    // Worked on, and without traffic: it is not its client that is slow.
    admit();
    const waiting = Array.from({ length: 20 }, () => admit(body));
    const sent = (bytes: number) => {
      for (const { socket } of waiting) socket.bytesRead += bytes;
    };
    const another = (now: number) => count(1, body, now);
    expect(another(1000)).toBe(0);
    expect(another(1999)).toBe(0);
    sent(500);
    expect(another(2000)).toBe(0);
    sent(499);
    const [first] = waiting;
    if (first) first.socket.bytesWritten += 1;
    expect(another(2999)).toBe(0);
    expect(dropped).toEqual([]);
    expect(another(3000)).toBe(1);
    expect(dropped).toEqual([waiting[1]?.request]);
    expect(another(3001)).toBe(1);
    expect(dropped).toHaveLength(2);
    // What was dropped has left its place: one more that is over makes room.
    overload.leave(waiting[5]?.admitted, 3001);
    expect(another(3002)).toBe(1);
    expect(dropped).toHaveLength(2);
  });
});

describe('answers that are not read', () => {
  const MOST = 128_000_000;
  const tick = () => vi.advanceTimersByTime(100);

  it('take 128 MB in all; the largest are dropped while they take more', () => {
    const { admit, dropped } = bounded(10);
    const sizes = [28, 40, 30, 30].map((size) => admit({ ...unread, unread: size * 1_000_000 }));
    tick();
    expect(dropped).toEqual([]);
    const [first, second, third] = sizes;
    if (first) first.socket.writableLength += 1;
    tick();
    expect(dropped).toEqual([second?.request]);
    tick();
    expect(dropped).toEqual([second?.request]);
    if (third) third.socket.writableLength = MOST;
    if (first) first.socket.writableLength = 2 * MOST;
    tick();
    expect(dropped).toEqual([second?.request, first?.request, third?.request]);
  });

  it('are counted every 100 ms', () => {
    const { admit, dropped } = bounded(10);
    const { request } = admit({ ...unread, unread: MOST + 1 });
    vi.advanceTimersByTime(99);
    expect(dropped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(dropped).toEqual([request]);
  });

  it('are dropped in the order in which they came where they are equally large', () => {
    const { admit, dropped } = bounded(10);
    const { request } = admit({ ...unread, unread: MOST / 2 + 1 });
    admit({ ...unread, unread: MOST / 2 + 1 });
    tick();
    expect(dropped).toHaveLength(1);
    expect(dropped[0]).toBe(request);
  });

  it('are counted until the server is closed', () => {
    const { server } = bounded(10);
    expect(vi.getTimerCount()).toBe(1);
    server.emit('close');
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('a place in flight knows its client', () => {
  const clientOf = vi.fn(({ headers }: IncomingMessage) => String(headers['x-client']));
  const overload = createOverload({ inFlight: 1 }, clientOf);
  const admit = (client: string): InFlight | undefined => {
    const { request, response } = exchange({ headers: { 'x-client': client } });
    return overload.admit(request, response, 0);
  };
  expect(admit('a')).toMatchObject({ client: undefined });
  expect(clientOf).not.toHaveBeenCalled();
  expect(admit('a')).toBeUndefined();
  expect(admit('b')).toBeDefined();
});
