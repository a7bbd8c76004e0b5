// slow: starts processes
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createExposition } from '../../../src/kit/observe/cluster-metrics.ts';
import { createGuard } from '../../../src/kit/observe/guard.ts';
import { createMetrics } from '../../../src/kit/observe/metrics.ts';
import { sendRaw } from '../../../tools/support/raw-http.ts';
import { atOnce, spawnServer } from '../../../tools/support/server-process.ts';
import { useServer } from '../../support/api-server.ts';
import { serveContract } from '../../support/contract-server.ts';
import { newDatabase } from '../../support/engine.ts';

const server = useServer({ RESPONSE_SAMPLE: '1' });
const { api, graphql } = server;
const crossing = useServer({ RESPONSE_SAMPLE: '1', CORS_ORIGINS: '*' });

const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The value of a line, by how it begins. */
function value(text: string, line: string): number {
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  return Number(found?.slice(line.length) ?? 0);
}
const counted = async (line: string) => value((await api({ path: '/metrics' })).text, line);

describe('GET /metrics', () => {
  it.each([
    ['GET', '/books', 'listBooks', 200],
    ['GET', '/books/999', 'getBook', 404],
    ['GET', '/books/x', 'getBook', 400],
    ['PATCH', '/books', 'none', 405],
    ['GET', '/nothing', 'none', 404],
    ['GET', `/${'y'.repeat(50)}`, 'none', 404],
  ])('counts %s %s as %s with its status', async (method, path, operation, status) => {
    const line = `accord_requests_total{operation="${operation}",status="${status}"}`;
    const timed = `accord_request_duration_seconds_count{operation="${operation}"}`;
    const before = [await counted(line), await counted(timed)];
    expect((await api({ method, path })).status).toBe(status);
    expect([await counted(line), await counted(timed)]).toEqual(before.map((each) => each + 1));
  });

  it('counts how long requests and statements took, in buckets that add up', async () => {
    await api({ path: '/items' });
    const { text } = await api({ path: '/metrics' });
    for (const name of ['accord_request_duration_seconds', 'accord_store_duration_seconds']) {
      const label = name.includes('store') ? 'kind="read"' : 'operation="listItems"';
      const buckets = [...text.matchAll(new RegExp(`^${name}_bucket{${label},.*} (.*)$`, 'gm'))];
      const counts = buckets.map((match) => Number(match[1]));
      expect(counts.length).toBeGreaterThan(10);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(counts.at(-1)).toBe(value(text, `${name}_count{${label}}`));
      expect(value(text, `${name}_sum{${label}}`)).toBeGreaterThan(0);
    }
  });

  it('counts what GraphQL resolved', async () => {
    const fields = 'accord_graphql_fields_total{kind="query"}';
    const before = await counted(fields);
    await graphql('mutation { createUser(name: "A", email: "a@b.example") { id } }');
    await graphql('{ users { id name posts { id } } }');
    expect(await counted(fields)).toBe(before + 4);
    expect(await counted('accord_graphql_operations_total{kind="mutation"}')).toBe(1);
  });

  it('counts the documents of GraphQL that were known', async () => {
    const lines = ['hit', 'miss'].map(
      (result) => `accord_cache_requests_total{cache="graphql-documents",result="${result}"}`,
    );
    const before = await Promise.all(lines.map(counted));
    for (let i = 0; i < 3; i++) await graphql('{ todos { id title done } }');
    const [hits = 0, misses = 0] = before;
    expect(await Promise.all(lines.map(counted))).toEqual([hits + 2, misses + 1]);
  });

  it('tells which server and contracts it is, and how the process is', async () => {
    const { text, headers } = await api({ path: '/metrics' });
    expect(headers['content-type']).toBe('text/plain');
    const digest = headers['contract-digest'];
    expect(text).toContain(`accord_info{version="1.1.0",digest="${digest}"} 1\n`);
    expect(text).toMatch(/^accord_event_loop_delay_seconds\{quantile="0.99"\} [0-9.e-]+$/m);
    expect(value(text, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(value(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  });

  it('refuses a parameter and another method', async () => {
    expect((await api({ path: '/metrics?x=1' })).status).toBe(400);
    expect((await api({ method: 'POST', path: '/metrics' })).status).toBe(405);
  });

  it('is asked of all processes where several serve, whichever answers', async () => {
    const file = `sqlite:${join(folder, 'metrics.db')}`;
    const DATABASE_URL = inject('postgres') ? await newDatabase() : file;
    const several = spawnServer({ DATABASE_URL, WORKERS: '2', ...atOnce });
    const url = await several.ready();
    const asked = 60;
    // Connections take turns, so that both processes have some.
    const headers = { connection: 'close' };
    for (let i = 0; i < asked; i++) await (await fetch(`${url}/books`, { headers })).text();
    const text = await (await fetch(`${url}/metrics`, { headers })).text();
    const counts = [1, 2].map((worker) =>
      value(text, `accord_requests_total{worker="${worker}",operation="listBooks",status="200"}`),
    );
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(asked);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    several.child.kill('SIGTERM');
    expect(await several.ended()).toBe(0);
  });
});

describe('what is counted besides', () => {
  it('is the use of caches and of what is deprecated', async () => {
    const metrics = createMetrics({ version: '', digest: '' }, new Map([['Query.old', 2]]));
    metrics.cache('documents', true);
    metrics.cache('documents', false);
    metrics.cache('documents', true);
    const text = await createExposition(
      metrics.families,
      createGuard(() => {}),
    )();
    metrics.stop();
    expect(value(text, 'accord_cache_requests_total{cache="documents",result="hit"}')).toBe(2);
    expect(value(text, 'accord_cache_requests_total{cache="documents",result="miss"}')).toBe(1);
    expect(value(text, 'accord_graphql_deprecated_use_total{part="Query.old"}')).toBe(2);
    expect(text).toMatch(/^accord_log_lines_lost_total 0$/m);
  });
});

describe('a sample of the responses', () => {
  it('is held against the contract, and none of ours breaks it', async () => {
    const before = await counted('accord_responses_checked_total{operation="createBook"}');
    const post = { method: 'POST', path: '/books' };
    const { json } = await api({ ...post, json: { title: 'x', pages: 1 } });
    await api({ ...post, json: {} });
    await api({ method: 'HEAD', path: `/books/${json.id}` });
    await api({ path: `/books/${json.id}`, headers: { 'if-none-match': '*' } });
    await api({ method: 'DELETE', path: `/books/${json.id}` });
    await api({ path: '/openapi.yaml' });
    await graphql('{ nothing }');
    expect(await counted('accord_responses_checked_total{operation="createBook"}')).toBe(
      before + 2,
    );
    const { text } = await api({ path: '/metrics' });
    expect(text).not.toMatch(/^accord_contract_violations_total.* [1-9]/m);
    expect(server.log.filter((line) => line.includes('failed'))).toEqual([]);
  });

  it('takes a list of several pieces as one, and leaves out the pages for people', async () => {
    const line = 'accord_responses_checked_total{operation="listItems"}';
    const before = await counted(line);
    const json = { name: 'Nail', quantity: 1 };
    for (let i = 0; i < 101; i++) await api({ method: 'POST', path: '/items', json });
    const { headers } = await api({ path: '/items' });
    expect(headers['transfer-encoding']).toBe('chunked');
    await (await fetch(`${server.url}/docs`)).text();
    expect(await counted(line)).toBe(before + 1);
    const { text } = await api({ path: '/metrics' });
    expect(text).not.toContain('accord_responses_checked_total{operation="docs"}');
    expect(text).not.toMatch(/^accord_contract_violations_total.* [1-9]/m);
  });

  it('leaves out a preflight and what is not HTTP: neither is in the contract', async () => {
    const preflight =
      'OPTIONS /books HTTP/1.1\r\nHost: x\r\nOrigin: https://a.example\r\n' +
      'Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(crossing.url, preflight)).toMatch(/^HTTP\/1\.1 204 /);
    await sendRaw(crossing.url, 'nonsense\r\n\r\n');
    const { text } = await crossing.api({ path: '/metrics' });
    expect(text).not.toContain('accord_responses_checked_total{');
    expect(text).not.toContain('accord_observer_failures_total{');
  });

  it('counts and logs a response that breaks it', async () => {
    const broken = await serveContract(
      contract,
      { getNumber: () => ({ status: 200, headers: {}, body: '"one"' }) },
      { share: 1 },
    );
    const answer = await fetch(`${broken.url}/number`, { headers: { 'x-request-id': 'here' } });
    expect(await answer.text()).toBe('"one"');
    const line = 'accord_contract_violations_total{operation="getNumber"}';
    expect(value(await broken.metrics(), line)).toBe(1);
    const told = broken.log.map((each) => JSON.parse(each)).find(({ level }) => level === 'error');
    expect(told).toMatchObject({
      msg: 'The contract of getNumber failed',
      cause: 'body must be integer',
      request: 'here',
    });
    await broken.stop();
  });

  it('does not end the process where the contract has no shape for an unknown path', async () => {
    const handlers = {
      getNumber: () => ({ status: 200, headers: {}, body: '1' }),
    };
    const own = await serveContract(contract, handlers, { share: 1 });
    const targets = ['/nothing', '/number?x=1', '/number'];
    for (const target of targets) await (await fetch(own.url + target)).text();
    // A path may have a summary besides its operations.
    expect((await fetch(`${own.url}/number`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${own.url}/number`)).status).toBe(200);
    const text = await own.metrics();
    expect(value(text, 'accord_responses_checked_total{operation="none"}')).toBe(2);
    // The kit's own refusals need not be declared.
    expect(text).not.toMatch(/^accord_contract_violations_total.* [1-9]/m);
    expect(text).not.toContain('accord_observer_failures_total{');
    await own.stop();
  });
});

describe('whoever only observes', () => {
  const answer = () => ({ status: 200, headers: {}, body: '1' });
  const failing = () => {
    throw new Error('the observer is broken');
  };

  it('fails neither a request nor the process when it fails', async () => {
    const own = await serveContract(contract, { getNumber: answer }, { tap: failing });
    for (const _ of [1, 2]) expect(await (await fetch(`${own.url}/number`)).text()).toBe('1');
    const text = await own.metrics();
    expect(value(text, 'accord_observer_failures_total{observer="tap"}')).toBe(2);
    const told = own.log.map((each) => JSON.parse(each)).filter(({ level }) => level === 'error');
    expect(told).toHaveLength(2);
    expect(told[0]).toMatchObject({ msg: 'The observer tap failed' });
    expect(told[0].cause.stack).toContain('the observer is broken');
    await own.stop();
  });

  it.each([
    ['the full path', {}],
    ['the fast lane', { fastLane: true }],
  ])('can tell of a cause that has no text, on %s', async (_, options) => {
    const getNumber = () => Promise.reject(Object.create(null));
    const own = await serveContract(contract, { getNumber }, options);
    expect((await fetch(`${own.url}/number`)).status).toBe(500);
    expect((await fetch(`${own.url}/number`)).status).toBe(500);
    expect(own.log.join()).toContain('a cause without a text');
    await own.stop();
  });
});

const contract = `
openapi: 3.1.0
info: { title: x, version: 1.0.0 }
paths:
  /number:
    summary: A number
    get:
      operationId: getNumber
      responses:
        '200': { description: x, content: { application/json: { schema: { type: integer } } } }`;
