// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import { ApiError, type ErrorCode } from '../../../src/kit/errors.ts';
import type { AnyReply } from '../../../src/kit/rest/handler.ts';
import { serveContract } from '../../support/contract-server.ts';

const described = (...types: string[]) => ({
  description: 'A reply.',
  content: Object.fromEntries(types.map((type) => [type, {}])),
});
const object = { schema: { type: 'object' } };
const json = { content: { 'application/json': object } };
const exploded = { explode: true, schema: {} };

/** The responses of operations, by path. */
const operations: Readonly<Record<string, object>> = {
  json: { 200: described('application/json') },
  headers: {
    200: {
      ...described('application/json'),
      headers: {
        ...{ 'X-Json': json, 'X-Json-Text': json, 'X-Json-None': json, 'X-Joined': object },
        ...{ 'X-List': exploded, 'X-Text': exploded, 'X-Members': exploded, 'X-None': exploded },
        'X-Shared': { $ref: '#/components/headers/Shared' },
      },
    },
  },
  range: { 200: described('application/*') },
  single: { 200: described('text/csv', 'application/json') },
  open: { default: described('text/csv', 'text/html') },
  none: { 204: { description: 'Nothing.' }, 406: { description: 'No.' } },
  strict: { 200: described('text/csv'), 406: { description: 'No.' } },
  either: { 200: described('text/csv', 'text/html'), 406: { description: 'No.' } },
  errors: { 200: described('application/json') },
  bare: { 200: { ...described('application/json'), headers: { 'X-Joined': exploded } } },
};
let reply: AnyReply = { status: 200 };
let thrown: unknown;
const answer = (_: unknown, { accept }: { readonly accept: string }) => {
  if (thrown) throw thrown;
  return { ...reply, headers: { ...reply.headers, 'X-Accept': accept } };
};
const contract = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Replies', version: '1' },
  paths: Object.fromEntries(
    Object.entries(operations).map(([operationId, responses]) => [
      `/${operationId}`,
      { get: { operationId, responses } },
    ]),
  ),
  components: { headers: { Shared: json } },
});
const server = await serveContract(contract, {
  ...Object.fromEntries(Object.keys(operations).map((id) => [id, answer])),
  bare: () => reply,
});
afterAll(() => server.stop());

async function ask(path: string, given: AnyReply, accept?: string) {
  reply = given;
  const response = await fetch(`${server.url}/${path}`, { headers: accept ? { accept } : {} });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('a handler may give', () => {
  it.each([
    [null, 'null'],
    [0, '0'],
    [1.5, '1.5'],
    [true, 'true'],
    [false, 'false'],
    [[], '[]'],
    [{ a: [1, null] }, '{"a":[1,null]}'],
    ['"text"', '"text"'],
    [undefined, ''],
    [Buffer.from('[1]'), '[1]'],
    [new Uint8Array([91, 49, 93]).subarray(1, 2), '1'],
  ])('the body %j', async (body, text) => {
    expect((await ask('json', { status: 200, body })).text).toBe(text);
  });

  it('headers of every form that the contract declares', async () => {
    const members = { a: 1, b: undefined, c: 'x' };
    const { headers } = await ask('headers', {
      status: 200,
      body: 1,
      headers: {
        ...{ 'X-Json': { a: [1] }, 'X-Json-Text': '{"b":2}', 'X-Joined': { a: 1, b: 'x' } },
        ...{ 'X-List': ['a', 'b'], 'X-Text': 'a,b', 'X-Members': members },
        ...{ 'X-Shared': [1, 2], 'X-Other': 7 },
      },
    });
    const names = ['X-Json', 'X-Json-Text', 'X-Json-None', 'X-Joined', 'X-List', 'X-Text'];
    expect(
      [...names, 'X-Members', 'X-None', 'X-Shared', 'X-Other'].map((name) => headers.get(name)),
    )
      // What is exploded has its names, what is JSON its brackets.
      .toEqual([
        '{"a":[1]}',
        '{"b":2}',
        null,
        'a,1,b,x',
        'a,b',
        'a,b',
        'a=1,c=x',
        null,
        '[1,2]',
        '7',
      ]);
  });

  it('no headers at all', async () => {
    const { status, headers, text } = await ask('bare', { status: 200, body: 1 });
    expect([status, headers.get('x-joined'), text]).toEqual([200, null, '1']);
  });

  it.each([
    ['1', 'application/json'],
    [Buffer.from('1'), 'application/octet-stream'],
  ])('%j without its type, where the contract has a range', async (body, type) => {
    const { headers } = await ask('range', { status: 200, body });
    expect(headers.get('content-type')).toBe(type);
  });
});

describe('the media type that a client prefers', () => {
  it.each([
    ['single', 'application/json', 'application/json'],
    ['single', 'text/*', 'text/csv'],
    ['single', 'image/png', 'text/csv'],
    ['single', undefined, 'text/csv'],
    ['open', 'text/html', 'text/html'],
    ['open', undefined, 'text/csv'],
    ['json', 'text/csv', 'application/json'],
    ['strict', 'text/csv', 'text/csv'],
    ['strict', undefined, 'text/csv'],
    ['either', 'text/html', 'text/html'],
  ])('of /%s: %s', async (path, accept, told) => {
    const { headers } = await ask(path, { status: 200, body: '1', type: 'text/csv' }, accept);
    expect(headers.get('x-accept')).toBe(told);
  });

  it.each([
    ['strict', 'must admit text/csv'],
    ['either', 'must admit text/csv or text/html'],
  ])('is demanded of /%s where that declares 406', async (path, message) => {
    const { status, text } = await ask(path, { status: 200 }, 'image/png');
    expect([status, JSON.parse(text).errors]).toEqual([
      406,
      [{ path: '/headers/accept', message }],
    ]);
  });

  it('is any where nothing is sent', async () => {
    expect((await ask('none', { status: 204 }, 'image/png')).status).toBe(204);
  });
});

describe('a refusal has the status of its code', () => {
  it.each<[ErrorCode, number]>([
    ['invalid-request', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not-found', 404],
    ['method-not-allowed', 405],
    ['request-timeout', 408],
    ['conflict', 409],
    ['precondition-failed', 412],
    ['payload-too-large', 413],
    ['key-reused', 422],
    ['too-many-requests', 429],
    ['headers-too-large', 431],
    ['internal-error', 500],
    ['unavailable', 503],
  ])('%s: %d', async (code, status) => {
    thrown = new ApiError(code, { headers: { 'X-Own': 'x' } });
    const answered = await ask('errors', { status: 200 });
    thrown = undefined;
    const problem = JSON.parse(answered.text);
    expect([answered.status, problem.status, problem.type]).toEqual([
      status,
      status,
      `urn:accord:problem:${code}`,
    ]);
    expect(problem.title).toMatch(/^[A-Z]/);
    expect(problem.detail).toMatch(/\.$/);
    expect(problem).not.toHaveProperty('errors');
    const { headers } = answered;
    expect([headers.get('x-own'), headers.get('retry-after')]).toEqual([
      'x',
      status === 503 ? '1' : null,
    ]);
  });

  it('and what it says of its own instead', async () => {
    const errors = [{ path: '/a', message: 'is not' }];
    const own = { status: 418, detail: 'Own words.', errors, headers: { 'Retry-After': '9' } };
    thrown = new ApiError('unavailable', own);
    const { status, headers, text } = await ask('errors', { status: 200 });
    thrown = undefined;
    expect([status, headers.get('retry-after')]).toEqual([418, '9']);
    expect(JSON.parse(text)).toMatchObject({ status: 418, detail: 'Own words.', errors });
  });

  it('where the server itself fails it is logged once, with its cause', async () => {
    const faults = () => server.log.filter((line) => line.includes('"level":"error"'));
    const before = faults().length;
    for (const each of [
      new Error('one fault'),
      new ApiError('unavailable', { cause: new Error('another fault') }),
      new ApiError('unavailable', { detail: 'No cause at all.' }),
      new ApiError('conflict', { cause: new Error('no fault') }),
    ]) {
      thrown = each;
      await ask('errors', { status: 200 });
    }
    thrown = undefined;
    const lines = faults().slice(before);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('one fault');
    expect(lines[0]).toContain('GET /errors');
    expect(lines[1]).toContain('another fault');
    expect(lines[2]).toContain('No cause at all.');
  });
});
