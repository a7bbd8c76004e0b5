import { connect, type Socket } from 'node:net';
import consumers from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Exchange, Outcome, Reply } from '../../../src/kit/http/exchange.ts';
import { sendRaw } from '../../../tools/support/raw-http.ts';
import { useHttpServer } from '../../support/http-server.ts';

const LONG = JSON.stringify('x'.repeat(60_000));
const request = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const last = (path: string, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

let started: Exchange[] = [];
let outcomes: Outcome[] = [];
beforeEach(() => {
  started = [];
  outcomes = [];
});

async function* pieces(length: number) {
  yield '[1';
  yield `,"${'x'.repeat(length)}"]`;
}

const headers = {
  'X-Text': 'a',
  'X-Number': 7,
  'X-Boolean': true,
  'X-Null': null,
  'X-List': ['a', 1, false],
  'X-Empty': [],
  'X-Object': { a: 1, b: undefined, c: 'd' },
  'X-Absent': undefined,
  'Set-Cookie': ['a=1', 'b=2'],
};

const replies: Readonly<Record<string, () => Reply | Promise<Reply>>> = {
  '/long': () => ({ status: 200, headers: {}, body: LONG }),
  '/bare': () => ({ status: 204, headers: { ETag: '"1"' }, body: undefined }),
  '/pieces': () => ({ status: 200, headers: {}, body: pieces(1) }),
  '/many-pieces': () => ({ status: 200, headers: {}, body: pieces(70_000) }),
  '/break': () => ({ status: 200, headers: { Location: '/x\r\nSet-Cookie: a=b' }, body: '{}' }),
  '/break-later': async () => ({ status: 200, headers: { Location: '\r\n' }, body: '{}' }),
  '/headers': () => ({ status: 203, headers, body: undefined }),
  '/bytes': () => ({ status: 200, headers: {}, type: 'image/png', body: Buffer.from([1, 255]) }),
};

const held: ((reply: Reply) => void)[] = [];
const listening = useHttpServer(
  (exchange) => {
    started.push(exchange);
    return replies[exchange.path]?.() ?? new Promise((resolve) => held.push(resolve));
  },
  { taps: [(_, outcome) => outcomes.push(outcome)] },
);

describe('a reply', () => {
  it.each([
    ['/long', 'GET', LONG],
    ['/long', 'HEAD', ''],
    ['/bare', 'GET', ''],
    ['/pieces', 'GET', '[1,"x"]'],
    ['/pieces', 'HEAD', ''],
  ])('(%s, %s) is sent as it is, and the taps are told of it', async (path, method, body) => {
    const text = await sendRaw(listening.url, last(path, method));
    const [head = '', sent] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 20\d [\s\S]*\r\nConnection: close(\r\n|$)/);
    // Pieces are sent in chunks, with their sizes between them.
    if (path === '/pieces') expect(text.replaceAll(/\r\n(\w+\r\n)?/g, '')).toContain(body);
    else expect(sent).toBe(body);
    expect(outcomes).toMatchObject([
      { isSent: true, reply: { status: path === '/bare' ? 204 : 200 } },
    ]);
    if (method === 'GET') expect(outcomes[0]?.text).toBe(body);
  });

  it('of bytes is sent byte for byte', async () => {
    const response = await fetch(`${listening.url}/bytes`);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 255]);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-length')).toBe('2');
    expect(outcomes).toMatchObject([{ isSent: true, text: undefined }]);
  });

  it('has its headers in the style of OpenAPI', async () => {
    const text = await sendRaw(listening.url, last('/headers'));
    const own = text.split('\r\n').filter((line) => /^(X-(?!Request)|Set-Cookie|HTTP)/.test(line));
    expect(own).toEqual([
      ...['HTTP/1.1 203 Non-Authoritative Information', 'X-Text: a', 'X-Number: 7'],
      ...['X-Boolean: true', 'X-Null: null', 'X-List: a,1,false', 'X-Empty: '],
      ...['X-Object: a,1,c,d', 'Set-Cookie: a=1', 'Set-Cookie: b=2'],
    ]);
  });

  it.each(['/long', '/bare', '/pieces', '/bytes'])(
    '(%s) has the id of its request',
    async (path) => {
      const headers = { 'x-request-id': 'mine' };
      const response = await fetch(`${listening.url}${path}`, { headers });
      await response.arrayBuffer();
      expect(response.headers.get('x-request-id')).toBe('mine');
    },
  );

  it('in many pieces is not kept for the taps', async () => {
    await sendRaw(listening.url, last('/many-pieces'));
    expect(outcomes).toMatchObject([{ isSent: true, text: undefined }]);
  });

  it.each(['/break', '/break-later'])(
    'never holds a line break that a header was given (%s)',
    async (path) => {
      const text = await sendRaw(listening.url, last(path));
      expect(text).not.toContain('Set-Cookie');
      expect(text).toMatch(/^HTTP\/1\.1 500 /);
    },
  );

  it('is over when a client that takes its time has all of it', async () => {
    const socket = connect(listening.port, '127.0.0.1');
    const sent = await fillUp(socket);
    socket.write(last('/long'));
    const text = await consumers.text(socket);
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(sent + 1);
    expect(text.split(LONG)).toHaveLength(sent + 2);
    while (outcomes.length <= sent) await setImmediate();
    expect(outcomes.every(({ isSent }) => isSent)).toBe(true);
  });

  it('is over with its connection when the client goes away before', async () => {
    const socket = connect(listening.port, '127.0.0.1');
    const sent = await fillUp(socket);
    socket.resetAndDestroy();
    while (outcomes.length < sent) await setImmediate();
    expect(outcomes.map(({ isSent }) => isSent)).toEqual([...Array(sent - 1).fill(true), false]);
  });

  it.each(['end', 'close'])(
    'to a client that has gone is not taken for sent (%s)',
    async (event) => {
      const socket = connect(listening.port, '127.0.0.1');
      socket.write(request('/held'));
      while (held.length === 0) await setImmediate();
      const ended = new Promise((resolve) => started[0]?.request.socket.once(event, resolve));
      socket.on('error', () => {});
      if (event === 'close') socket.resetAndDestroy();
      else socket.destroySoon();
      await ended;
      held.pop()?.({ status: 200, headers: {}, body: '{}' });
      socket.destroy();
      while (outcomes.length === 0) await setImmediate();
      if (event === 'close') expect(outcomes).toMatchObject([{ isSent: false }]);
    },
  );
});

/** Asks without reading, until the buffers between both sides are full and a reply is not over. */
async function fillUp(socket: Socket): Promise<number> {
  socket.pause();
  for (let sent = 1; ; sent++) {
    socket.write(request('/long'));
    while (started.length < sent) await setImmediate();
    // What is sent at once is over before the next turn.
    await setImmediate();
    if (outcomes.length < sent) return sent;
  }
}
