// engines: sqlite
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import type { AnyInput } from '../../../src/kit/rest/handler.ts';
import { sendRaw } from '../../../tools/support/raw-http.ts';
import { serveContract } from '../../support/contract-server.ts';

/** Media types by how their bodies are read. */
const kinds = {
  json: ['application/json', 'application/problem+json', 'text/json', 'image/x+json'],
  form: ['application/x-www-form-urlencoded'],
  multipart: ['multipart/form-data', 'multipart/mixed'],
  text: ['text/plain', 'text/xml', 'application/xml', 'application/atom+xml', 'image/svg+xml'],
  binary: ['application/octet-stream', 'application/pdf', 'image/png', 'x/y'],
};
const part = '--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b--\r\n';
const bodies = { json: '{"a":"1"}', form: 'a=1', multipart: part, text: 'a=1', binary: 'a=1' };
const readAs = {
  ...{ json: { a: '1' }, form: { a: '1' }, multipart: { a: '1' } },
  ...{ text: 'a=1', binary: { stream: 'a=1' } },
};
const ranges = ['*/*', 'application/*', 'multipart/*', 'text/*', 'image/*'];

const ranked = {
  '*/*': { schema: { const: 'any' } },
  'text/*': { schema: { const: 'text' } },
  'text/plain; format=flowed': { schema: { const: 'flowed' } },
  'text/plain; format=flowed; delsp=yes': { schema: { const: 'both' } },
  'application/json': { schema: { const: 'json' } },
};
const one = (type: string) => ({ [type]: {} });

type Content = Readonly<Record<string, object>>;
const contents: Readonly<Record<string, Content>> = {
  ...Object.fromEntries(ranges.map((range, i) => [`range${i}`, one(range)])),
  ...Object.fromEntries(Object.entries(kinds).map(([kind, [type = '']]) => [kind, one(type)])),
  ranked,
  two: { 'text/plain': {}, 'application/json': {} },
};
const post = (operationId: string, content: object, { required = true, responses = {} } = {}) => ({
  post: {
    operationId,
    requestBody: { required, content },
    responses: {
      200: { description: 'Taken.', content: { 'application/json': {} } },
      ...responses,
    },
  },
});
const paths = {
  ...Object.fromEntries(
    Object.entries(contents).map(([id, content]) => [`/${id}`, post(id, content)]),
  ),
  '/optional': post('optional', one('application/json'), { required: false }),
  '/unsupported': post('unsupported', one('application/json'), {
    responses: { 415: { description: 'No.' } },
  }),
};
const take = async ({ body, mediaType }: AnyInput) => {
  const value = body instanceof Readable ? { stream: await text(body) } : body;
  return { status: 200, body: { value, mediaType } };
};
const servers = await Promise.all(
  [true, false].map((fastLane) =>
    serveContract(
      JSON.stringify({ openapi: '3.1.0', info: { title: 'Types', version: '1' }, paths }),
      Object.fromEntries(Object.keys(paths).map((path) => [path.slice(1), take])),
      { fastLane },
    ),
  ),
);
afterAll(() => Promise.all(servers.map((server) => server.stop())));
const lanes = [
  ['in the lane', servers[0]?.url ?? ''],
  ['on the full path', servers[1]?.url ?? ''],
] as const;

const sender = (url: string) =>
  async function send(
    path: string,
    type: string | undefined,
    body: RequestInit['body'] | undefined,
  ) {
    const headers = type === undefined ? {} : { 'content-type': type };
    const init = { method: 'POST', headers, duplex: 'half', ...(body !== undefined && { body }) };
    const response = await fetch(`${url}/${path}`, init as RequestInit);
    const { value, mediaType, errors } = Object(await response.json());
    return { status: response.status, value, mediaType, errors, headers: response.headers };
  };
const bytes = (body: string) => Buffer.from(body);
const required = [{ path: '/body', message: 'is required' }];

describe.each(lanes)('a body is read by its media type, %s', (_, url) => {
  const send = sender(url);
  const cases = ranges.flatMap((range, i) =>
    Object.entries(kinds).flatMap(([kind, types]) =>
      types.map((type) => [type, range, `range${i}`, kind as keyof typeof kinds] as const),
    ),
  );
  it.each(cases)('%s in the range %s', async (type, range, path, kind) => {
    const sent = kind === 'multipart' ? `${type}; boundary=b` : type;
    const { status, value, mediaType, errors } = await send(path, sent, bytes(bodies[kind]));
    const isIn = range === '*/*' || type.split('/')[0] === range.split('/')[0];
    if (!isIn) expect([status, errors[0].path]).toEqual([400, '/headers/content-type']);
    else expect([status, value, mediaType]).toEqual([200, readAs[kind], sent]);
  });

  it.each([
    ['text/html', 'text', 'text/html'],
    ['application/xml', 'any', 'application/xml'],
    ['text/plain', 'flowed', 'text/plain; format=flowed'],
    ['text/plain; charset=utf8', 'flowed', 'text/plain; format=flowed'],
    ['text/plain; format=flowed', 'flowed', 'text/plain; format=flowed'],
    ['text/plain; delsp=yes; format=flowed', 'both', 'text/plain; format=flowed; delsp=yes'],
    ['text/plain; delsp=no; format=flowed', 'flowed', 'text/plain; format=flowed'],
    ['application/json', '"json"', 'application/json'],
    ['application/vnd.x+json', '"any"', 'application/vnd.x+json'],
  ])('%s by the nearest of those declared, in any order', async (type, body, mediaType) => {
    const answer = await send('ranked', type, bytes(body));
    expect([answer.status, answer.mediaType]).toEqual([200, mediaType]);
  });

  it.each([
    ['json', 'application/vnd.x+json', 'must be application/json in UTF-8'],
    ['json', 'application/json; charset=latin1', 'must be application/json in UTF-8'],
    ['text', 'text/plain; charset=latin1', 'must be text/plain'],
    ['text', 'text/csv', 'must be text/plain'],
    ['range0', 'text', 'must be */*'],
    ['range2', 'multipart/;', 'must be multipart/*'],
    ['binary', undefined, 200],
    ['binary', 'application/octet-stream; charset=latin1', 200],
    ['multipart', 'multipart/form-data; charset=latin1; boundary=b', 200],
    ['text', 'text/plain; charset=UTF8', 200],
  ])('/%s: %s', async (path, type, expected) => {
    const body = path === 'multipart' ? part : '1';
    const { status, errors } = await send(path, type, bytes(body));
    expect(errors?.[0].message ?? status).toBe(expected);
  });

  it('which the handler is told where there are several', async () => {
    const told = async (path: string) =>
      (await send(path, 'application/json', bytes('1'))).mediaType;
    expect([await told('two'), await told('json')]).toEqual(['application/json', undefined]);
  });

  it('that is given once', async () => {
    const line = 'Content-Type: application/json\r\n';
    const ask = (lines: string) =>
      sendRaw(
        url,
        `POST /json HTTP/1.1\r\nHost: x\r\n${lines}Content-Length: 1\r\nConnection: close\r\n\r\n1`,
      );
    expect(await ask(line)).toMatch(/^HTTP\/1.1 200 /);
    const twice = await ask(line + line);
    expect(twice).toMatch(/^HTTP\/1.1 400 /);
    expect(twice).toContain('"/headers/content-type"');
  });

  it('is 415 without the types of a patch, where it is none', async () => {
    const { status, headers } = await send('unsupported', 'text/plain', bytes('x'));
    expect([status, headers.get('accept-patch')]).toEqual([415, null]);
  });
});

describe.each(lanes)('an empty body, %s', (_, url) => {
  const send = sender(url);
  it.each([
    ['json', 'application/json', required],
    ['multipart', 'multipart/form-data; boundary=b', required],
    ['form', 'application/x-www-form-urlencoded', {}],
    ['text', 'text/plain', ''],
    ['binary', 'application/octet-stream', { stream: '' }],
    ['json', undefined, required],
    ['form', undefined, required],
    ['text', undefined, required],
    ['binary', undefined, required],
    ['json', 'text/plain', required],
    ['text', 'image/png', required],
    ['optional', 'application/json', undefined],
    ['optional', 'text/plain', undefined],
  ])('of /%s, sent as %s', async (path, type, expected) => {
    const { value, errors } = await send(path, type, undefined);
    expect(errors ?? value).toEqual(expected);
  });

  it('is another than one that is sent in pieces', async () => {
    const sent = ReadableStream.from([bytes('[1'), bytes(']')]);
    expect((await send('optional', 'application/json', sent)).value).toEqual([1]);
    expect((await send('optional', 'application/json', bytes('[2]'))).value).toEqual([2]);
    expect((await send('optional', 'text/plain', bytes('[3]'))).status).toBe(400);
    expect((await send('optional', undefined, bytes('[4]'))).status).toBe(400);
  });

  it('of unknown length is none where none is required', async () => {
    const empty = () => ReadableStream.from([] as Uint8Array[]);
    const optional = await send('optional', 'application/json', empty());
    expect([optional.status, optional.value]).toEqual([200, undefined]);
    const { status, errors } = await send('json', 'application/json', empty());
    expect([status, errors]).toEqual([400, required]);
  });
});
