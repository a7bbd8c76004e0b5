import { describe, expect, it } from 'vitest';
import { useEndpoints } from '../../support/graphql-endpoints.ts';

const { ask, get, send, toldTo, told, server } = useEndpoints();
const only = 'text/event-stream';
const also = 'text/event-stream, application/json';
const stream = 'text/event-stream; charset=utf-8';
const json = 'application/json';

const next = (result: string) => `event: next\ndata: ${result}\n\n`;
const complete = 'event: complete\ndata:\n\n';
const single = (result: string) => next(result) + complete;
const ticks = `:\n\n${next('{"data":{"ticks":0}}')}${next('{"data":{"ticks":1}}')}${complete}`;
const byPost = /A mutation is sent by POST/;

describe.each(['events', 'slowEvents'])('An operation (%s)', (api) => {
  it.each([
    ['POST', only, '{ a }', 200, stream, single('{"data":{"a":1}}')],
    ['POST', only, 'mutation { add }', 200, stream, single('{"data":{"add":3}}')],
    ['POST', only, 'subscription { ticks }', 200, stream, ticks],
    [
      'POST',
      only,
      '{ nope }',
      200,
      stream,
      /^event: next\ndata: \{"errors":\[.*GRAPHQL_VALIDATION_FAILED.*\n\nevent: complete\ndata:\n\n$/,
    ],
    ['POST', also, '{ a }', 200, json, '{"data":{"a":1}}'],
    ['POST', also, 'mutation { add }', 200, json, '{"data":{"add":3}}'],
    ['POST', also, 'subscription { ticks }', 200, stream, ticks],
    ['POST', also, '{ nope }', 200, json, /GRAPHQL_VALIDATION_FAILED/],
    ['GET', only, '{ a }', 200, stream, single('{"data":{"a":1}}')],
    ['GET', only, 'mutation { add }', 405, json, byPost],
    ['GET', only, 'subscription { ticks }', 200, stream, ticks],
    ['GET', also, '{ a }', 200, json, '{"data":{"a":1}}'],
    ['GET', also, 'mutation { add }', 405, json, byPost],
    ['GET', json, 'mutation { add }', 405, json, byPost],
    ['GET', also, 'subscription { ticks }', 200, stream, ticks],
    [
      'GET',
      json,
      'subscription { ticks }',
      406,
      json,
      /A subscription is answered as text\/event-stream/,
    ],
    [
      'POST',
      json,
      'subscription { ticks }',
      406,
      json,
      /A subscription is answered as text\/event-stream/,
    ],
    [
      'POST',
      undefined,
      'subscription { ticks }',
      406,
      json,
      /A subscription is answered as text\/event-stream/,
    ],
    ['HEAD', only, '{ a }', 200, json, ''],
    ['HEAD', only, 'subscription { ticks }', 406, json, ''],
  ])('by %s for Accept %s: %s', async (method, accept, query, status, type, expected) => {
    const asked = { api, accept };
    const found =
      method === 'POST' ? await ask(query, asked) : await get(query, { ...asked, method });
    expect(found).toMatchObject({ status, type });
    if (typeof expected === 'string') expect(found.text).toBe(expected);
    else expect(found.text).toMatch(expected);
    if (type === stream) {
      expect(found.headers).toMatchObject({
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      });
    }
    if (status === 405) {
      expect(found.headers).toMatchObject({ allow: 'POST', vary: 'Accept' });
      expect(toldTo('executed')).toEqual([]);
    }
  });

  it.each([
    '{}',
    '{"query":1}',
    '{"query":"query A { a } query B { a }"}',
    '{"query":"{ a }","operationName":"C"}',
  ])('is none, and no stream: %s', async (body) => {
    const found = await send(body, { api, accept: only });
    expect(found).toMatchObject({ type: json });
    expect(found.text).toMatch(/"code":"BAD_/);
    expect(toldTo('executed')).toEqual([]);
  });

  it('may have a name, variables and errors', async () => {
    const query = 'query A { a } subscription B($to: Int) { few: ticks(to: $to) }';
    const named = { operationName: 'B', variables: { to: 1 } };
    const found = await ask(query, { api, accept: only }, named);
    expect(found.text).toBe(`:\n\n${next('{"data":{"few":0}}')}${complete}`);
    const wrong = await ask(query, { api, accept: only }, { ...named, variables: { to: 'x' } });
    expect(wrong.text).toMatch(
      /^event: next\ndata: \{"errors":\[.*"code":"BAD_USER_INPUT".*complete\ndata:\n\n$/s,
    );
  });

  it('whose source fails ends with the failure, at the field that was asked for', async () => {
    for (const [query, path] of [
      ['subscription { broken }', 'broken'],
      ['subscription { it: broken }', 'it'],
    ]) {
      told.length = 0;
      const found = await ask(query, { api, accept: only });
      const failure = {
        errors: [
          {
            message: 'Internal server error',
            locations: [{ line: 1, column: 16 }],
            path: [path],
            extensions: { code: 'INTERNAL_SERVER_ERROR' },
          },
        ],
        data: null,
      };
      expect(found.text).toBe(
        `:\n\n${next(`{"data":{"${path}":1}}`)}${next(JSON.stringify(failure))}${complete}`,
      );
      expect(toldTo('failure').map(([cause]) => String(cause))).toEqual(['Error: the source']);
    }
  });

  it('ends with the first value that cannot be written', async () => {
    const { text } = await ask('subscription { unreadable }', { api, accept: only });
    expect(text.match(/event: next/g)).toHaveLength(1);
    expect(text).toContain('"code":"INTERNAL_SERVER_ERROR"');
    expect(text).toMatch(/event: complete\ndata:\n\n$/);
  });

  it('whose source fails in a fragment names no field', async () => {
    const query = 'subscription { ...F } fragment F on Subscription { broken }';
    const { text } = await ask(query, { api, accept: only });
    expect(text).toContain(next('{"data":{"broken":1}}'));
    expect(text).toContain('"code":"INTERNAL_SERVER_ERROR"');
    expect(text).not.toContain('"F"');
  });

  it('is told to the metrics, each event for itself', async () => {
    await ask('subscription { ticks }', { api, accept: only });
    expect(toldTo('executed')).toEqual([
      ['subscription', 1],
      ['subscription', 1],
    ]);
    expect(toldTo('query')).toEqual([]);
    told.length = 0;
    await ask('{ a }', { api, accept: only });
    expect([toldTo('executed'), toldTo('query')]).toEqual([[['query', 1]], [[]]]);
  });
});

it('A subscription for which there is no place is 503, a query is not', async () => {
  const found = await ask('subscription { ticks }', { api: 'few', accept: only });
  expect(found).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(JSON.parse(found.text)).toEqual({
    errors: [
      {
        message: 'The server cannot answer now; try again later.',
        extensions: { code: 'UNAVAILABLE' },
      },
    ],
  });
  expect((await ask('{ a }', { api: 'few', accept: only })).text).toBe(single('{"data":{"a":1}}'));
});

it('Without subscriptions nothing is a stream', async () => {
  for (const api of ['plain', 'slow']) {
    expect(await ask('{ a }', { api, accept: only })).toMatchObject({ status: 406, type: json });
    expect(await ask('{ a }', { api, accept: also })).toMatchObject({ status: 200, type: json });
  }
});

it('A stream leaves nothing at the connection that it came by', async () => {
  const counts: number[] = [];
  server.on('request', ({ socket }) => counts.push(socket.listenerCount('end')));
  for (let i = 0; i < 8; i++) await ask('{ a }', { api: 'events', accept: only });
  expect(counts).toHaveLength(8);
  // The last one may not be closed yet when the next begins.
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(2);
});
