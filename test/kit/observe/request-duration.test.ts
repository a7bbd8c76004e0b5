// engines: sqlite
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startCollector } from '../../support/collector.ts';
import { serveContract } from '../../support/contract-server.ts';

const contract = `
openapi: 3.1.0
info: { title: Durations, version: '1' }
paths: { /held: { get: { operationId: hold, responses: { '204': { description: Held. } } } } }`;

it('how long a request took is in milliseconds in the log, in seconds in the metrics, and in its span', async () => {
  const collector = await startCollector();
  let held = 0;
  const hold = async () => {
    const start = performance.now();
    await sleep(100);
    held = performance.now() - start;
    return { status: 204, headers: {}, body: undefined };
  };
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const server = await serveContract(contract, { hold }, { env });
  const start = performance.now();
  await (await fetch(`${server.url}/held`)).arrayBuffer();
  while (server.log.length === 0) await setImmediate();
  const passed = performance.now() - start;
  const metrics = await server.metrics();
  await server.stop();
  await collector.stop();
  const { ms } = JSON.parse(server.log[0] ?? '');
  const sum = metrics.match(
    /^accord_request_duration_seconds_sum\{operation="hold"\} (\S+)$/m,
  )?.[1];
  const [span] = collector.spans;
  const nanoseconds = BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0);
  for (const told of [ms, Number(sum) * 1000, Number(nanoseconds) / 1e6]) {
    // The log has two places.
    expect(told).toBeGreaterThan(held - 0.01);
    expect(told).toBeLessThan(passed + 0.01);
  }
});
