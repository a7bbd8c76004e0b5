// engines: sqlite
import { syncBuiltinESMExports } from 'node:module';
import performanceHooks from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createExposition } from '../../../src/kit/observe/cluster-metrics.ts';
import type { Family } from '../../../src/kit/observe/counters.ts';
import { createGuard } from '../../../src/kit/observe/guard.ts';
import { createMetrics } from '../../../src/kit/observe/metrics.ts';
import { createProcessMetrics } from '../../../src/kit/observe/process-metrics.ts';
import { serveContract } from '../../support/contract-server.ts';

const guard = createGuard((_, cause) => {
  throw cause;
});
const milliseconds = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];
const texts = [
  ...['0.00025', '0.0005', '0.001', '0.0025', '0.005', '0.01', '0.025', '0.05', '0.1', '0.25'],
  ...['0.5', '1', '2.5', '5', '10', '+Inf'],
];

/** What the server counts, as the text of its metrics. */
async function counted(act: (metrics: ReturnType<typeof createMetrics>) => void) {
  const about = { version: '1.2', digest: 'd1' };
  const metrics = createMetrics(about, new Map([['Query.old', 2]]), () => 5);
  act(metrics);
  const text = await createExposition(metrics.families, guard)();
  metrics.stop();
  return text;
}

describe('the text of the metrics', () => {
  it('names each with what it is', async () => {
    const text = await counted(() => {});
    const types = Array.from(text.matchAll(/^# TYPE (\S+) (\w+)$/gm), ([, name, type]) => [
      name,
      type,
    ]);
    expect(types).toEqual([
      ['accord_info', 'gauge'],
      ['accord_requests_total', 'counter'],
      ['accord_request_duration_seconds', 'histogram'],
      ['accord_store_duration_seconds', 'histogram'],
      ['accord_store_reads_total', 'counter'],
      ['accord_cache_requests_total', 'counter'],
      ['accord_graphql_operations_total', 'counter'],
      ['accord_graphql_fields_total', 'counter'],
      ['accord_graphql_deprecated_use_total', 'counter'],
      ['accord_rest_deprecated_use_total', 'counter'],
      ['accord_responses_checked_total', 'counter'],
      ['accord_contract_violations_total', 'counter'],
      ['accord_observer_failures_total', 'counter'],
      ['accord_log_lines_lost_total', 'counter'],
      ['accord_event_loop_delay_seconds', 'gauge'],
      ['process_cpu_seconds_total', 'counter'],
      ['process_resident_memory_bytes', 'gauge'],
      ['nodejs_heap_used_bytes', 'gauge'],
      ['process_start_time_seconds', 'gauge'],
    ]);
    for (const [name] of types)
      expect(text).toMatch(new RegExp(`^# HELP ${name} [A-Z].*\\.$`, 'm'));
  });

  it('counts each under its own labels', async () => {
    const text = await counted((metrics) => {
      for (const status of [200, 200, 404, 'aborted'] as const) {
        metrics.exchange({ operation: 'a', status, ms: 1500 });
      }
      metrics.exchange({ operation: 'b', status: 200, ms: 500 });
      metrics.statement('write', 2000);
      metrics.read('replica');
      metrics.read('writer');
      metrics.read('writer');
      metrics.cache('documents', true);
      metrics.cache('documents', false);
      metrics.cache('documents', false);
      metrics.executed('query', 3);
      metrics.executed('query', 4);
      metrics.checked('a', 0);
      metrics.checked('a', 1);
      metrics.checked('a', 7);
      metrics.checked('b', 0);
      metrics.deprecated('a');
      metrics.failed('tap');
    });
    const lines = text
      .split('\n')
      .filter((line) => /^accord_/.test(line) && !/_bucket|event_loop/.test(line));
    expect(lines).toEqual([
      'accord_info{version="1.2",digest="d1"} 1',
      'accord_requests_total{operation="a",status="200"} 2',
      'accord_requests_total{operation="a",status="404"} 1',
      'accord_requests_total{operation="a",status="aborted"} 1',
      'accord_requests_total{operation="b",status="200"} 1',
      'accord_request_duration_seconds_sum{operation="a"} 6',
      'accord_request_duration_seconds_count{operation="a"} 4',
      'accord_request_duration_seconds_sum{operation="b"} 0.5',
      'accord_request_duration_seconds_count{operation="b"} 1',
      'accord_store_duration_seconds_sum{kind="write"} 2',
      'accord_store_duration_seconds_count{kind="write"} 1',
      'accord_store_reads_total{from="replica"} 1',
      'accord_store_reads_total{from="writer"} 2',
      'accord_cache_requests_total{cache="documents",result="hit"} 1',
      'accord_cache_requests_total{cache="documents",result="miss"} 2',
      'accord_graphql_operations_total{kind="query"} 2',
      'accord_graphql_fields_total{kind="query"} 7',
      'accord_graphql_deprecated_use_total{part="Query.old"} 2',
      'accord_rest_deprecated_use_total{operation="a"} 1',
      'accord_responses_checked_total{operation="a"} 3',
      'accord_responses_checked_total{operation="b"} 1',
      'accord_contract_violations_total{operation="a"} 2',
      'accord_contract_violations_total{operation="b"} 0',
      'accord_observer_failures_total{observer="tap"} 1',
      'accord_log_lines_lost_total 5',
    ]);
  });

  it.each([
    ['at each bound', 1, (i: number) => i + 1],
    ['above each bound', 1.0001, (i: number) => i],
  ])('has each observation %s in its bucket', async (_, factor, count) => {
    const text = await counted((metrics) => {
      for (const ms of milliseconds) {
        metrics.exchange({ operation: 'a', status: 200, ms: ms * factor });
        metrics.statement('read', ms * factor);
      }
      for (const ms of [0.025, 0.05, 0.1]) metrics.statement('read', ms * factor);
    });
    const buckets = (name: string) =>
      Array.from(
        text.matchAll(new RegExp(`^${name}_bucket\\{.*le="(.*)"\\} (\\d+)$`, 'gm')),
        ([, le, value]) => [le, Number(value)],
      );
    const last = milliseconds.length;
    expect(buckets('accord_request_duration_seconds')).toEqual(
      texts.map((le, i) => [le, i === last ? last : count(i)]),
    );
    expect(buckets('accord_store_duration_seconds')).toEqual(
      ['0.000025', '0.00005', '0.0001', ...texts].map((le, i) => [
        le,
        i === last + 3 ? last + 3 : count(i),
      ]),
    );
  });
});

describe('the metrics of a process', () => {
  const values = (families: readonly Family[], name: string) =>
    families.find((each) => each.name === name)?.values.map(({ value }) => value) ?? [];
  const block = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };

  it('are in seconds and bytes', () => {
    const before = process.cpuUsage();
    const metrics = createProcessMetrics();
    const families = metrics.families();
    const after = process.cpuUsage();
    const [cpu = 0] = values(families, 'process_cpu_seconds_total');
    expect(cpu * 1e6).toBeGreaterThanOrEqual(before.user + before.system);
    expect(cpu * 1e6).toBeLessThanOrEqual(after.user + after.system);
    const [began = 0] = values(families, 'process_start_time_seconds');
    expect(Math.abs(began - (Date.now() - performance.now()) / 1000)).toBeLessThan(2);
    const [rss = 0] = values(families, 'process_resident_memory_bytes');
    const [heap = 0] = values(families, 'nodejs_heap_used_bytes');
    const { rss: memory, heapUsed } = process.memoryUsage();
    expect(rss / memory).toBeCloseTo(1, 0);
    expect(heap / heapUsed).toBeCloseTo(1, 0);
    expect(heap).toBeLessThan(rss);
    metrics.stop();
  });

  it('tell how late the event loop was since they were last asked for, until they are stopped', async () => {
    const start = performance.now();
    const metrics = createProcessMetrics();
    const late = () => values(metrics.families(), 'accord_event_loop_delay_seconds');
    expect(late()).toEqual([0, 0, 0, 0]);
    const blocked = async () => {
      await sleep(150);
      block(400);
      await sleep(150);
    };
    await blocked();
    const [half = 0, , , most = 0] = late();
    expect(most).toBeGreaterThan(0.3);
    expect(most * 1000).toBeLessThan(performance.now() - start);
    expect(half).toBeLessThan(most);
    expect(late()).toEqual([0, 0, 0, 0]);
    metrics.stop();
    await blocked();
    expect(late()).toEqual([0, 0, 0, 0]);
    const quantiles = metrics.families()[0]?.values.map(({ labels }) => labels.quantile);
    expect(quantiles).toEqual([0.5, 0.9, 0.99, 1]);
  });

  /** Intervals between two looks at the event loop, in nanoseconds, and what is done with them. */
  function fakeIntervals(intervals: Readonly<Record<string, number>>) {
    const done: unknown[] = [];
    vi.spyOn(performanceHooks, 'monitorEventLoopDelay').mockImplementation((options) => {
      done.push(options);
      const note = (what: string) => () => void done.push(what);
      const acts = { enable: note('enable'), disable: note('disable'), reset: note('reset') };
      const percentile = (percent: number) => intervals[percent];
      return Object.assign(Object({ ...intervals, percentile }), acts);
    });
    syncBuiltinESMExports();
    return done;
  }
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it.each([
    [0, [0, 0, 0, 0]],
    [1, [0.001, 0, 0.1, 0.5]],
  ])('tell of %i intervals by how much they were longer than 20 ms', (count, late) => {
    const intervals = { 50: 21e6, 90: 10e6, 99: 120e6, 100: 530e6, max: 520e6, count };
    const done = fakeIntervals(intervals);
    const metrics = createProcessMetrics();
    expect(values(metrics.families(), 'accord_event_loop_delay_seconds')).toEqual(late);
    metrics.stop();
    expect(done).toEqual([{ resolution: 20 }, 'enable', 'reset', 'disable']);
  });

  it('are not taken after the server has stopped', async () => {
    const done = fakeIntervals({ count: 0 });
    const contract = `{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: {} }`;
    const server = await serveContract(contract, {});
    expect(done).toEqual([{ resolution: 20 }, 'enable']);
    await server.stop();
    expect(done.slice(2)).toEqual(['disable']);
  });
});
