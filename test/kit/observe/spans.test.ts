// engines: sqlite
import { once } from 'node:events';
import { ClientRequest, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from '../../../src/kit/http/exchange.ts';
import { startTraces } from '../../../src/kit/observe/traces.ts';
import { type ReceivedSpan, startCollector } from '../../support/collector.ts';
import { serveContract } from '../../support/contract-server.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';

const contract = `
openapi: 3.1.0
info: { title: Spans, version: '4.5' }
paths:
  /status/{code}: { get: { operationId: answer, parameters: [{ name: code, in: path, required: true, schema: { type: integer } }], responses: { default: { description: Any. } } } }
  /endless: { get: { operationId: endless, responses: { '200': { description: One., content: { text/plain: {} } } } } }
`;
/** A body that does not end. */
function endlessText(): Readable {
  const text = new Readable({ read: () => {} });
  text.push('a');
  return text;
}

const handlers = {
  answer: ({ path }: { readonly path: Readonly<Record<string, unknown>> }) => ({
    ...{ status: Number(path.code), headers: {}, body: undefined },
  }),
  endless: () => ({
    status: 200,
    headers: {},
    type: 'text/plain',
    body: endlessText(),
  }),
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The spans of a server that was asked for all this. */
async function traced(ask: (url: string, log: readonly string[]) => Promise<void>) {
  const collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const server = await serveContract(contract, handlers, { env });
  await ask(server.url, server.log);
  await server.stop();
  await collector.stop();
  return collector;
}
const get = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { headers })).arrayBuffer();
const status = (span: ReceivedSpan | undefined) => [
  span?.attributes['http.response.status_code'],
  span?.status.code ?? 0,
];

describe('a span', () => {
  it('is an error from 500 on, and where the client has gone', async () => {
    const codes = [200, 404, 499, 500, 503];
    const { spans, resources, scopes } = await traced(async (url, log) => {
      for (const code of codes) await get(`${url}/status/${code}`);
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
      socket.resetAndDestroy();
      while (!log.some((line) => line.includes('"aborted"'))) await new Promise(setImmediate);
    });
    expect(spans.map(status)).toEqual([
      [200, 0],
      [404, 0],
      [499, 0],
      [500, 2],
      [503, 2],
      [undefined, 2],
    ]);
    expect(spans.map(({ name }) => name)).toEqual([...codes.map(() => 'answer'), 'endless']);
    expect(resources[0]).toMatchObject({ 'service.name': 'accord', 'service.version': '4.5' });
    expect(scopes[0]).toMatchObject({ name: 'accord', version: '4.5' });
  });

  it('has a path that is safe to show, no name of GraphQL where there is none, and its own time', async () => {
    const before = Date.now();
    const { spans } = await traced((url) => get(`${url}/${'x'.repeat(300)}`).then(() => undefined));
    const [span] = spans;
    expect(span?.attributes['url.path']).toBe(`/${'x'.repeat(199)}`);
    expect(span?.attributes).not.toHaveProperty('graphql.operation.name');
    const [start, end] = [span?.startTimeUnixNano, span?.endTimeUnixNano].map(
      (each) => Number(each) / 1e6,
    );
    expect(start).toBeGreaterThan(before - 1000);
    expect(end).toBeLessThan(Date.now() + 1000);
  });

  it.each([
    [`00-${traceId}-${parent}-01`, true],
    [`00-${traceId}-${parent}-03`, true],
    [`00-${traceId}-${parent}-ff`, true],
    [`00-${traceId}-${parent}-00`, undefined],
    [`00-${traceId}-${parent}-02`, undefined],
    [`01-${traceId}-${parent}-01`, false],
    [`00-${traceId}-${'0'.repeat(16)}-01`, false],
    [`00-${traceId}-${parent}-01-more`, false],
  ])('of a request with traceparent %s is its child: %s', async (traceparent, isChild) => {
    const { spans } = await traced((url) =>
      get(`${url}/status/200`, { traceparent }).then(() => undefined),
    );
    const found = spans.map((each) => each.traceId === traceId && each.parentSpanId === parent);
    expect(found).toEqual(isChild === undefined ? [] : [isChild]);
  });
});

/** A collector that answers with the statuses given, in turn, and notes where it was asked. */
async function collecting(...statuses: number[]) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    await Array.fromAsync(request);
    response
      .writeHead(statuses[asked.length] ?? 200, { 'Content-Type': 'application/json' })
      .end('{}');
    asked.push(String(request.url));
    server.emit('asked');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { server, asked, stop, url: `http://127.0.0.1:${port}` };
}
/** As much of an exchange as a span is made of. */
const exchange = (headers: object = {}) =>
  ({ request: { headers }, method: 'GET', path: '/x', id: 'i' }) as unknown as Exchange;

describe('the export of spans', () => {
  const ended = { operation: 'a', status: 200, ms: 1 } as const;

  it.each([
    ['', '/v1/traces'],
    ['/', '/v1/traces'],
    ['/base', '/base/v1/traces'],
    ['/base/', '/base/v1/traces'],
    ['/base?token=a', '/base/v1/traces?token=a'],
  ])('to an endpoint with the path %j goes to %s', async (path, target) => {
    const { asked, stop, url } = await collecting();
    const traces = startTraces(url + path, '1', () => {});
    const own = exchange();
    traces.within(own, () => traces.end(own, ended));
    await traces.stop();
    stop();
    expect(asked).toEqual([target]);
  });

  it('has the time of a request and of its statements, to the microsecond', async () => {
    const collector = await startCollector();
    const traces = startTraces(collector.url, '1', () => {});
    const own = exchange();
    let now = 1000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    traces.within(own, () => {
      traces.statement('read', 1100.5, 250.25);
      now = 1800.125;
      traces.end(own, ended);
    });
    clock.mockRestore();
    await traces.stop();
    await collector.stop();
    const times = collector.spans.map(({ name, startTimeUnixNano, endTimeUnixNano }) => {
      const sinceStart = (nano: string) => Number(nano) / 1e6 - performance.timeOrigin;
      return [name, sinceStart(startTimeUnixNano), sinceStart(endTimeUnixNano)];
    });
    const close = (ms: number) => expect.closeTo(ms, 2);
    expect(times).toEqual([
      ['store read', close(1100.5), close(1350.75)],
      ['a', close(1000), close(1800.125)],
    ]);
  });

  it('tells that a collector is away once, and again when it was there in between', async () => {
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '5');
    const { server, stop, url } = await collecting(400, 400, 200, 400);
    const failures: unknown[] = [];
    const traces = startTraces(url, '1', (cause) => failures.push(cause));
    for (let i = 0; i < 4; i++) {
      const own = exchange();
      const asked = once(server, 'asked');
      traces.within(own, () => traces.end(own, ended));
      await asked;
    }
    await traces.stop();
    stop();
    expect(failures).toEqual([expect.any(Error), expect.any(Error)]);
  });

  it('waits two seconds for a collector that takes connections and is silent, and then tells so', async () => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const timeouts = vi.spyOn(ClientRequest.prototype, 'setTimeout');
    const failures: unknown[] = [];
    const traces = startTraces(`http://127.0.0.1:${port}`, '1', (cause) => failures.push(cause));
    const own = exchange();
    traces.within(own, () => traces.end(own, ended));
    const start = performance.now();
    await traces.stop();
    // A timer may be a millisecond early.
    expect(performance.now() - start).toBeGreaterThan(1990);
    expect(timeouts.mock.calls.map(([ms]) => ms)).toEqual([2000]);
    expect(failures).toEqual([expect.any(Error)]);
    silent.close();
    silent.closeAllConnections();
  });

  it('goes on where a span cannot be begun: the request is answered, and the failure told', async () => {
    const { asked, stop, url } = await collecting();
    const failures: unknown[] = [];
    const traces = startTraces(url, '1', (cause) => failures.push(cause));
    const broken = { ...exchange(), request: undefined } as unknown as Exchange;
    let answered = 0;
    traces.within(broken, () => {
      answered += 1;
    });
    traces.end(broken, ended);
    // Outside a request.
    traces.statement('read', 0, 1);
    await traces.stop();
    stop();
    expect([answered, failures.length, asked]).toEqual([1, 1, []]);
  });
});
