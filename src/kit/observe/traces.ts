import { AsyncLocalStorage } from 'node:async_hooks';
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
import type { Exchange } from '../http/exchange.ts';
import type { OnTimed } from '../store/store-options.ts';
import type { ExchangeEnd } from './exchange-end.ts';
import { printable } from './log.ts';

/** Spans for OpenTelemetry. This file, and with it the SDK, is loaded only where it is used. */
export type Traces = {
  /** Answers a request within a span of its own, a child of the client's if it sent one. */
  within(exchange: Exchange, answer: () => void): void;
  end(exchange: Exchange, end: ExchangeEnd): void;
  /** A statement of the store, as a child of the request that it was run for. */
  readonly statement: OnTimed;
  stop(): Promise<void>;
};

// How many milliseconds an unreachable collector may delay the end of the process.
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
  const spans = new WeakMap<Exchange, Span>();

  function begin(exchange: Exchange): Context {
    const parent = parentOf(exchange.request.headers.traceparent);
    // The SDK's own clock differs from that of the statements.
    const options = { kind: SpanKind.SERVER, startTime: at(performance.now()) };
    const span = tracer.startSpan('request', options, parent);
    spans.set(exchange, span);
    return trace.setSpan(parent, span);
  }

  return {
    within(exchange, answer) {
      let context = ROOT_CONTEXT;
      try {
        context = begin(exchange);
      } catch (cause) {
        onFailure(cause);
      }
      current.run(context, answer);
    },
    end(exchange, { operation, status }) {
      const span = spans.get(exchange);
      if (!span) return;
      span.updateName(operation);
      span.setAttributes({
        'http.request.method': exchange.method,
        'url.path': printable(exchange.path),
        'accord.request_id': exchange.id,
        ...(exchange.graphql !== undefined && { 'graphql.operation.name': exchange.graphql }),
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
    // A failed export was logged already.
    stop: () => provider.shutdown().catch(() => {}),
  };
}

/** Where traces go; a query, which may hold a token, stays at the end. */
function tracesAddress(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

// Given `performance.now()`, the SDK converts it itself, to the millisecond only.
const at = (sinceStart: number) => performance.timeOrigin + sinceStart;

/** The client's span, from a `traceparent` of W3C Trace Context. */
function parentOf(sent: unknown): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    String(sent).match(/^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/) ?? [];
  const parent = { traceId, spanId, traceFlags: Number(`0x${flags}`) & 1, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/** Reports an unreachable collector once, until it is reachable again. */
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
