import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP writes it in JSON. */
export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number };
};

/** Takes traces over HTTP as an OpenTelemetry collector does. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const resources: Readonly<Record<string, unknown>>[] = [];
  /** What has made the spans: a name and a version. */
  const scopes: unknown[] = [];
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await Array.fromAsync(request)).toString();
    const [path] = String(request.url).split('?');
    const isTraces = path === '/v1/traces' && request.method === 'POST';
    for (const { resource, scopeSpans } of isTraces ? JSON.parse(text).resourceSpans : []) {
      resources.push(named(resource.attributes));
      scopes.push(...scopeSpans.map(({ scope }: { scope: unknown }) => scope));
      for (const span of scopeSpans.flatMap((scope: { spans: unknown[] }) => scope.spans)) {
        spans.push({ ...span, attributes: named(span.attributes) });
      }
    }
    response.writeHead(isTraces ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    resources,
    scopes,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> };

function named(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
