import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Family, Labels } from './counters.ts';

const RESOLUTION = 20;
const quantiles = [0.5, 0.9, 0.99, 1];

/** How the process itself is. */
export function createProcessMetrics() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  const started = (performance.timeOrigin / 1000).toFixed(3);

  function families(): Family[] {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const delays = quantiles.map((quantile) => ({ labels: { quantile }, value: late(quantile) }));
    delay.reset();
    return [
      {
        ...of('accord_event_loop_delay_seconds', 'gauge', 0),
        help: 'How late the event loop was, since this was last asked for.',
        values: delays,
      },
      {
        ...of('process_cpu_seconds_total', 'counter', (user + system) / 1e6),
        help: 'CPU time of this process.',
      },
      {
        ...of('process_resident_memory_bytes', 'gauge', rss),
        help: 'Memory that this process holds.',
      },
      { ...of('nodejs_heap_used_bytes', 'gauge', heapUsed), help: 'Memory of JavaScript objects.' },
      {
        ...of('process_start_time_seconds', 'gauge', Number(started)),
        help: 'When this process began.',
      },
    ];
  }

  // What is measured is from one look to the next, of which the pause between them is no delay. While
  // nothing was measured it is not a number.
  function late(quantile: number): number {
    const nanoseconds = quantile === 1 ? delay.max : delay.percentile(quantile * 100);
    const seconds = (nanoseconds - RESOLUTION * 1e6) / 1e9;
    return delay.count > 0 ? Math.max(0, seconds) : 0;
  }

  return { families, stop: () => void delay.disable() };
}

const none: Labels = {};

function of(name: string, type: 'counter' | 'gauge', value: number) {
  return { name, type, aggregator: 'sum', values: [{ labels: none, value }] } as const;
}
