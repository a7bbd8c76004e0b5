import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { type Family, family } from './counters.ts';

const RESOLUTION = 20;
const quantiles = [0.5, 0.9, 0.99, 1];
const startTime = Number((performance.timeOrigin / 1000).toFixed(3));

/** The process's event loop, CPU and memory. */
export function createProcessMetrics() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();

  function families(): Family[] {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const delays = quantiles.map((quantile) => ({ labels: { quantile }, value: late(quantile) }));
    delay.reset();
    return [
      family(
        'gauge',
        'accord_event_loop_delay_seconds',
        'How late the event loop was, since this was last asked for.',
        delays,
      ),
      family(
        'counter',
        'process_cpu_seconds_total',
        'CPU time of this process.',
        (user + system) / 1e6,
      ),
      family('gauge', 'process_resident_memory_bytes', 'Memory that this process holds.', rss),
      family('gauge', 'nodejs_heap_used_bytes', 'Memory of JavaScript objects.', heapUsed),
      family('gauge', 'process_start_time_seconds', 'When this process began.', startTime),
    ];
  }

  // The histogram holds intervals between two samples, the resolution included; empty, its values are NaN.
  function late(quantile: number): number {
    const nanoseconds = quantile === 1 ? delay.max : delay.percentile(quantile * 100);
    const seconds = (nanoseconds - RESOLUTION * 1e6) / 1e9;
    return delay.count > 0 ? Math.max(0, seconds) : 0;
  }

  return { families, stop: () => void delay.disable() };
}
