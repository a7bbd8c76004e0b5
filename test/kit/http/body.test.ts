import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  bodyStream,
  hasBody,
  isPlainJson,
  parseJson,
  parseText,
  readJsonBytes,
  readWhole,
} from '../../../src/kit/http/body.ts';
import type { Exchange } from '../../../src/kit/http/exchange.ts';
import { sendRaw } from '../../../tools/support/raw-http.ts';
import { useHttpServer } from '../../support/http-server.ts';

const MOST = 262_144;
const MOST_STREAMED = 10_485_760;

/** What a handler was told when its body broke off. */
const faults: unknown[] = [];
const streams: { readonly exchange: Exchange; readonly stream: Readable }[] = [];

const left: Readable[] = [];
let reads = 0;
async function noticed<T>(reading: Promise<T>): Promise<T> {
  reads++;
  try {
    return await reading;
  } catch (error) {
    faults.push(Object(error).errors ?? error);
    throw error;
  }
}

const uses: Readonly<Record<string, (exchange: Exchange) => unknown>> = {
  '/json': async (exchange) => parseJson(await noticed(readJsonBytes(exchange))),
  '/whole': async (exchange) => (await readWhole(exchange)).length,
  '/twice': async (exchange) => {
    const first = await readWhole(exchange);
    return [first.length, (await readWhole(exchange)).equals(first)];
  },
  '/discarded': async (exchange) => {
    const refused = await readWhole(exchange).catch((error) => error.code);
    await once(exchange.request, 'end');
    return [refused, exchange.body?.length];
  },
  '/stream': async (exchange) => (await noticed(buffer(bodyStream(exchange)))).length,
  '/begun': async (exchange) => {
    await once(bodyStream(exchange), 'data');
    return 'begun';
  },
  '/destroyed': async (exchange) => {
    const stream = bodyStream(exchange);
    await once(stream, 'readable');
    stream.destroy();
    return 'destroyed';
  },
  '/unread': async (exchange) => String(bodyStream(exchange).readableEnded),
  '/left': async (exchange) => {
    const stream = bodyStream(exchange);
    left.push(stream.once('error', () => {}));
    return 'left';
  },
  '/paced': (exchange) => {
    const stream = bodyStream(exchange);
    stream.once('data', () => stream.pause());
    streams.push({ exchange, stream });
    return new Promise((resolve) => stream.once('end', () => resolve('read')));
  },
  '/kind': ({ request }) => ({ has: hasBody(request), isPlain: isPlainJson(request) }),
};

const server = useHttpServer(async (exchange) => {
  const value = await uses[exchange.path]?.(exchange);
  return { status: 200, headers: {}, body: JSON.stringify(value) };
});

type Answer = { readonly status: number; readonly body: ReturnType<typeof Object> };

/** Sends a request with these lines as headers; its body as it is. */
async function send(path: string, lines: readonly string[], body = ''): Promise<Answer> {
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', ...lines].join('\r\n');
  // Where a body was sent, all of it is read before the connection is closed.
  const sent = body
    ? `${head}\r\n\r\n${body}GET /kind HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    : `${head}\r\nConnection: close\r\n\r\n`;
  const text = await sendRaw(server.url, Buffer.from(sent, 'latin1'));
  const [, status] = text.match(/^HTTP\/1\.1 (\d+)/) ?? [];
  const [json] = (text.split('\r\n\r\n')[1] ?? '').split('HTTP/1.1');
  return { status: Number(status), body: JSON.parse(json || 'null') };
}
const length = (size: number) => `Content-Length: ${size}`;
const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';
const chunks = (...texts: string[]) =>
  [...texts, ''].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('');

describe('a JSON body', () => {
  const posted = (lines: readonly string[], text: string) =>
    send('/json', [...lines, length(text.length)], text);

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; profile=x',
    'application/json; profile=x; charset=utf-8',
    'application/json;',
  ])('may be %s', async (type) => {
    expect(await posted([`Content-Type: ${type}`], '[1]')).toEqual({ status: 200, body: [1] });
  });

  it.each([
    ['text/plain'],
    ['application/jsonx'],
    ['application/json; charset=latin1'],
    ['application/json; charset=utf-8; charset=latin1'],
    ['text/plain; charset=utf-8'],
    ['application/json', 'application/json'],
    [],
  ])('is not %s %s', async (...types: string[]) => {
    const { status, body } = await posted(
      types.map((type) => `Content-Type: ${type}`),
      '[1]',
    );
    expect(status).toBe(400);
    const message = 'must be application/json in UTF-8';
    expect(body.errors).toEqual([{ path: '/headers/content-type', message }]);
  });

  it.each([
    [[], '', 'is required'],
    [[json, length(0)], '', 'is required'],
    [[json, chunked], '0\r\n\r\n', 'is required'],
    [[json, length(1)], '{', 'is not valid JSON'],
    [[json, length(3)], '"\xff"', 'is not valid UTF-8'],
    [[json, length(13)], '{"a":1,"a":2}', 'has two members with one name'],
    [[json, length(5)], '1e999', 'has a number that cannot be kept as it is written'],
  ])('%j %j is refused: %s', async (lines, text, message) => {
    const { status, body } = await send('/json', lines, text);
    expect([status, body.errors]).toEqual([400, [{ path: '/body', message }]]);
  });

  it('may begin with a byte order mark, and come in any pieces', async () => {
    expect(await posted([json], '\xef\xbb\xbf{}')).toEqual({ status: 200, body: {} });
    const pieces = chunks('{"a', '":"', 'b', '"}');
    expect(await send('/json', [json, chunked], pieces)).toEqual({ status: 200, body: { a: 'b' } });
  });

  it.each(['identity', 'Identity'])('may be encoded as %s', async (coding) => {
    expect((await posted([json, `Content-Encoding: ${coding}`], '1')).status).toBe(200);
  });

  it.each(['/json', '/stream'])('(%s) is not decoded', async (path) => {
    const message = 'must not be set: bodies are sent as they are';
    const encoded = await send(path, [json, 'Content-Encoding: gzip', length(1)], '1');
    expect(encoded.body.errors).toEqual([{ path: '/headers/content-encoding', message }]);
    const coded = await send(path, [json, 'Transfer-Encoding: gzip, chunked'], chunks('1'));
    expect(coded.body.errors).toEqual([
      { path: '/headers/transfer-encoding', message: 'must be chunked, if anything' },
    ]);
    expect((await send(path, [json, 'Transfer-Encoding: Chunked'], chunks('1'))).status).toBe(200);
  });
});

it.each([
  [[], { has: false, isPlain: false }],
  [[json], { has: false, isPlain: false }],
  [[json, length(0)], { has: false, isPlain: false }],
  [[json, length(1)], { has: true, isPlain: true }],
  [[json, length(2)], { has: true, isPlain: true }],
  [[json, length(MOST)], { has: true, isPlain: true }],
  [[json, length(MOST + 1)], { has: true, isPlain: false }],
  [[json, chunked], { has: true, isPlain: false }],
  [[length(1)], { has: true, isPlain: false }],
  [[`${json};`, length(1)], { has: true, isPlain: false }],
  [['Content-Type: text/plain', length(1)], { has: true, isPlain: false }],
  [[json, json, length(1)], { has: true, isPlain: false }],
  [[json, 'Content-Encoding: identity', length(1)], { has: true, isPlain: false }],
])('%j announces %j', async (lines, kind) => {
  expect((await send('/kind', lines)).body).toEqual(kind);
});

it('a text is UTF-8, and keeps its byte order mark', () => {
  expect(parseText(Buffer.from('\ufeffé'))).toBe('\ufeffé');
  const errors = [{ path: '/body', message: 'is not valid UTF-8' }];
  expect(() => parseText(Buffer.from([0xff]))).toThrow(expect.objectContaining({ errors }));
});

it.each(['/whole', '/stream'])('a client that waits is asked for its body: %s', async (path) => {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n`;
  const text = await sendRaw(server.url, `${head}${length(4)}\r\n\r\n`, { later: 'body' });
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [\s\S]*\r\n\r\n4$/);
});

it('a body that nobody has read when the exchange is over cannot be read any more', async () => {
  expect((await send('/left', [length(4)], 'body')).body).toBe('left');
  const [stream] = left;
  while (!stream?.closed) await sleep(5);
  expect(Object(stream.errored).errors).toEqual([{ path: '/body', message: 'was cut short' }]);
});

describe('a body of the largest size', () => {
  it.each([
    ['/whole', MOST],
    ['/twice', MOST],
    ['/stream', MOST_STREAMED],
  ])('for %s is taken, and one more byte is not', async (path, most) => {
    const expected = path === '/twice' ? [most, true] : most;
    const text = 'x'.repeat(most);
    expect((await send(path, [length(most)], text)).body).toEqual(expected);
    expect((await send(path, [chunked], chunks(text))).body).toEqual(expected);
    const refused = { status: 413, body: { detail: `The body is larger than ${most} bytes.` } };
    // It is refused before any of it was sent.
    expect(await send(path, [length(most + 1)])).toMatchObject(refused);
    expect(await send(path, [chunked], chunks(`${text}x`))).toMatchObject(refused);
  });

  it.each([
    ['/begun', '"begun"'],
    ['/destroyed', '"destroyed"'],
    ['/unread', '"false"'],
  ])('that %s does not read to its end is discarded', async (path, answer) => {
    const text = 'x'.repeat(3_000_000);
    // The request behind it is answered, too.
    expect((await send(path, [length(text.length)], text)).body).toBe(JSON.parse(answer));
  });

  it('may be empty', async () => {
    expect((await send('/stream', [])).body).toBe(0);
    expect((await send('/stream', [length(0)])).body).toBe(0);
    expect((await send('/stream', [chunked], chunks())).body).toBe(0);
  });

  it('is not kept where it is exceeded', async () => {
    const pieces = Array.from({ length: 20 }, () => 'x'.repeat(30_000));
    expect((await send('/discarded', [chunked], chunks(...pieces))).body).toEqual([
      ...['payload-too-large', 0],
    ]);
  });
});

/** A connection on which a body was begun. */
async function begun(path: string, size: number): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${json}\r\n${length(size)}\r\n\r\n[`);
  return socket;
}

describe('a body whose client', () => {
  it.each(['/json', '/stream'])('goes away is cut short for %s', async (path) => {
    faults.length = 0;
    const before = reads;
    const socket = await begun(path, 100);
    while (reads === before) await sleep(5);
    socket.resetAndDestroy();
    while (faults.length === 0) await sleep(5);
    expect(faults).toEqual([[{ path: '/body', message: 'was cut short' }]]);
  });

  it('sends more than is read is not read on', async () => {
    const size = 10_000_000;
    const socket = await begun('/paced', size);
    let isWritten = false;
    socket.write('x'.repeat(size - 1), () => {
      isWritten = true;
    });
    while (streams.length === 0) await sleep(5);
    const read = () => streams[0]?.exchange.request.socket.bytesRead ?? 0;
    for (let looks = 0, seen = -1; looks < 10 && !isWritten; looks++) {
      if (read() !== seen) looks = 0;
      seen = read();
      await sleep(20);
    }
    expect(read()).toBeLessThan(size / 2);
    streams[0]?.stream.resume();
    expect(String(await once(socket, 'data'))).toContain('"read"');
    socket.destroy();
  });
});
