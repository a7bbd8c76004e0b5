// engines: sqlite
import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { api } from '../../src/api/api.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { serve } from '../../src/kit/serve.ts';
import { atOnce } from '../../tools/support/server-process.ts';
import { startCollector } from '../support/collector.ts';

const folder = mkdtempSync(join(tmpdir(), 'serve-'));
afterAll(() => rmSync(folder, { recursive: true }));

function start(env: Readonly<Record<string, string>> = {}, parts: object = {}, own: object = {}) {
  const lines: string[] = [];
  const settings = readSettings({
    ...{ ...atOnce, PORT: '0', DATABASE_URL: 'sqlite::memory:', ...env },
  });
  const log = createLog('info', (line) => lines.push(line));
  const running = serve({ ...api, ...parts }, { settings, log, ...own });
  return running.then(({ url, stop, mocked }) => ({ url, stop, mocked, lines }));
}

describe('a server', () => {
  it('names the setting that it cannot listen with', async () => {
    const one = await start();
    const { port } = new URL(one.url);
    await expect(start({ PORT: port })).rejects.toThrow(
      new RegExp(`^cannot listen with PORT=${port}: .*EADDRINUSE`),
    );
    await expect(start({ HOST: '192.0.2.1' })).rejects.toThrow(
      /^cannot listen with HOST=192\.0\.2\.1: .*EADDRNOTAVAIL/,
    );
    expect(one.lines.join()).not.toContain('Connected');
    await one.stop();
    // The port is free again, and nobody is there.
    const again = await start({ PORT: port });
    expect(again.url).toBe(one.url);
    await again.stop();
    await expect(fetch(one.url)).rejects.toThrow();
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === '::1'),
  );
  it.runIf(hasIpv6)('tells its address as a URL has it', async () => {
    const six = await start({ HOST: '::1' });
    expect(six.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${six.url}/healthz`)).status).toBe(200);
    await six.stop();
  });

  it('needs a contract', async () => {
    const none = { openapi: undefined, graphql: undefined };
    await expect(start({}, none)).rejects.toThrow(
      'an API has an OpenAPI description, an SDL, or both',
    );
  });

  it('fills a new database with its demo before it is there, if it is told to', async () => {
    const calls: unknown[][] = [];
    const demo = async (...given: unknown[]) => {
      for (let i = 0; i < 5; i++) await setImmediate();
      calls.push(given);
    };
    const DATABASE_URL = `sqlite:${join(folder, 'demo.db')}`;
    const env = { DATABASE_URL, SEED_DEMO: 'true' };
    await (await start({ ...env, SEED_DEMO: 'false' }, { demo })).stop();
    expect(calls).toHaveLength(0);
    // It is no longer new.
    await (await start(env, { demo })).stop();
    expect(calls).toHaveLength(0);
    const other = { ...env, DATABASE_URL: 'sqlite::memory:' };
    const { stop } = await start(other, { demo });
    expect(calls).toHaveLength(1);
    expect(Object.keys(Object(calls[0]?.[0]))).toContain('books');
    expect(Object(calls[0]?.[1]).operations.length).toBeGreaterThan(0);
    await stop();
    await (await start(other, { demo: undefined })).stop();
  });

  it('keeps the answer to an Idempotency-Key for seconds', async () => {
    const { url, stop } = await start({ IDEMPOTENCY_EXPIRY: '60' });
    const create = async () => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'one' };
      const body = '{"title":"Ubik","pages":202}';
      const answer = await fetch(`${url}/books`, { method: 'POST', headers, body });
      return [answer.status, await answer.json()];
    };
    const first = await create();
    expect(first[0]).toBe(201);
    expect(await create()).toEqual(first);
    await stop();
  });

  it('has sent what it traced when it has stopped', async () => {
    const collector = await startCollector();
    const { url, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    await (await fetch(`${url}/books`)).text();
    await stop();
    expect(collector.spans.map(({ name }) => name)).toContain('listBooks');
    await collector.stop();
  });

  it('has no header for replicas where there are none', async () => {
    const { url, stop } = await start({ CORS_ORIGINS: '*' });
    const { headers } = await fetch(`${url}/books`, { headers: { origin: 'https://a.example' } });
    expect(headers.get('access-control-expose-headers')).toMatch(/, X-Request-Id$/);
    await stop();
  });

  it('tells its observers of every exchange, and none of their faults to a client', async () => {
    const told: string[] = [];
    const taps = [
      () => {
        throw new Error('a tap that fails');
      },
      ({ path }: { readonly path: string }) => told.push(path),
    ];
    const { url, stop, lines } = await start({}, {}, { taps });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/books`)).status).toBe(200);
    await stop();
    expect(told).toEqual(['/healthz', '/books']);
    expect(lines.join()).toContain('a tap that fails');
    expect(lines.filter((line) => line.includes('"path":"/books"'))).toHaveLength(1);
  });

  it('of one kind of contract has no trace of the other', async () => {
    const graphql = await start(
      { INTROSPECTION: 'off' },
      { openapi: undefined, handlers: undefined, security: undefined },
    );
    const status = async (url: string, path: string) => (await fetch(url + path)).status;
    expect(await status(graphql.url, '/schema.graphql')).toBe(404);
    expect(await (await fetch(`${graphql.url}/`)).json()).toEqual({
      graphql: '/graphql',
      health: ['/healthz', '/readyz'],
    });
    await graphql.stop();
  });

  it('says how much of it is mocked', async () => {
    const { mocked, stop } = await start();
    expect(mocked).toBeUndefined();
    await stop();
    const { mocked: all, stop: end } = await start({}, { handlers: undefined, mocks: {} });
    expect(all).toMatch(/^(\d+) of \1 operations and 0 of \d+ fields are mocked$/);
    await end();
  });
});
