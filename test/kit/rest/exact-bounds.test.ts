// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';

const FORM = 'application/x-www-form-urlencoded';
const media = (type: string, schema: object) => ({ content: { [type]: { schema } } });
const operation = (operationId: string, others: object) => ({
  operationId,
  ...others,
  responses: { 200: { description: 'It was taken' } },
});
const numbers = { type: 'array', items: { type: 'integer' } };
const members = { type: 'object', additionalProperties: true };

const contract = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Bounds', version: '1.0.0' },
  paths: {
    '/text': {
      post: operation('text', { requestBody: media('application/json', { type: 'string' }) }),
    },
    '/closed': {
      post: operation('closed', {
        requestBody: media('application/json', {
          ...{ type: 'object', properties: { a: {} }, additionalProperties: false },
        }),
      }),
    },
    '/numbers': {
      post: operation('numbers', { requestBody: media('application/json', numbers) }),
    },
    '/form': {
      post: operation('form', {
        requestBody: {
          content: {
            [FORM]: {
              schema: { type: 'object', properties: { tags: numbers, deep: members } },
              encoding: { deep: { style: 'deepObject', explode: true } },
            },
          },
        },
      }),
    },
    '/parts': {
      post: operation('parts', {
        requestBody: media('multipart/form-data', {
          type: 'object',
          properties: { tags: { type: 'array', items: { type: 'string' } } },
        }),
      }),
    },
    '/search': {
      get: operation('search', {
        parameters: [
          { name: 'p', in: 'query', style: 'deepObject', explode: true, schema: members },
        ],
      }),
    },
  },
});

const ok = () => ({ status: 200, headers: {}, body: undefined });
const handlers = { text: ok, closed: ok, numbers: ok, form: ok, parts: ok, search: ok };
const graphql = 'type Query { one: Int }';
const resolvers = { Query: { one: () => 1 } };
const servers = await Promise.all(
  [true, false].map((fastLane) =>
    serveContract(contract, handlers, { fastLane, graphql, resolvers }),
  ),
);
afterAll(() => Promise.all(servers.map((server) => server.stop())));

type Sent = { readonly path: string; readonly type?: string; readonly body?: string };
type Refusal = { readonly status: number; readonly tells: RegExp };

const json = (path: string, body: string): Sent => ({ path, type: 'application/json', body });
const listOf = <T>(length: number, make: (i: number) => T): T[] =>
  Array.from({ length }, (_, i) => make(i));
const pairs = (length: number, make: (i: number) => string) => listOf(length, make).join('&');
const parts = (length: number, header = '') =>
  `${listOf(length, () => `--b\r\nContent-Disposition: form-data; name=tags${header}\r\n\r\nx\r\n`).join('')}--b--`;
const multipart = (body: string): Sent => ({
  ...{ path: '/parts', type: 'multipart/form-data; boundary=b', body },
});
// The line ends are not counted.
const ownHeader = 'Content-Disposition: form-data; name=tags'.length + 'X: '.length;

const bounds: [string, number, (size: number) => Sent, Refusal][] = [
  [
    'bytes of a body',
    262_144,
    (size) => json('/text', `"${'x'.repeat(size - 2)}"`),
    { status: 413, tells: /larger than 262144 bytes/ },
  ],
  [
    'fields of a form',
    10_000,
    (size) => ({ path: '/form', type: FORM, body: pairs(size, () => 'tags=1') }),
    { status: 400, tells: /more than 10000 fields/ },
  ],
  [
    'parts of a multipart body',
    1000,
    (size) => multipart(parts(size)),
    { status: 413, tells: /more than 1000 parts/ },
  ],
  [
    'bytes of the headers of a part',
    8192,
    (size) => multipart(parts(1, `\r\nX: ${'x'.repeat(size - ownHeader)}`)),
    { status: 400, tells: /more than 8192 bytes of headers/ },
  ],
  [
    'levels of a query parameter',
    10,
    (size) => ({ path: `/search?p${'[a]'.repeat(size)}=1` }),
    { status: 400, tells: /more than 10 levels/ },
  ],
  [
    'members of a query parameter',
    100,
    (size) => ({ path: `/search?${pairs(size, (i) => `p[x${i}]=1`)}` }),
    { status: 400, tells: /more than 100 properties/ },
  ],
];

describe.each([
  ['in the lane', servers[0]?.url],
  ['on the full path', servers[1]?.url],
])('%s', (_, url) => {
  async function send({ path, type, body }: Sent, isChunked = false) {
    const bytes = Buffer.from(body ?? '');
    const chunked = { body: ReadableStream.from([bytes]), duplex: 'half' as const };
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && (isChunked ? chunked : { body: bytes })),
      headers: type ? { 'content-type': type } : {},
    });
    return { status: response.status, text: await response.text() };
  }

  it.each(bounds)(
    '%s are taken up to %d, and refused from one more on',
    async (_, most, make, { status, tells }) => {
      for (const isChunked of [false, true]) {
        expect(await send(make(most), isChunked)).toEqual({ status: 200, text: '' });
        const refused = await send(make(most + 1), isChunked);
        expect(refused.status).toBe(status);
        expect(refused.text).toMatch(tells);
      }
    },
  );

  it('a GraphQL request is taken up to 262,144 bytes', async () => {
    const padded = (size: number) => json('/graphql', '{"query":"{ one }"}'.padEnd(size));
    for (const isChunked of [false, true]) {
      const taken = await send(padded(262_144), isChunked);
      expect(taken).toEqual({ status: 200, text: '{"data":{"one":1}}' });
      expect((await send(padded(262_145), isChunked)).status).toBe(413);
    }
  });

  it('of unknown properties each is told up to 100, then that there are too many', async () => {
    const closed = (size: number) =>
      json('/closed', JSON.stringify(Object.fromEntries(listOf(size, (i) => [`x${i}`, 1]))));
    const known = await send(closed(100));
    expect(known.status).toBe(400);
    expect(known.text).toMatch(/is not a known property/);
    expect((await send(closed(101))).text).toMatch(/must not have more than 100 properties/);
  });

  it('of several faults 20 are told', async () => {
    for (const [faults, told] of [
      [19, 19],
      [20, 20],
      [21, 20],
    ] as const) {
      const { text } = await send(json('/numbers', JSON.stringify(listOf(faults, () => 'x'))));
      expect(JSON.parse(text).errors).toHaveLength(told);
    }
  });

  it('of the path of a fault 200 characters are told', async () => {
    for (const length of [193, 194, 195]) {
      const { text } = await send(json('/closed', JSON.stringify({ ['k'.repeat(length)]: 1 })));
      const [{ path }] = JSON.parse(text).errors;
      expect(path).toBe(`/body/${'k'.repeat(length)}`.slice(0, 200));
    }
  });
});
