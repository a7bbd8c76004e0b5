import { createCounter, createHistogram, type Family, family } from './counters.ts';
import type { ExchangeEnd } from './exchange-end.ts';
import { createProcessMetrics } from './process-metrics.ts';

const milliseconds = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];
const seconds = milliseconds.map((each) => each / 1000);
// SQLite answers within some ten microseconds.
const shorter = [0.000025, 0.00005, 0.0001, ...seconds];

/**
 * What the server counts. `deprecatedUse` has the uses of each deprecated part of the GraphQL schema, `linesLost` gives
 * the number of log lines that could not be written.
 */
export function createMetrics(
  about: { readonly version: string; readonly digest: string },
  deprecatedUse: ReadonlyMap<string, number>,
  linesLost = () => 0,
) {
  const requests = createCounter(
    'accord_requests_total',
    'Requests that are over, by operation and status.',
    'operation',
    'status',
  );
  const durations = createHistogram(
    'accord_request_duration_seconds',
    'From the moment a request has its turn until its answer is sent.',
    'operation',
    seconds,
  );
  const statements = createHistogram(
    'accord_store_duration_seconds',
    'From a statement to its rows; a write is then on disk.',
    'kind',
    shorter,
  );
  const reads = createCounter(
    'accord_store_reads_total',
    'Statements that read, by the server of PostgreSQL that answered, where there are replicas.',
    'from',
  );
  const caches = createCounter(
    'accord_cache_requests_total',
    'What caches were asked for.',
    'cache',
    'result',
  );
  const operations = createCounter(
    'accord_graphql_operations_total',
    'Executed GraphQL operations.',
    'kind',
  );
  const fields = createCounter(
    'accord_graphql_fields_total',
    'Fields in the answers of GraphQL.',
    'kind',
  );
  const checks = createCounter(
    'accord_responses_checked_total',
    'Responses that were held against the contract, a sample of all.',
    'operation',
  );
  const violations = createCounter(
    'accord_contract_violations_total',
    'Responses of that sample that break the contract.',
    'operation',
  );
  const deprecated = createCounter(
    'accord_rest_deprecated_use_total',
    'Requests to operations that are deprecated.',
    'operation',
  );
  const failures = createCounter(
    'accord_observer_failures_total',
    'Failures of what only observes: they fail no request.',
    'observer',
  );
  const running = createProcessMetrics();
  return {
    exchange({ operation, status, ms }: ExchangeEnd) {
      requests.add(1, operation, status);
      durations.observe(ms / 1000, operation);
    },
    statement: (kind: 'read' | 'write', ms: number) => statements.observe(ms / 1000, kind),
    read: (from: 'replica' | 'writer') => reads.add(1, from),
    cache: (cache: string, isHit: boolean) => caches.add(1, cache, isHit ? 'hit' : 'miss'),
    /** A GraphQL operation was executed. */
    executed(kind: string, count: number) {
      operations.add(1, kind);
      fields.add(count, kind);
    },
    /** A reply was checked against the contract. */
    checked(operation: string, found: number) {
      checks.add(1, operation);
      violations.add(found > 0 ? 1 : 0, operation);
    },
    /** A request to a deprecated operation is over. */
    deprecated: (operation: string) => deprecated.add(1, operation),
    failed: (observer: string) => failures.add(1, observer),
    families: (): Family[] => [
      family('gauge', 'accord_info', 'Which server and contracts these are.', [
        { labels: about, value: 1 },
      ]),
      ...[requests, durations, statements, reads, caches, operations, fields].map((each) =>
        each.family(),
      ),
      family(
        'counter',
        'accord_graphql_deprecated_use_total',
        'Executed operations that use a deprecated part of the GraphQL schema.',
        [...deprecatedUse].map(([part, value]) => ({ labels: { part }, value })),
      ),
      ...[deprecated, checks, violations, failures].map((each) => each.family()),
      family(
        'counter',
        'accord_log_lines_lost_total',
        'Lines of the log that could not be written.',
        linesLost(),
      ),
      ...running.families(),
    ],
    stop: running.stop,
  };
}
