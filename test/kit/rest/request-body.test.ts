// engines: sqlite
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { AnyHandlers, AnyInput } from '../../../src/kit/rest/handler.ts';
import { bodyContract } from '../../support/body-contract.ts';
import { serveContract } from '../../support/contract-server.ts';
import { object } from '../../support/schemas.ts';

type Server = Awaited<ReturnType<typeof serveContract>>;
const servers = new Map<string, Server>();
afterAll(() => Promise.all([...servers.values()].map((server) => server.stop())));

/** Each contract is served once. */
async function served(text: string, handlers: AnyHandlers, env = {}): Promise<Server> {
  const server = servers.get(text) ?? (await serveContract(text, handlers, { env }));
  servers.set(text, server);
  return server;
}

/** Serves a body of these media types; the handler gives back what it was given. */
async function serveBody(content: object, { required = true, responses = {} } = {}) {
  const handlers = {
    take: async ({ body, mediaType }: AnyInput) => {
      const value = body instanceof Readable ? String(await buffer(body)) : body;
      return { status: 200, headers: {}, body: JSON.stringify({ mediaType, value }) };
    },
  };
  const server = await served(bodyContract({ required, content }, responses), handlers);
  return async (type: string | undefined, body?: string | Uint8Array<ArrayBuffer>) => {
    // fetch names a type of its own for text.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const response = await fetch(`${server.url}/body`, {
      method: 'POST',
      ...(bytes && { body: bytes }),
      headers: type ? { 'content-type': type } : {},
    });
    const json = Object(await response.json());
    return { status: response.status, ...json };
  };
}

const json = (schema: object) => ({ 'application/json': { schema } });

describe('a body that is not required', () => {
  const content = json(object({ name: { type: 'string' } }, { required: ['name'] }));

  it('may be left out, and is held to the schema where it is sent', async () => {
    const send = await serveBody(content, { required: false });
    expect(await send(undefined)).toEqual({ status: 200 });
    expect(await send('application/json')).toEqual({ status: 200 });
    expect(await send('application/json', '{"name":"x"}')).toMatchObject({ value: { name: 'x' } });
    expect(await send('application/json', '{}')).toMatchObject({
      status: 400,
      errors: [{ path: '/body/name', message: 'is required' }],
    });
  });
});

describe('a media type that is not declared', () => {
  it.each([
    ['text/plain', 'must be application/json in UTF-8'],
    ['application/json; charset=latin1', 'must be application/json in UTF-8'],
    [undefined, 'must be application/json in UTF-8'],
  ])('%s is 400', async (type, message) => {
    const send = await serveBody(json({}));
    expect(await send(type, '{}')).toMatchObject({
      status: 400,
      errors: [{ path: '/headers/content-type', message }],
    });
  });

  it('is 415 where the contract declares that', async () => {
    const content = { ...json({}), 'text/plain': {} };
    const send = await serveBody(content, { responses: { 415: { description: 'No' } } });
    expect(await send('image/png', 'x')).toMatchObject({
      status: 415,
      errors: [
        { path: '/headers/content-type', message: 'must be application/json or text/plain' },
      ],
    });
  });
});

describe('of several media types', () => {
  const named = { $ref: '#/components/schemas/Named' };
  const content = {
    '*/*': { schema: { type: 'integer' } },
    'application/json': { schema: named },
    'application/vnd.x+json': { schema: { type: 'array', items: { type: 'integer' } } },
    'application/x-www-form-urlencoded': { schema: named },
    'text/*': { schema: { type: 'string', maxLength: 5 } },
  };

  it.each([
    ['application/json', '{"name":"x"}', 'application/json', { name: 'x' }],
    ['APPLICATION/VND.X+JSON; charset=UTF-8', '[1]', 'application/vnd.x+json', [1]],
    [
      'application/x-www-form-urlencoded',
      'name=x',
      'application/x-www-form-urlencoded',
      { name: 'x' },
    ],
    ['text/csv', 'a,b', 'text/csv', 'a,b'],
    ['application/problem+json', '7', 'application/problem+json', 7],
    ['image/png', 'PNG', 'image/png', 'PNG'],
    [undefined, 'bytes', 'application/octet-stream', 'bytes'],
  ])(
    '%s is read as what it is, by the nearest declaration',
    async (sent, body, mediaType, value) => {
      const send = await serveBody(content);
      expect(await send(sent, body)).toEqual({ status: 200, mediaType, value });
    },
  );

  it.each([
    ['application/json', '[]', '/body'],
    ['application/vnd.x+json', '["x"]', '/body/0'],
    ['text/plain', 'too long', '/body'],
    ['application/problem+json', '"x"', '/body'],
  ])('%s is held to its own schema', async (sent, body, path) => {
    const send = await serveBody(content);
    expect(await send(sent, body)).toMatchObject({ status: 400, errors: [{ path }] });
  });
});

describe('a text', () => {
  it('is kept as it is, also empty or with a byte order mark', async () => {
    const send = await serveBody({ 'text/plain': { schema: { type: 'string' } } });
    expect(await send('text/plain', '\ufeffé\r\n')).toMatchObject({ value: '\ufeffé\r\n' });
    expect(await send('text/plain; charset=utf-8', '')).toMatchObject({ value: '' });
    expect(await send(undefined, '')).toMatchObject({ status: 400 });
  });

  it('in no UTF-8 is refused', async () => {
    const send = await serveBody({ 'text/plain': {} });
    expect(await send('text/plain', new Uint8Array([0xff]))).toMatchObject({
      status: 400,
      errors: [{ path: '/body', message: 'is not valid UTF-8' }],
    });
  });

  it('of XML is not held to the schema of its data', async () => {
    const send = await serveBody({ 'application/xml': { schema: object({}) } });
    expect(await send('application/xml', '<x/>')).toMatchObject({ value: '<x/>' });
  });
});

describe('an integer beyond 2^53', () => {
  it('is refused, never rounded', async () => {
    const schema = object({ n: { type: 'integer' } });
    const send = await serveBody({
      ...json(schema),
      'application/x-www-form-urlencoded': { schema },
    });
    expect(await send('application/json', '{"n":9007199254740993}')).toMatchObject({ status: 400 });
    expect(await send('application/x-www-form-urlencoded', 'n=9007199254740993')).toMatchObject({
      status: 400,
      errors: [{ path: '/body/n', message: 'must be integer' }],
    });
  });
});

describe('a form', () => {
  const schema = object({
    text: { type: 'string' },
    count: { type: 'integer' },
    share: { type: 'number' },
    isOn: { type: 'boolean' },
    none: { type: ['integer', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'integer' } },
    either: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    point: object({ x: { type: 'integer' }, y: { type: 'integer' } }),
    spread: object({ foo: { type: 'string' }, bar: { type: 'integer' } }),
    deep: object({
      a: { type: 'integer' },
      list: { type: 'array', items: { type: 'integer' } },
      in: object({ b: { type: 'boolean' } }),
    }),
  });
  const encoding = {
    numbers: { style: 'form', explode: false },
    spread: { style: 'form' },
    deep: { style: 'deepObject', explode: true },
  };
  const form = 'application/x-www-form-urlencoded';

  it.each([
    ['', {}],
    ['text=a+b%26%C3%A9', { text: 'a b&é' }],
    ['text=', { text: '' }],
    ['text', { text: '' }],
    ['text=1&count=-7&share=1.5e3&isOn=true', { text: '1', count: -7, share: 1500, isOn: true }],
    ['none=', { none: null }],
    ['tags=a&tags=b', { tags: ['a', 'b'] }],
    ['tags=a,b', { tags: ['a,b'] }],
    ['numbers=1,2', { numbers: [1, 2] }],
    ['numbers=1%2C2', { numbers: [1, 2] }],
    ['either=a', { either: 'a' }],
    ['either=a&either=b', { either: ['a', 'b'] }],
    ['point=%7B%22x%22%3A1%7D', { point: { x: 1 } }],
    ['foo=a&bar=2', { spread: { foo: 'a', bar: 2 } }],
    ['deep[a]=1&deep%5Bin%5D%5Bb%5D=true', { deep: { a: 1, in: { b: true } } }],
    ['deep[list]=1&deep[list]=2', { deep: { list: [1, 2] } }],
    ['deep[list][]=1&deep[list][]=2', { deep: { list: [1, 2] } }],
    ['other=1&__proto__=x', { other: '1', ['__proto__']: 'x' }],
  ])('%s', async (text, value) => {
    const send = await serveBody({ [form]: { schema, encoding } });
    expect(await send(form, text)).toEqual({ status: 200, value });
  });

  it.each([
    ['count=01', '/body/count', 'must be integer'],
    ['count=1e3', '/body/count', 'must be integer'],
    ['share=0x1', '/body/share', 'must be number'],
    ['isOn=1', '/body/isOn', 'must be boolean'],
    ['text=a&text=b', '/body/text', 'is given more than once'],
    ['point={', '/body/point', 'is not valid JSON'],
    ['point={"x":9007199254740993}', '/body/point', /cannot be kept/],
    ['text=%', '/body', /percent-encoding/],
    ['text=%ff', '/body', /percent-encoding/],
  ])('%s is refused', refuses);

  it.each([
    ['of many fields', 'tags=1&'.repeat(10_001), '/body', 'must not have more than 10000 fields'],
    ['with a deep name', `deep${'[a]'.repeat(5)}=1`, '/body/deep/a', 'must be integer'],
    [
      'with a very deep name',
      `deep${'[a]'.repeat(20_000)}=1`,
      /^\/body\/deep/,
      'is not a known property',
    ],
  ])('%s is refused', (_, text, path, message) => refuses(text, path, message));

  async function refuses(text: string, path: string | RegExp, message: string | RegExp) {
    const closed = { ...schema, additionalProperties: false };
    const send = await serveBody({ [form]: { schema: closed, encoding } });
    const { status, errors } = await send(form, text);
    expect(status).toBe(400);
    expect(errors).toMatchObject([
      { path: expect.stringMatching(path), message: expect.stringMatching(message) },
    ]);
  }
});

describe('a binary body', () => {
  const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

  it('is a stream', async () => {
    const send = await serveBody({ 'application/octet-stream': {} });
    expect(await send('application/octet-stream', 'x'.repeat(1_000_000))).toMatchObject({
      value: 'x'.repeat(1_000_000),
    });
    expect(await send('application/octet-stream', '')).toMatchObject({ value: '' });
  });

  it('larger than UPLOAD_LIMIT is 413, whether its length is announced or not', async () => {
    const handlers = {
      take: async ({ body }: { body: Readable }) => {
        const { length } = await buffer(body);
        return { status: 200, headers: {}, body: String(length) };
      },
    };
    // Without the format, which is refused until the reader knows it.
    const text = bodyContract({ required: true, content }).replace(
      '"format":"binary"',
      '"title":""',
    );
    const server = await served(text, handlers, { UPLOAD_LIMIT: '100000' });
    const send = async (body: string | ReadableStream) => {
      const headers = { 'content-type': 'application/octet-stream' };
      const init = { method: 'POST', body, headers, duplex: 'half' } as const;
      return (await fetch(`${server.url}/body`, init)).status;
    };
    const chunked = (length: number) => new Blob(['x'.repeat(length)]).stream();
    expect(await send('x'.repeat(100_000))).toBe(200);
    expect(await send('x'.repeat(100_001))).toBe(413);
    expect(await send(chunked(100_000))).toBe(200);
    expect(await send(chunked(100_001))).toBe(413);
  });

  it('whose client goes away when it was sent is no failure of the handler that reads it', async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const handlers = {
      take: async ({ body }: { body: Readable }) => {
        try {
          for await (const _ of body) {
            start();
            while (body.readableLength === 0) await sleep(1);
            arrive();
            // The line of the request is written when its connection is closed.
            while (server.log.length === 0) await sleep(1);
          }
        } finally {
          end();
        }
        return { status: 200, headers: {}, body: '1' };
      },
    };
    const text = bodyContract({ required: true, content: { 'image/gif': {} } });
    const server = await served(text, handlers);
    server.log.length = 0;
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).resume();
    const head = 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: image/gif\r\n';
    socket.write(`${head}Content-Length: 2\r\n\r\nx`);
    await started;
    socket.write('x');
    await arrived;
    socket.resetAndDestroy();
    await ended;
    // A failure is logged by then.
    await fetch(`${server.url}/healthz`);
    expect(server.log.join()).not.toContain('failed');
  });

  it('that its handler does not read, or not to its end, blocks no connection', async () => {
    let reads = 0;
    const handlers = {
      take: async ({ body }: { body: Readable }) => {
        if (reads++ % 2 === 1) await new Promise((resolve) => body.once('data', resolve));
        return { status: 200, headers: {}, body: '1' };
      },
    };
    const text = bodyContract({ required: true, content: { 'image/png': {} } });
    const server = await served(text, handlers);
    for (let i = 0; i < 6; i++) {
      const headers = { 'content-type': 'image/png' };
      const init = { method: 'POST', body: 'x'.repeat(3_000_000), headers };
      expect((await fetch(`${server.url}/body`, init)).status).toBe(200);
    }
  });
});

describe('a field of a form whose schema names no type', () => {
  const fields = {
    one: { const: 4 },
    some: { enum: [1, true, null, 'a', 1.5] },
    list: { enum: [[1], 'a'] },
    named: { properties: { a: { type: 'integer' } } },
    items: { items: { type: 'integer' } },
    both: {},
  };
  const schema = object(fields, {
    allOf: [object({ both: { type: 'integer' } }), object({ both: { minimum: 3 } })],
  });
  const form = { 'application/x-www-form-urlencoded': { schema } };

  it.each([
    ['one=4', { one: 4 }],
    ['some=1', { some: 1 }],
    ['some=true', { some: true }],
    ['some=1.5', { some: 1.5 }],
    ['some=a', { some: 'a' }],
    ['items=1&items=2', { items: [1, 2] }],
    ['both=3', { both: 3 }],
  ])('is read as its values are: %s', async (text, value) => {
    const send = await serveBody(form);
    expect(await send('application/x-www-form-urlencoded', text)).toMatchObject({
      status: 200,
      value,
    });
  });

  it.each(['one=5', 'some=b', 'both=2', 'items=x'])('is refused: %s', async (text) => {
    const send = await serveBody(form);
    expect(await send('application/x-www-form-urlencoded', text)).toMatchObject({ status: 400 });
  });
});
