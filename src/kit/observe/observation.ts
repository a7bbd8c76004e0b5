import type { Contract } from '../contract/contract.ts';
import type { Tap } from '../http/exchange.ts';
import type { OnTimed } from '../store/store-options.ts';
import { createExposition } from './cluster-metrics.ts';
import { endOf } from './exchange-end.ts';
import { createGuard, type Guard } from './guard.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createSample } from './response-sample.ts';
import type { Traces } from './traces.ts';

/** Log, metrics, traces and the response sample. */
export type Observation = {
  readonly taps: readonly Tap[];
  readonly guard: Guard;
  /** Answers within a trace span; undefined where traces are off. */
  readonly within: Traces['within'] | undefined;
  readonly onTimed: OnTimed;
  onRead(from: 'replica' | 'writer'): void;
  onExecuted(kind: string, fields: number): void;
  onDeprecated(part: string): void;
  onCache(cache: string, isHit: boolean): void;
  /** How often each deprecated part of the GraphQL schema was used, as `Type.field`. */
  readonly deprecatedUse: ReadonlyMap<string, number>;
  /** The metrics of all processes, as text for Prometheus. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
};

type Parts = {
  readonly contract: Contract;
  readonly digest: string;
  readonly log: Log;
  readonly settings: {
    /** Which share of the replies is checked against the contract. */
    readonly responseSample: number;
    /** The address of a collector that takes traces. */
    readonly otlpEndpoint?: string | undefined;
  };
};

export async function createObservation(parts: Parts): Promise<Observation> {
  const { contract, digest, log, settings } = parts;
  const { version } = contract.document.info;
  const deprecatedUse = new Map<string, number>();
  const metrics = createMetrics({ version, digest }, deprecatedUse, log.lost);
  const traces = await loadTraces(settings.otlpEndpoint, version, log);
  const guard = createGuard((observer, cause) => {
    metrics.failed(observer);
    log.failure(`The observer ${observer}`, cause);
  });
  const record: Tap = (exchange, outcome) => {
    const end = endOf(exchange, outcome);
    metrics.exchange(end);
    if (exchange.operation?.deprecated) metrics.deprecated(exchange.operation.id);
    log.request?.(exchange, end);
    traces?.end(exchange, end);
  };
  const sample = createSample(contract, settings.responseSample, (operation, id, found) => {
    metrics.checked(operation, found.length);
    if (found.length > 0) log.failure(`The contract of ${operation}`, found.join('; '), id);
  });
  return {
    taps: [guard('exchange', record), guard('sample', sample)],
    guard,
    deprecatedUse,
    onTimed: guard('statement', (kind, start, ms) => {
      metrics.statement(kind, ms);
      traces?.statement(kind, start, ms);
    }),
    within: traces?.within,
    onRead: guard('statement', metrics.read),
    onExecuted: guard('graphql', metrics.executed),
    onDeprecated: guard('deprecated', (part) => {
      deprecatedUse.set(part, (deprecatedUse.get(part) ?? 0) + 1);
    }),
    onCache: guard('cache', metrics.cache),
    metrics: createExposition(metrics.families, guard),
    async stop() {
      metrics.stop();
      await traces?.stop();
    },
  };
}

/** OpenTelemetry's SDK is loaded only where it is used. */
async function loadTraces(endpoint: string | undefined, version: string, log: Log) {
  if (!endpoint) return undefined;
  const { startTraces } = await import('./traces.ts');
  return startTraces(endpoint, version, (cause) => log.failure('The export of traces', cause));
}
