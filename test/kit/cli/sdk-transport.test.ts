// engines: sqlite
import { describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  ConnectionError,
  TimeoutError,
} from '../../../src/kit/cli/sdk/typescript/runtime/errors.ts';
import type { Operation } from '../../../src/kit/cli/sdk/typescript/runtime/request.ts';
import {
  delayBefore,
  isUncertain,
  pause,
} from '../../../src/kit/cli/sdk/typescript/runtime/retry.ts';
import { fakeTimers, realTime } from '../../support/fake-time.ts';
import { get, json, type Sent, soon, status, talking } from '../../support/sdk-talk.ts';

describe('an SDK sends', () => {
  it('its name, its credentials and what the call has, the latter first', async () => {
    const { transport, sent } = talking(
      [json(1), json(2)],
      {
        token: async () => 't',
        headers: { 'X-A': 'client', 'X-B': 'client' },
        credentials: { jar: 'a', search: 'q' },
      },
      {
        schemes: {
          jar: { kind: 'key', in: 'cookie', name: 'sid' },
          search: { kind: 'key', in: 'query', name: 'k' },
        },
      },
    );
    const operation: Operation = {
      ...get,
      method: 'POST',
      security: [['jar', 'search']],
      parameters: [{ key: 'c', name: 'c', in: 'cookie', style: 'form', explode: true }],
    };
    const options = { headers: { 'X-A': 'call' }, c: 1 };
    expect(await transport.call(operation, { body: { a: 1 }, options })).toBe(1);
    expect(sent[0]?.url).toBe('http://x/it?k=q');
    // Behind a query that is there already.
    const asking: Operation = { ...operation, path: '/it?a=1' };
    expect(await transport.call(asking, { options })).toBe(2);
    expect(sent[1]?.url).toBe('http://x/it?a=1&k=q');
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
      ...{ accept: 'application/json', 'content-type': 'application/json', cookie: 'c=1; sid=a' },
      ...{ 'user-agent': 'sky/1', 'x-a': 'call', 'x-b': 'client' },
    });
    expect(sent[0]?.init).toMatchObject({ method: 'POST', body: '{"a":1}' });
    expect(sent[0]?.init.redirect).toBe(undefined);
  });

  it('a token, and a cookie that is the only one', async () => {
    const jar = { kind: 'key', in: 'cookie', name: 'sid' };
    const client = { token: 't', credentials: { jar: 'a' } };
    const { transport, sent } = talking([json(1), json(1)], client, { schemes: { jar } });
    await transport.call(get);
    await transport.call({ ...get, security: [['jar']] });
    const given = sent.map(({ headers }) => [headers.get('authorization'), headers.get('cookie')]);
    expect(given).toEqual([
      ['Bearer t', null],
      [null, 'sid=a'],
    ]);
  });

  it('nothing where the credentials cannot be had, which is not tried again', async () => {
    let asked = 0;
    const token = () => {
      asked++;
      throw new Error('no token');
    };
    const { transport, sent } = talking([], { token, maxDelay: 1e9 });
    await expect(transport.call(get)).rejects.toThrow(/^no token$/);
    expect([asked, sent]).toEqual([1, []]);
  });

  it('no content type of its own for a form, and follows no redirection that is an answer', async () => {
    const { transport, sent } = talking([status(303, { location: '/b' })]);
    const operation: Operation = {
      ...get,
      method: 'POST',
      replies: { '3XX': 'nothing' },
      redirects: true,
      bodies: [{ type: 'multipart/form-data', as: 'multipart' }],
    };
    const reply = await transport.call(operation, { body: { a: 1 } }).withResponse();
    expect(reply).toMatchObject({ status: 303, data: undefined });
    expect(reply.rawHeaders.get('location')).toBe('/b');
    expect(sent[0]?.headers.has('content-type')).toBe(false);
    expect(sent[0]?.init.redirect).toBe('manual');
    expect(sent[0]?.headers.has('authorization')).toBe(false);
    expect(sent[0]?.headers.has('cookie')).toBe(false);
  });
});

describe('an answer is read', () => {
  const text = (type: string, body = '{"a":1}') =>
    new Response(body, { headers: { 'content-type': type } });

  it.each<[Operation['replies'], Response, unknown]>([
    [{ 200: 'json' }, text('text/plain'), { a: 1 }],
    [{ 200: 'text' }, text('application/json'), '{"a":1}'],
    [{ 200: 'nothing' }, text('application/json'), undefined],
    [{ '2XX': 'text' }, text('a/b'), '{"a":1}'],
    [{ default: 'text' }, text('a/b'), '{"a":1}'],
    [{ 200: 'text', '2XX': 'json' }, text('a/b'), '{"a":1}'],
    [{ 200: 'any' }, text('application/json'), { a: 1 }],
    [{ 200: 'any' }, text('application/problem+json; charset=utf-8'), { a: 1 }],
    [{ 200: 'any' }, text('text/csv'), '{"a":1}'],
    [{ 200: 'any' }, text('application/xml'), '{"a":1}'],
    [{ 200: 'any' }, text('image/svg+xml'), '{"a":1}'],
    [{ 200: 'any' }, text('application/json', ''), undefined],
    [{ default: 'text' }, new Response('a', { status: 399 }), 'a'],
  ])('%j', async (replies, response, data) => {
    const { transport } = talking([response]);
    expect(await transport.call({ ...get, replies })).toEqual(data);
  });

  it('as bytes', async () => {
    const { transport } = talking([text('image/png', 'a'), text('image/png', 'a')]);
    for (const as of ['binary', 'any'] as const) {
      const blob = await transport.call<Blob, unknown, unknown>({ ...get, replies: { 200: as } });
      expect([blob.type, await blob.text()]).toEqual(['image/png', 'a']);
    }
  });

  it('with the headers that the contract has', async () => {
    const { transport } = talking([json(1, { headers: { 'X-Total': '7', ETag: '"1"' } })]);
    const replyHeaders = {
      total: { name: 'X-Total', type: 'number' },
      etag: { name: 'ETag', type: 'string' },
      none: { name: 'X-None', type: 'string' },
    } as const;
    const { headers } = await transport.call({ ...get, replyHeaders }).withResponse();
    expect(headers).toEqual({ total: 7, etag: '"1"' });
  });

  it('as a failure where it is no JSON', async () => {
    const { transport } = talking([text('application/json', '{')]);
    await expect(transport.call(get)).rejects.toThrow(ConnectionError);
  });

  it('as a refusal where it is none of the replies', async () => {
    const problem = { detail: 'None.', errors: [{ path: '/a', message: 'is bad' }] };
    const headers = { 'x-request-id': 'r', 'retry-after': '7' };
    const { transport } = talking([
      ...[json(problem, { status: 404, headers }), new Response('<p>', { status: 418 })],
      new Response('a', { status: 400 }),
    ]);
    const error = await transport.call(get).catch((thrown) => thrown);
    expect(error).toMatchObject({
      ...{ name: 'ApiError', operation: 'getIt', status: 404, problem, requestId: 'r' },
      ...{ retryAfter: 7, message: 'getIt was answered with 404: None. /a is bad' },
    });
    const other = await transport.call(get).catch((thrown) => thrown);
    expect(other).toMatchObject({ problem: undefined, message: 'getIt was answered with 418' });
    expect(other).toMatchObject({ requestId: undefined, retryAfter: undefined });
    await expect(transport.call({ ...get, replies: { default: 'text' } })).rejects.toThrow('400');
  });
});

describe('what fails', () => {
  it.each([
    [{ title: 'T' }, ': T'],
    [{ title: 'T', detail: 'D' }, ': D'],
    [{ errors: 7 }, ''],
    [
      {
        errors: [
          { path: 'a', message: 'b' },
          { path: 'c', message: 'd' },
        ],
      },
      ': a b, c d',
    ],
    [null, ''],
  ])('is told in words: %j', (problem, words) => {
    const error = new ApiError('a', 400, problem, new Headers());
    expect(error.message).toBe(`a was answered with 400${words}`);
  });

  it('has a reason, however deep it is', () => {
    const deep = new TypeError('fetch failed', { cause: new Error('refused') });
    expect(new ConnectionError('a', deep)).toMatchObject({
      message: 'a got no answer: refused',
      cause: deep,
      status: undefined,
      operation: 'a',
    });
    const silent = new TypeError('fetch failed', { cause: new Error('') });
    expect(new ConnectionError('a', silent).message).toBe('a got no answer: fetch failed');
    expect(new ConnectionError('a', new Error('b')).message).toBe('a got no answer: b');
    expect(new ConnectionError('a', 'c').message).toBe('a got no answer: c');
    expect(new TimeoutError('a', 5)).toMatchObject({
      name: 'TimeoutError',
      milliseconds: 5,
      message: 'a got no answer: none within 5 ms',
    });
  });

  it('is a value for those who ask for the result, where the contract has it', async () => {
    const { transport } = talking(
      [json(1), status(404), status(500), status(400), new Error('gone')],
      { retries: 0 },
    );
    const result = () => transport.call(get).result();
    expect(await result()).toEqual({ ok: true, data: 1 });
    expect(await result()).toMatchObject({ ok: false, error: { status: 404 } });
    expect(await result()).toMatchObject({ ok: false, error: { status: 500 } });
    await expect(result()).rejects.toThrow('400');
    expect(await result()).toMatchObject({ ok: false, error: { name: 'ConnectionError' } });
    const any = talking([status(400)]).transport.call({ ...get, refusals: ['default'] });
    expect(await any.result()).toMatchObject({ ok: false, error: { status: 400 } });
  });

  it('is out of time, or ended by the caller', async () => {
    const never = ({ init }: Sent) =>
      new Promise<Response>((_, reject) => {
        if (init.signal?.aborted) reject(init.signal.reason);
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const late = talking([never, never], { timeout: 60_000, retries: 0 });
    await expect(late.transport.call(get, { options: { timeout: 1 } })).rejects.toThrow(
      new TimeoutError('getIt', 1),
    );
    const cancel = new AbortController();
    const call = late.transport.call(get, { options: { signal: cancel.signal } });
    const enough = new Error('enough');
    cancel.abort(enough);
    await expect(call).rejects.toBe(enough);
    await expect(late.transport.call(get, { options: { signal: cancel.signal } })).rejects.toBe(
      enough,
    );
    expect(late.sent.length).toBe(2);
    // Whichever comes first, where there are both.
    const { signal } = new AbortController();
    const both = talking([never], { retries: 0 });
    await expect(both.transport.call(get, { options: { signal, timeout: 1 } })).rejects.toThrow(
      new TimeoutError('getIt', 1),
    );
  });
});

describe('a request is sent again', () => {
  it('three times unless told otherwise', async () => {
    const busy = () => Array.from({ length: 9 }, () => status(503, soon));
    const count = async (client: object, options: object) => {
      const { transport, sent } = talking(busy(), client);
      await expect(transport.call(get, { options })).rejects.toThrow('503');
      return sent.length;
    };
    expect(await count({}, {})).toBe(4);
    expect(await count({ retries: 1 }, {})).toBe(2);
    expect(await count({ retries: 1 }, { retries: 0 })).toBe(1);
    expect(await count({ retries: 1 }, { retries: undefined })).toBe(2);
    expect(await count({ maxDelay: -1 }, {})).toBe(1);
  });

  it('after no answer, with what it was answered at last', async () => {
    const { transport, sent } = talking([status(504, soon), status(408, soon), json(7)]);
    expect(await transport.call(get)).toBe(7);
    expect(sent.length).toBe(3);
    const lost = talking([new Error('a'), new Error('b')], { retries: 1 });
    await expect(lost.transport.call(get)).rejects.toThrow('getIt got no answer: b');
  });

  it('and a delete that was carried out unheard is done', async () => {
    const remove: Operation = { ...get, method: 'DELETE', replies: { 204: 'nothing' } };
    const { transport } = talking([status(502, soon), status(404)]);
    expect(await transport.call(remove).withResponse()).toMatchObject({
      status: 404,
      data: undefined,
    });
    await expect(talking([status(503, soon), status(404)]).transport.call(remove)).rejects.toThrow(
      '404',
    );
    await expect(talking([status(502, soon), status(404)]).transport.call(get)).rejects.toThrow(
      '404',
    );
    await expect(talking([status(502, soon), status(410)]).transport.call(remove)).rejects.toThrow(
      '410',
    );
  });

  it('and with a key, while its twin is on its way', async () => {
    const post: Operation = {
      ...get,
      method: 'POST',
      parameters: [
        { key: 'k', name: 'Idempotency-Key', in: 'header', style: 'simple', explode: false },
      ],
    };
    const { transport, sent } = talking([status(504, soon), status(409, soon), json(1)]);
    expect(await transport.call(post)).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    await expect(talking([status(409)]).transport.call(post)).rejects.toThrow('409');
  });

  it('after a while that grows, and has an end', () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(1);
    const delay = (attempt: number, most = 60_000) =>
      delayBefore('any', { kind: 'lost' }, { attempt, mayHaveHappened: false }, most);
    expect([1, 2, 3, 6, 7, 20].map((each) => delay(each))).toEqual([
      200, 400, 800, 6400, 8000, 8000,
    ]);
    expect([delay(1, 200), delay(1, 199)]).toEqual([200, undefined]);
    random.mockReturnValue(0.5);
    expect(delay(1)).toBe(100);
    random.mockRestore();
  });

  it.each([
    [408, 'any', true],
    [408, 'versioned', false],
    [429, 'versioned', true],
    [502, 'any', true],
    [502, 'versioned', false],
    [503, 'versioned', true],
    [504, 'keyed', true],
    [505, 'any', false],
    [200, 'any', false],
  ] as const)('%i of one that is %s: %s', (code, repeatable, isSent) => {
    const outcome = { kind: 'answered', status: code, retryAfter: null } as const;
    const progress = { attempt: 1, mayHaveHappened: true };
    expect(delayBefore(repeatable, outcome, progress, 60_000) !== undefined).toBe(isSent);
    expect(isUncertain(outcome)).toBe([408, 502, 504].includes(code));
  });

  it('unless its caller ends the pause', async () => {
    const cancel = new AbortController();
    fakeTimers();
    const waiting = pause(1_000_000, cancel.signal);
    cancel.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(pause(1_000_000, cancel.signal)).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
    realTime();
    const later = new AbortController();
    const removed = vi.spyOn(later.signal, 'removeEventListener');
    await pause(0, later.signal);
    expect(removed).toHaveBeenCalledOnce();
    await pause(0, undefined);
  });
});

it('a client says once that the contracts are others', async () => {
  const told: string[] = [];
  const other = () => json(1, { headers: { 'contract-digest': 'other' } });
  const { transport } = talking(
    [json(1), json(1, { headers: { 'contract-digest': 'd' } }), other(), other()],
    {
      onWarning: (line: string) => told.push(line),
    },
  );
  for (let i = 0; i < 2; i++) await transport.call(get);
  expect(told).toEqual([]);
  for (let i = 0; i < 2; i++) await transport.call(get);
  expect(told).toEqual([
    "The server's contracts (other) are not those that sky/1 was made from (d): some answers may not be as their types say.",
  ]);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await talking([other()]).transport.call(get);
  expect(warn).toHaveBeenCalledOnce();
  warn.mockRestore();
});
