// engines: sqlite
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import type { HeaderValue, Reply } from '../../../src/kit/http/exchange.ts';
import { serveContract } from '../../support/contract-server.ts';

type Context = { readonly accept: string };
type Handler = (input: unknown, context: Context) => Reply;
type Server = Awaited<ReturnType<typeof serveContract>>;

const servers = new Map<string, Server>();
let current: Handler | undefined;
afterAll(() => Promise.all([...servers.values()].map((server) => server.stop())));

/** Each contract is served once, with the handler that was given last. */
async function serveReplies(responses: object, handler: Handler, operation: object = {}) {
  current = handler;
  const contract = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Replies', version: '1.0.0' },
    paths: { '/reply': { get: { operationId: 'reply', ...operation, responses } } },
  });
  const reply: Handler = (input, context) => present(current)(input, context);
  const server = servers.get(contract) ?? (await serveContract(contract, { reply }, { share: 1 }));
  servers.set(contract, server);
  const ask = (accept?: string, method = 'GET') =>
    fetch(`${server.url}/reply`, { method, headers: accept ? { accept } : {} });
  return { ...server, ask };
}

const media = (...types: string[]) => Object.fromEntries(types.map((type) => [type, {}]));
const described = (content: object) => ({ description: 'x', content });
const reply = (status: number, body: Reply['body'], type?: string): Reply => ({
  status,
  headers: {},
  body,
  type,
});

describe('the media type of a reply', () => {
  const responses = {
    200: described(media('text/csv')),
    201: described(media('text/plain', 'application/json')),
    202: described(media('text/plain', 'text/html')),
    203: described(media('*/*')),
    206: described(media('image/*')),
    '2XX': described(media('application/vnd.x+json')),
    default: described(media('text/*')),
  };

  it.each([
    [reply(200, 'a,b'), 'text/csv'],
    [reply(201, '1'), 'application/json'],
    [reply(201, '1', 'text/plain'), 'text/plain'],
    [reply(202, '1'), 'text/plain'],
    [reply(203, '1'), 'application/json'],
    [reply(203, Buffer.from('1')), 'application/octet-stream'],
    [reply(206, '1'), 'application/octet-stream'],
    [reply(206, '1', 'image/png'), 'image/png'],
    [reply(299, '1'), 'application/vnd.x+json'],
    [reply(418, '1'), 'text/plain; charset=utf-8'],
    [reply(204, undefined), null],
  ])('%j is %s', async (given, type) => {
    const { ask } = await serveReplies(responses, () => given);
    const response = await ask();
    expect([response.status, response.headers.get('content-type')]).toEqual([given.status, type]);
  });
});

describe('a body', () => {
  async function* pieces() {
    yield 'a';
    yield new Uint8Array([0xff]);
    yield Buffer.from('b');
  }
  const bodies: readonly [string, () => Reply['body'], string][] = [
    ['text', () => 'é', 'c3a9'],
    ['a buffer', () => Buffer.from([0, 255]), '00ff'],
    ['an array of bytes', () => new Uint8Array([0, 255]), '00ff'],
    ['text and bytes in pieces', pieces, '61ff62'],
    ['a stream', () => Readable.from([Buffer.from('x'), Buffer.from('y')]), '7879'],
    ['a web stream', () => new Blob(['z']).stream(), '7a'],
  ];

  it.each(bodies)('may be %s', async (_, body, hex) => {
    const { ask } = await serveReplies({ 200: described(media('image/png')) }, () =>
      reply(200, body()),
    );
    expect(Buffer.from(await (await ask()).arrayBuffer()).toString('hex')).toBe(hex);
    const head = await ask(undefined, 'HEAD');
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'image/png',
      '',
    ]);
  });

  it('that is a stream is closed when nobody reads it, or no longer', async () => {
    const opened: Readable[] = [];
    const endless = () => {
      const stream = new Readable({ read: () => {} });
      stream.push('x');
      opened.push(stream);
      return reply(200, stream);
    };
    const responses = { 200: described(media('image/png')) };
    const { ask, url } = await serveReplies(responses, endless);
    await ask(undefined, 'HEAD');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /reply HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    while (!opened.every(({ destroyed }) => destroyed))
      await new Promise((done) => setTimeout(done, 10));
    expect(opened).toHaveLength(2);
  });

  it('that is a stream which fails breaks the connection', async () => {
    const failing = () => {
      const stream = new Readable({ read: () => {} });
      stream.push('x');
      setTimeout(() => stream.destroy(new Error('the disk is gone')), 50);
      return reply(200, stream);
    };
    const { ask, log } = await serveReplies({ 200: described(media('image/png')) }, failing);
    await expect(ask().then((response) => response.text())).rejects.toThrow();
    expect(log.join()).toContain('the disk is gone');
  });
});

describe('what a client accepts', () => {
  const responses = {
    200: described(media('application/json', 'text/csv')),
    201: described(media('text/html; charset=utf-8')),
    400: described(media('application/problem+json')),
  };
  const handler: Handler = (_, { accept }) =>
    reply(200, JSON.stringify(accept), 'application/json');

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/*', 'text/csv'],
    ['text/csv;q=0.5, text/html', 'text/html; charset=utf-8'],
    ['text/html;charset=utf-8, text/csv', 'text/html; charset=utf-8'],
    ['text/html;charset=latin1, text/csv;q=0.1', 'text/csv'],
    ['application/json;q=0, */*;q=0.1', 'text/csv'],
    ['application/problem+json', 'application/json'],
  ])('%s is told to the handler as %s', async (accept, type) => {
    const { ask } = await serveReplies(responses, handler);
    expect(await (await ask(accept)).json()).toBe(type);
  });

  it('is 406 where nothing of it is declared, and the contract declares 406', async () => {
    const { ask } = await serveReplies({ ...responses, 406: { description: 'No' } }, handler);
    expect((await ask('text/csv')).status).toBe(200);
    const refused = await ask('image/png');
    expect(refused.status).toBe(406);
    expect(await refused.json()).toMatchObject({
      errors: [{ path: '/headers/accept', message: expect.stringMatching(/^must admit /) }],
    });
  });
});

describe('the headers of a reply', () => {
  const headers = {
    'X-Exploded': { explode: true, schema: { type: 'object' } },
  };
  it('are written by their types', async () => {
    const values: Record<string, HeaderValue> = {
      'X-Number': 1.5,
      'X-Yes': true,
      'X-List': ['a', 2, false],
      'X-Empty': [],
      'X-Object': { a: 1, b: 'x', c: undefined },
      'X-Exploded': { a: 1, b: 'x' },
      'X-None': undefined,
      'Set-Cookie': ['a=1', 'b=2; HttpOnly'],
    };
    const { ask } = await serveReplies({ 200: { description: 'x', headers } }, () => ({
      status: 200,
      headers: values,
      body: undefined,
    }));
    const sent = (await ask()).headers;
    const texts = Object.keys(values).map((name) => sent.get(name));
    const cookies = 'a=1, b=2; HttpOnly';
    expect(texts).toEqual(['1.5', 'true', 'a,2,false', '', 'a,1,b,x', 'a=1,b=x', null, cookies]);
    expect(sent.getSetCookie()).toEqual(['a=1', 'b=2; HttpOnly']);
  });
});

describe('a deprecated operation', () => {
  const responses = { 200: described(media('application/json')), 400: { description: 'x' } };
  const handler = () => reply(200, '1');

  it.each([
    [{}, '@0', null],
    [{ 'x-deprecated-at': '2024-06-30' }, '@1719705600', null],
    [{ 'x-deprecation-date': '2024-06-30T12:00:00Z' }, '@1719748800', null],
    [{ 'x-sunset': '2030-01-01' }, '@0', 'Tue, 01 Jan 2030 00:00:00 GMT'],
  ])('%j says so in every reply, and its use is counted', async (dates, deprecation, sunset) => {
    const operation = { deprecated: true, ...dates };
    const { ask, url, metrics } = await serveReplies(responses, handler, operation);
    for (const response of [await ask(), await fetch(`${url}/reply?unknown=1`)]) {
      expect(response.headers.get('deprecation')).toBe(deprecation);
      expect(response.headers.get('sunset')).toBe(sunset);
    }
    expect(await metrics()).toContain('accord_rest_deprecated_use_total{operation="reply"} 2');
  });

  it('with a date that is none stops the start', async () => {
    const operation = { deprecated: true, 'x-sunset': 'soon' };
    await expect(serveReplies(responses, handler, operation)).rejects.toThrow(
      'the deprecated operation reply has "soon" where a date is due',
    );
  });

  it('is the only one with these headers', async () => {
    for (const sunset of ['2030-01-01', 'soon']) {
      const { ask, metrics } = await serveReplies(responses, handler, { 'x-sunset': sunset });
      expect((await ask()).headers.has('deprecation')).toBe(false);
      expect(await metrics()).not.toContain('accord_rest_deprecated_use_total{');
    }
  });
});
