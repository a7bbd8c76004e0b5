// engines: sqlite
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyFeature, featureResolvers, scalars } from '../../support/every-feature.ts';
import { serveGraphql } from '../../support/graphql-server.ts';

type Server = Awaited<ReturnType<typeof serveGraphql>>;

const sources = { given: 0, open: 0 };
const serve = (env: Readonly<Record<string, string>>) =>
  serveGraphql(everyFeature, featureResolvers(sources), { scalars, env });
let server: Server;
beforeAll(async () => {
  server = await serve({ GRAPHQL_GET: 'on', GRAPHQL_SUBSCRIPTIONS: '20', MAX_IN_FLIGHT: '100' });
});
afterAll(() => server.stop());

const stream = 'text/event-stream';

function post(query: string, { accept = stream, on = server, signal }: Options = {}) {
  return fetch(`${on.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query }),
    ...(signal && { signal }),
  });
}
type Options = {
  readonly accept?: string;
  readonly on?: Server;
  readonly signal?: AbortSignal;
};

/** The events of a whole stream, without pings. */
async function events(query: string, options?: Options): Promise<string[]> {
  const text = await (await post(query, options)).text();
  return text.split('\n\n').filter((each) => each !== '' && each !== ':');
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

describe('a subscription', () => {
  it('is an event for each result, and one at the end', async () => {
    const response = await post('subscription { count(to: 2) }');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe(
      ':\n\nevent: next\ndata: {"data":{"count":0}}\n\nevent: next\ndata: {"data":{"count":1}}\n\nevent: complete\ndata:\n\n',
    );
  });

  it('may be read with the client of graphql-sse', async () => {
    const client = createClient({ url: `${server.url}/graphql`, retryAttempts: 0 });
    const query = 'subscription { sightings { ... on Vessel { name } ... on Ship { tonnage } } }';
    const results: unknown[] = [];
    for await (const result of client.iterate({ query })) results.push(result.data);
    expect(results).toEqual([
      { sightings: { name: 'Vasa', tonnage: 12345678901234567000 } },
      { sightings: { name: 'Kon-Tiki' } },
      { sightings: {} },
    ]);
    client.dispose();
  });

  it('may come by GET, as EventSource sends it', async () => {
    const query = encodeURIComponent('subscription { count(to: 1) }');
    const response = await fetch(`${server.url}/graphql?query=${query}`, {
      headers: { accept: stream },
    });
    expect(await response.text()).toContain('{"count":0}');
  });

  it('is answered as events where its client takes JSON as well, and a query then as JSON', async () => {
    const accept = 'application/graphql-response+json, application/json, text/event-stream';
    expect(await events('subscription { count(to: 1) }', { accept })).toHaveLength(2);
    const response = await post('{ plain }', { accept });
    expect(response.headers.get('content-type')).toBe('application/graphql-response+json');
    expect(await response.json()).toEqual({ data: { plain: 'TWO' } });
  });

  it.each(['application/json', '*/*', 'application/graphql-response+json'])(
    'is not acceptable as %s',
    async (accept) => {
      const response = await post('subscription { count(to: 1) }', { accept });
      expect(response.status).toBe(406);
      expect(await response.text()).toContain('A subscription is answered as text/event-stream');
    },
  );

  it.each([
    [
      'a query',
      '{ plain }',
      ['event: next\ndata: {"data":{"plain":"TWO"}}', 'event: complete\ndata:'],
    ],
    [
      'a document that is not valid',
      'subscription { nope }',
      [/GRAPHQL_VALIDATION_FAILED/, /complete/],
    ],
    [
      'a document with two fields',
      'subscription { silent refused }',
      [/must select only one/, /complete/],
    ],
    ['a document that does not parse', 'subscription {', [/GRAPHQL_PARSE_FAILED/, /complete/]],
    [
      'an argument out of bounds',
      'subscription { count(to: -1) }',
      [/BAD_USER_INPUT.*|Argument \\"to\\" must be 0 to 1000000/, /complete/],
    ],
    [
      'a source that cannot start',
      'subscription { refused }',
      [/INTERNAL_SERVER_ERROR/, /complete/],
    ],
    [
      'a source that throws',
      'subscription { broken(after: 1) }',
      [/"broken":0/, /INTERNAL_SERVER_ERROR/, /complete/],
    ],
  ])('stream may be %s', async (_, query, expected) => {
    const found = await events(query);
    expect(found).toHaveLength(expected.length);
    expected.forEach((each, i) => {
      if (typeof each === 'string') expect(found[i]).toBe(each);
      else expect(found[i]).toMatch(each);
    });
    expect(found.join()).not.toContain('the secret');
  });

  it('that fails is logged with its cause', () => {
    expect(server.failures.join()).toContain('the secret of the source');
    expect(server.failures.join()).toContain('the secret of the start');
  });

  it.each(['{}', '[]', 'null', '{"query":1}', '{"query":"{ plain }","variables":1}'])(
    'is no stream where %s is no GraphQL request',
    async (body) => {
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: stream },
        body,
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        400,
        'application/json',
      ]);
    },
  );
});

describe('subscriptions are bounded', () => {
  it('in number: one more is 503, and a place is free when a client has gone', async () => {
    const gone = new AbortController();
    const ask = () => post('subscription { silent }', { signal: gone.signal });
    const open = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await Promise.all(
      Array.from({ length: 500 }, () => post('subscription { silent }')),
    );
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(await refused[0]?.text()).toContain('UNAVAILABLE');
    expect((await server.graphql('{ plain }')).status).toBe(200);
    const failures = server.failures.length;
    gone.abort();
    await until(() => sources.open === 0);
    expect(server.failures.slice(failures)).toEqual([]);
    expect(await events('subscription { count(to: 1) }')).toHaveLength(2);
  });

  it('and a client that only closes its side has gone', async () => {
    const body = JSON.stringify({ query: 'subscription { silent }' });
    const socket = connect({
      port: Number(new URL(server.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAccept: ${stream}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, 'data');
    await until(() => sources.open === 1);
    socket.end();
    await until(() => sources.open === 0);
    socket.destroy();
  });

  it('by the reader: nothing is read ahead of a slow one', async () => {
    const before = sources.given;
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const body = JSON.stringify({ query: 'subscription { count(to: 1000000) }' });
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: a\r\nAccept: ${stream}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, 'readable');
    // As long as it still reads ahead into the buffers of both sockets.
    for (let last = -1; last !== sources.given; await sleep(300)) last = sources.given;
    expect(sources.given - before).toBeLessThan(900_000);
    expect((await server.graphql('{ plain }')).status).toBe(200);
    socket.destroy();
    await until(() => sources.open === 0);
  });

  it('in life, by seconds: the client is to connect again, and is not told that it is over', async () => {
    const short = await serve({ GRAPHQL_SUBSCRIPTION_LIFE: '1' });
    const start = performance.now();
    const text = await (await post('subscription { silent }', { on: short })).text();
    expect(performance.now() - start).toBeGreaterThan(990);
    expect(text).toBe(':\n\n');
    await until(() => sources.open === 0);
    await short.stop();
  });

  it('not by HEAD, which starts none', async () => {
    const query = encodeURIComponent('subscription { silent }');
    const response = await fetch(`${server.url}/graphql?query=${query}`, {
      method: 'HEAD',
      headers: { accept: stream },
    });
    expect(response.status).toBe(406);
    expect(sources.open).toBe(0);
  });
});
