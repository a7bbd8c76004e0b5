import type { FinishedExchange } from '../http/exchange.ts';
import { createHistogram, createNumbers, type Family, remembered } from './counters.ts';
import { createProcessMetrics } from './process-metrics.ts';

/** What the server counts, at the price of a few additions to each request. */
export type Metrics = {
  /** An exchange is over. */
  exchange(exchange: FinishedExchange): void;
  /** The store has run a statement. */
  statement(kind: 'read' | 'write', ms: number): void;
  /** A cache was asked; `cache` is a name out of the program's own. */
  cache(cache: string, isHit: boolean): void;
  /** A GraphQL operation of this kind was executed. */
  executed(kind: string, fields: number): void;
  /** A response was held against the contract. */
  checked(operation: string, violations: number): void;
  /** Something that only observes has failed; its name is out of the program's own. */
  failed(observer: string): void;
  /** All of it, as it is now. */
  families(): Family[];
  stop(): void;
};

const milliseconds = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];
const seconds = milliseconds.map((each) => each / 1000);
// SQLite answers within some ten microseconds.
const shorter = [0.000025, 0.00005, 0.0001, ...seconds];

/**
 * `deprecatedUse` has how often each deprecated part of the GraphQL schema was used, `linesLost` how many
 * lines of the log could not be written.
 */
export function createMetrics(
  about: { readonly version: string; readonly digest: string },
  deprecatedUse: ReadonlyMap<string, number>,
  linesLost = () => 0,
): Metrics {
  const counter = (name: string, help: string) => createNumbers(name, help, 'counter');
  const requests = counter(
    'accord_requests_total',
    'Requests that are over, by operation and status.',
  );
  const durations = createHistogram(
    'accord_request_duration_seconds',
    'From the moment a request has its turn until its answer is sent.',
    seconds,
  );
  const statements = createHistogram(
    'accord_store_duration_seconds',
    'From a statement to its rows; a write is then on disk.',
    shorter,
  );
  const caches = counter('accord_cache_requests_total', 'What caches were asked for.');
  const operations = counter('accord_graphql_operations_total', 'Executed GraphQL operations.');
  const fields = counter('accord_graphql_fields_total', 'Fields in the answers of GraphQL.');
  const checks = counter(
    'accord_responses_checked_total',
    'Responses that were held against the contract, a sample of all.',
  );
  const violations = counter(
    'accord_contract_violations_total',
    'Responses of that sample that break the contract.',
  );
  const failures = counter(
    'accord_observer_failures_total',
    'Failures of what only observes: they fail no request.',
  );
  const info = createNumbers('accord_info', 'Which server and contracts these are.', 'gauge');
  info.cell(about).value = 1;
  const running = createProcessMetrics();

  // Every label is out of a bounded set, so these stay small whatever clients send.
  const ofOperation = remembered((operation: string) => ({
    statuses: remembered((status: FinishedExchange['status']) =>
      requests.cell({ operation, status }),
    ),
    observe: durations.observer({ operation }),
  }));
  const ofKind = remembered((kind: string) => statements.observer({ kind }));
  const hits = remembered((cache: string) => caches.cell({ cache, result: 'hit' }));
  const misses = remembered((cache: string) => caches.cell({ cache, result: 'miss' }));
  const executed = remembered((kind: string) => ({
    operations: operations.cell({ kind }),
    fields: fields.cell({ kind }),
  }));
  const checked = remembered((operation: string) => ({
    all: checks.cell({ operation }),
    broken: violations.cell({ operation }),
  }));
  const failed = remembered((observer: string) => failures.cell({ observer }));

  return {
    exchange({ operation, status, ms }) {
      const { statuses, observe } = ofOperation(operation);
      statuses(status).value++;
      observe(ms / 1000);
    },
    statement: (kind, ms) => ofKind(kind)(ms / 1000),
    cache(cache, isHit) {
      (isHit ? hits : misses)(cache).value++;
    },
    executed(kind, count) {
      const cells = executed(kind);
      cells.operations.value++;
      cells.fields.value += count;
    },
    checked(operation, found) {
      const cells = checked(operation);
      cells.all.value++;
      if (found > 0) cells.broken.value++;
    },
    failed: (observer) => {
      failed(observer).value++;
    },
    families: () => [
      ...[info, requests, durations, statements, caches, operations, fields].map((each) =>
        each.family(),
      ),
      deprecated(deprecatedUse),
      checks.family(),
      violations.family(),
      failures.family(),
      logLinesLost(linesLost()),
      ...running.families(),
    ],
    stop: running.stop,
  };
}

function deprecated(use: ReadonlyMap<string, number>): Family {
  return {
    name: 'accord_graphql_deprecated_use_total',
    help: 'Executed operations that use a deprecated part of the GraphQL schema.',
    type: 'counter',
    aggregator: 'sum',
    values: [...use].map(([part, value]) => ({ labels: { part }, value })),
  };
}

function logLinesLost(value: number): Family {
  return {
    name: 'accord_log_lines_lost_total',
    help: 'Lines of the log that could not be written.',
    type: 'counter',
    aggregator: 'sum',
    values: [{ labels: {}, value }],
  };
}
