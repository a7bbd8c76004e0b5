import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Exchange, Outcome, Reply } from '../../../src/kit/http/exchange.ts';
import { sendRaw } from '../../../tools/support/raw-http.ts';
import { useHttpServer } from '../../support/http-server.ts';

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const last = (path: string, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

async function* pieces(length: number) {
  yield '[1';
  yield `,"${'x'.repeat(length)}"]`;
}

async function* failing(before: string[]) {
  yield* before;
  throw new Error('the disk is gone');
}

/** Its second piece comes when the client has closed its side. */
async function* halfClosed({ request: { socket } }: Exchange) {
  yield '[1';
  if (!socket.readableEnded) await once(socket, 'end');
  await setImmediate();
  yield ',2]';
}

let steps: string[] = [];
/** Its second piece comes when the client has gone. */
async function* goingOn({ response }: Exchange) {
  try {
    yield 'first';
    while (!response.closed) await setImmediate();
    steps.push('gone');
    yield 'second';
    steps.push('asked for more');
  } finally {
    steps.push('released');
  }
}

const EVENTS = 'text/event-stream; charset=utf-8';
/** A source that has one piece to give, and is kept open. */
let source = new Readable({ read() {} });
const opened = () => {
  source = new Readable({ read() {} });
  source.push('[1');
  return source;
};

/** How many wait for the end of the connection when a request comes. */
let waiting: number[] = [];

const replies: Readonly<Record<string, (exchange: Exchange) => Reply>> = {
  '/kept': () => ({ status: 200, headers: {}, body: pieces(65_536 - 6) }),
  '/not-kept': () => ({ status: 200, headers: {}, body: pieces(65_536 - 5) }),
  '/byte-pieces': () => ({
    status: 200,
    headers: {},
    body: Readable.from([Buffer.from('1'), '2']),
  }),
  '/no-pieces': () => ({
    status: 203,
    headers: { 'X-Text': 'a' },
    type: 'text/plain',
    body: Readable.from([]),
  }),
  '/fails-first': () => ({ status: 200, headers: {}, body: failing([]) }),
  '/fails-later': () => ({ status: 200, headers: {}, body: failing(['[1']) }),
  '/half-closed': (exchange) => ({ status: 200, headers: {}, body: halfClosed(exchange) }),
  '/events': (exchange) => ({ status: 200, headers: {}, type: EVENTS, body: halfClosed(exchange) }),
  '/few-events': ({ request }) => {
    waiting.push(request.socket.listenerCount('end'));
    return { status: 200, headers: {}, type: EVENTS, body: Readable.from(['data: 1\n\n']) };
  },
  '/going-on': (exchange) => ({ status: 200, headers: {}, body: goingOn(exchange) }),
  '/opened': () => ({ status: 200, headers: {}, body: opened() }),
};

let outcomes: Outcome[] = [];
beforeEach(() => {
  outcomes = [];
});
const held: ((reply: Reply) => void)[] = [];
const listening = useHttpServer(
  (exchange) => replies[exchange.path]?.(exchange) ?? new Promise((resolve) => held.push(resolve)),
  { taps: [(_, outcome) => outcomes.push(outcome)] },
);

describe('a reply', () => {
  it.each([
    ['/kept', 65_536],
    ['/not-kept', undefined],
    ['/byte-pieces', undefined],
  ])('in pieces (%s) is kept for the taps up to 65,536 characters', async (path, length) => {
    await sendRaw(listening.url, last(path));
    expect(outcomes.map(({ text }) => text?.length)).toEqual([length]);
  });

  it('of no pieces has its head', async () => {
    const text = await sendRaw(listening.url, last('/no-pieces'));
    expect(text).toMatch(/^HTTP\/1\.1 203 /);
    expect(text).toMatch(/\r\nX-Text: a\r\nContent-Type: text\/plain\r\n/);
    expect(outcomes).toMatchObject([{ isSent: true, text: '' }]);
  });

  it('whose source fails is a problem before its first piece, and cut off after it', async () => {
    const problem = await sendRaw(listening.url, last('/fails-first'));
    expect(problem).toMatch(/^HTTP\/1\.1 500 [\s\S]*application\/problem\+json/);
    const cut = await sendRaw(listening.url, last('/fails-later'));
    expect(cut).toMatch(/^HTTP\/1\.1 200 [\s\S]*\[1\r\n$/);
    while (outcomes.length < 2) await setImmediate();
    expect(outcomes).toMatchObject([
      { isSent: true, reply: { status: 500 } },
      { isSent: false, reply: { status: 200 } },
    ]);
    expect(listening.failures.splice(0)).toEqual(Array(2).fill('Error: the disk is gone'));
  });

  it('is sent whole to a client that has closed its side, unless it is of events', async () => {
    const whole = await closingSide('/half-closed');
    expect(whole).toMatch(/\[1\r\n3\r\n,2\]\r\n0\r\n\r\n$/);
    const events = await closingSide('/events');
    expect(events).toMatch(/\[1\r\n$/);
    while (outcomes.length < 2) await setImmediate();
    expect(outcomes.map(({ isSent }) => isSent)).toEqual([true, false]);
    expect(listening.failures).toEqual([]);
  });

  it('of events that came to their end leaves nothing on its connection', async () => {
    waiting = [];
    await sendRaw(listening.url, `${request('/few-events').repeat(3)}${last('/few-events')}`);
    expect(waiting).toHaveLength(4);
    expect(new Set(waiting).size).toBe(1);
  });

  it('is asked for no more pieces when its client has gone', async () => {
    steps = [];
    const socket = connect(listening.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(request('/going-on'));
    await once(socket, 'data');
    socket.resetAndDestroy();
    while (!steps.includes('released')) await setImmediate();
    expect(steps).toEqual(['gone', 'released']);
  });

  it('releases its source when nobody reads it', async () => {
    await sendRaw(listening.url, last('/opened', 'HEAD'));
    expect(source.destroyed).toBe(true);

    const socket = connect(listening.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(request('/opened'));
    await once(socket, 'data');
    expect(source.destroyed).toBe(false);
    socket.resetAndDestroy();
    if (!source.closed) await once(source, 'close');

    const gone = connect(listening.port, '127.0.0.1');
    gone.on('error', () => {});
    gone.write(request('/held'));
    while (held.length === 0) await setImmediate();
    gone.resetAndDestroy();
    while (outcomes.length < 3) await setImmediate();
    held.pop()?.({ status: 200, headers: {}, body: opened() });
    if (!source.closed) await once(source, 'close');
    expect(listening.failures).toEqual([]);
  });
});

/** Asks, closes the client's side with the first bytes of the answer, and reads on. */
async function closingSide(path: string): Promise<string> {
  const socket = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('error', () => {});
  socket.on('data', (chunk) => chunks.push(chunk) === 1 && socket.end());
  socket.write(request(path));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}
