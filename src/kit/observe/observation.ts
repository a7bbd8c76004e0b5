import type { RequestListener } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import type { Noted } from '../http/exchange.ts';
import type { OnTimed } from '../store/store.ts';
import { createGather } from './cluster-metrics.ts';
import { createWatch, type OnEnd, type Watch } from './exchange-log.ts';
import { exposition } from './exposition.ts';
import { createGuard, type Guard } from './guard.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createSample } from './response-sample.ts';
import type { Traces } from './traces.ts';

/** The server as those who run it see it. */
export type Observation = {
  readonly watch: Watch;
  /** Looks closer at some exchanges; undefined where that is not wanted. */
  readonly sample: RequestListener | undefined;
  /** Lets somebody else look at exchanges. */
  readonly guard: Guard;
  /** Answers a request within a span; undefined where nobody wants to see it. */
  readonly within: Traces['within'] | undefined;
  readonly onTimed: OnTimed;
  onExecuted(request: Noted, executed: Executed): void;
  onDeprecated(part: string): void;
  /** A cache was asked; its name is out of the program's own. */
  onCache(cache: string, isHit: boolean): void;
  /** How often each deprecated part of the GraphQL schema was used, as `Type.field`. */
  readonly deprecatedUse: ReadonlyMap<string, number>;
  /** What is counted, of all processes, as text for Prometheus. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
};

type Executed = {
  readonly kind: string;
  readonly name: string | undefined;
  readonly fields: number;
};

type Parts = {
  readonly contract: Contract;
  readonly digest: string;
  readonly log: Log;
  /** Which share of the responses is held against the contract. */
  readonly share: number;
  readonly traces?: Traces | undefined;
};

export function createObservation(parts: Parts): Observation {
  const { contract, digest, log, share, traces } = parts;
  const { version } = contract.document.info;
  const deprecatedUse = new Map<string, number>();
  const metrics = createMetrics({ version, digest }, deprecatedUse, log.lost);
  const guard = createGuard((observer, cause) => {
    metrics.failed(observer);
    log.failure(`The observer ${observer}`, cause);
  });
  const gather = createGather(metrics.families, guard);
  const onEnd: OnEnd = (exchange, request) => {
    metrics.exchange(exchange);
    log.request?.(exchange);
    if (traces && request) traces.end(exchange, request);
  };
  const watch = createWatch(contract.routes, guard.quiet('exchange', onEnd));
  const sample = createSample(contract, share, (operation, id, found) => {
    metrics.checked(operation, found.length);
    if (found.length > 0) log.failure(`The contract of ${operation}`, found.join('; '), id);
  });
  return {
    watch,
    guard,
    sample: sample && guard.observer('sample', sample),
    deprecatedUse,
    onTimed: guard.quiet('statement', (kind, start, ms) => {
      metrics.statement(kind, ms);
      traces?.statement(kind, start, ms);
    }),
    within: traces?.within,
    onExecuted: guard.quiet('graphql', (request, { kind, name, fields }) => {
      request.graphql = name;
      metrics.executed(kind, fields);
    }),
    onDeprecated: guard.quiet('deprecated', (part) => {
      deprecatedUse.set(part, (deprecatedUse.get(part) ?? 0) + 1);
    }),
    onCache: guard.quiet('cache', metrics.cache),
    metrics: async () => exposition(await gather()),
    async stop() {
      metrics.stop();
      await traces?.stop();
    },
  };
}
