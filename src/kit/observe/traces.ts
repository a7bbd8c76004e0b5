import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { FinishedExchange } from '../http/exchange.ts';
import type { OnTimed } from '../store/store.ts';
import { printablePath } from './printable.ts';

/** Spans for OpenTelemetry. Only where they are wanted is this file, and what it imports, loaded. */
export type Traces = {
  /** Answers a request within a span of its own, a child of the client's if it sent one. */
  within(request: IncomingMessage, answer: () => void): void;
  /** Ends the span of a request. */
  end(exchange: FinishedExchange, request: IncomingMessage): void;
  /** A statement of the store, as a child of the request that it was run for. */
  readonly statement: OnTimed;
  /** Sends what waits. */
  stop(): Promise<void>;
};

// How long a collector that does not answer may hold up the end of the process.
const PATIENCE = 2000;

/** `endpoint` is the address of a collector that speaks OTLP over HTTP. */
export function startTraces(
  endpoint: string,
  version: string,
  onFailure: (cause: unknown) => void,
): Traces {
  const exporter = telling(
    new OTLPTraceExporter({ url: tracesAddress(endpoint), timeoutMillis: PATIENCE }),
    onFailure,
  );
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'accord', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('accord', version);
  const current = new AsyncLocalStorage<Context>();
  const spans = new WeakMap<IncomingMessage, Span>();

  function begin(request: IncomingMessage): Context {
    const parent = parentOf(request.headers.traceparent);
    // Without a time the SDK takes one of its own, which is not that of the statements.
    const options = { kind: SpanKind.SERVER, startTime: at(performance.now()) };
    const span = tracer.startSpan('request', options, parent);
    spans.set(request, span);
    return trace.setSpan(parent, span);
  }

  return {
    within(request, answer) {
      let context = ROOT_CONTEXT;
      try {
        context = begin(request);
      } catch (cause) {
        onFailure(cause);
      }
      current.run(context, answer);
    },
    end({ id, operation, graphql, method, target, status }, request) {
      const span = spans.get(request);
      if (!span) return;
      span.updateName(operation);
      span.setAttributes({
        'http.request.method': method,
        'url.path': printablePath(target),
        'accord.request_id': id,
        ...(graphql !== undefined && { 'graphql.operation.name': graphql }),
        ...(status !== 'aborted' && { 'http.response.status_code': status }),
      });
      if (status === 'aborted' || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(at(performance.now()));
    },
    statement(kind, start, ms) {
      const context = current.getStore();
      if (!context) return;
      const options = { kind: SpanKind.CLIENT, startTime: at(start) };
      tracer.startSpan(`store ${kind}`, options, context).end(at(start + ms));
    },
    // What could not be sent was told already, and is no reason not to end well.
    stop: () => provider.shutdown().catch(() => {}),
  };
}

/** Where traces go; a query, which may hold a token, stays at the end. */
function tracesAddress(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

// Of a time since its start the SDK makes one of the day for each span anew, to the millisecond only.
const at = (sinceStart: number) => performance.timeOrigin + sinceStart;

/** The span that a client names as `traceparent`, in the words of W3C's Trace Context. */
function parentOf(sent: unknown): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    String(sent).match(/^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/) ?? [];
  const parent = { traceId, spanId, traceFlags: Number(`0x${flags}`) & 1, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/** Tells of a collector that is away once, until it is there again. */
function telling(exporter: SpanExporter, onFailure: (cause: unknown) => void): SpanExporter {
  let isAway = false;
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        const { code, error } = result;
        if (code !== 0 && !isAway) onFailure(error);
        isAway = code !== 0;
        onResult(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
