// slow: starts processes
import { describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';
import { freePort } from '../../../tools/support/free-port.ts';
import { atOnce, spawnServer } from '../../../tools/support/server-process.ts';
import { startCollector } from '../../support/collector.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';

/** What a server that was asked for all this has sent to its collector, once it has stopped. */
async function traced(ask: (url: string) => Promise<void>, endpoint?: string, query = '') {
  const collector = await startCollector();
  const log: string[] = [];
  const env = {
    PORT: '0',
    ...atOnce,
    DATABASE_URL: 'sqlite::memory:',
    OTEL_EXPORTER_OTLP_ENDPOINT: (endpoint ?? collector.url) + query,
  };
  const server = await serve(api, {
    settings: readSettings(env),
    log: createLog('info', (line) => log.push(line)),
  });
  await ask(server.url);
  await server.stop();
  await collector.stop();
  return { ...collector, log };
}

async function get(url: string, headers: Record<string, string> = {}): Promise<void> {
  await (await fetch(url, { headers })).arrayBuffer();
}

describe('with a collector', () => {
  it('a request is a span with its operation and status, a child of the client’s', async () => {
    const { spans, resources } = await traced((url) =>
      get(`${url}/books/7`, {
        traceparent: `00-${traceId}-${parent}-01`,
        'x-request-id': 'asked',
      }),
    );
    const span = spans.find(({ name }) => name === 'getBook');
    expect(span).toMatchObject({
      traceId,
      parentSpanId: parent,
      kind: 2,
      attributes: {
        'http.request.method': 'GET',
        'url.path': '/books/7',
        'http.response.status_code': 404,
        'accord.request_id': 'asked',
      },
      status: {},
    });
    expect(BigInt(span?.endTimeUnixNano ?? 0)).toBeGreaterThan(
      BigInt(span?.startTimeUnixNano ?? 0),
    );
    expect(resources[0]).toMatchObject({ 'service.name': 'accord' });
  });

  it('its statements are its children, and begin and end within it', async () => {
    const { spans } = await traced(async (url) => {
      await Promise.all([get(`${url}/books/7`), get(`${url}/tasks`)]);
      await fetch(`${url}/books`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'x', pages: 1 }),
      });
    });
    const statements = spans.filter(({ name }) => name.startsWith('store '));
    expect(statements.map(({ name }) => name).sort()).toEqual([
      'store read',
      'store read',
      'store write',
    ]);
    for (const statement of statements) {
      const request = spans.find(({ spanId }) => spanId === statement.parentSpanId);
      expect(request?.traceId).toBe(statement.traceId);
      const times = [request?.startTimeUnixNano, statement.startTimeUnixNano];
      expect(times).toEqual(times.toSorted());
      const ends = [statement.endTimeUnixNano, request?.endTimeUnixNano];
      expect(ends).toEqual(ends.toSorted());
    }
    expect(new Set(statements.map(({ traceId }) => traceId)).size).toBe(3);
  });

  it.each([
    ['', 'is not there'],
    [`00-${'0'.repeat(32)}-${parent}-01`, 'is of no trace'],
    [`00-${traceId}-${parent}`, 'is cut short'],
    [`00-${traceId.toUpperCase()}-${parent}-01`, 'is in capitals'],
  ])('a parent %j that %s begins a trace of its own', async (traceparent) => {
    const { spans } = await traced((url) => get(`${url}/greet/en`, { traceparent }));
    expect(spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['getGreeting', undefined],
    ]);
  });

  it('is found at its path though its address has a query', async () => {
    const { spans } = await traced((url) => get(`${url}/greet/en`), undefined, '/?token=s3cret');
    expect(spans.map(({ name }) => name)).toEqual(['getGreeting']);
  });

  it('what the client does not want recorded is not', async () => {
    const headers = { traceparent: `00-${traceId}-${parent}-00` };
    expect((await traced((url) => get(`${url}/books`, headers))).spans).toEqual([]);
  });

  it('GraphQL has the name of its operation, and no secret is told', async () => {
    const { spans } = await traced(async (url) => {
      await get(`${url}/books?token=s3cret`);
      await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer s3cret' },
        body: JSON.stringify({ query: 'query Mine { todos { title } } # s3cret' }),
      });
    });
    const span = spans.find(({ name }) => name === 'executeGraphql');
    expect(span?.attributes).toMatchObject({ 'graphql.operation.name': 'Mine' });
    expect(JSON.stringify(spans)).not.toContain('s3cret');
  });
});

describe('with a collector that is away', () => {
  it('serves all the same, says so once, and ends', async () => {
    const { log } = await traced(
      (url) => get(`${url}/books`),
      `http://127.0.0.1:${await freePort()}`,
    );
    const failures = log.filter((line) => line.includes('The export of traces failed'));
    expect(failures.length).toBe(1);
    expect(log.join()).toContain('"operation":"listBooks"');
  });
});

describe('without a collector', () => {
  const hooks = encodeURIComponent(`
    import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) {
      if (url.includes('@opentelemetry/sdk') || url.includes('exporter-trace')) console.log('loads ' + url);
      return next(url, context);
    } });`);

  it.each([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, true],
  ])('with %j the SDK is loaded: %s', async (env, isLoaded) => {
    const options = ['--import', `data:text/javascript,${hooks}`];
    const server = spawnServer({ DATABASE_URL: 'sqlite::memory:', ...atOnce, ...env }, options);
    await get(`${await server.ready()}/books`);
    expect(server.output().includes('loads ')).toBe(isLoaded);
    server.child.kill();
    await server.ended();
  });
});
