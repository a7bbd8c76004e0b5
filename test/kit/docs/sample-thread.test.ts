// engines: sqlite
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import type { Document } from '../../../src/kit/contract/openapi-document.ts';
import { createRestReference } from '../../../src/kit/docs/rest-reference.ts';
import { createSampleThread } from '../../../src/kit/docs/sample-thread.ts';
import { seenText } from '../../support/seen-text.ts';

const contract =
  await parseContract(`{ openapi: 3.1.0, info: { title: T, version: 1.0.0 }, paths: { /x: {
  get: { operationId: look, responses: { '200': { description: Seen. } } },
  put: { operationId: change, responses: { '200': { description: Seen. } } } } } }`);
const { document } = contract;

const workers: Worker[] = [];
const note = (worker: Worker) => void workers.push(worker);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  process.on('worker', note);
});
afterEach(async () => {
  process.off('worker', note);
  vi.useRealTimers();
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

it('answers each question with its own samples, in one thread that keeps no process alive', async () => {
  const unref = vi.spyOn(Worker.prototype, 'unref');
  const samplesOf = createSampleThread({ document, digest: '', schema: undefined });
  const [look, change, none] = await Promise.all(['look', 'change', 'none'].map(samplesOf));
  expect(look?.programs.curl).toBe("curl 'http://127.0.0.1:3000/x'");
  expect(change?.programs.curl).toBe("curl -X PUT 'http://127.0.0.1:3000/x'");
  expect(none).toBeUndefined();
  expect(workers).toHaveLength(1);
  expect(unref.mock.contexts).toEqual(workers);
  unref.mockRestore();
});

it('ends its thread after 30 s without a question, and starts another for the next', async () => {
  const samplesOf = createSampleThread({ document, digest: '', schema: undefined });
  await samplesOf('look');
  vi.advanceTimersByTime(29_999);
  await samplesOf('look');
  vi.advanceTimersByTime(29_999);
  // The time begins with the last answer, and not while a question waits.
  const asked = samplesOf('look');
  vi.advanceTimersByTime(60_000);
  expect(await asked).toBeDefined();
  expect(workers).toHaveLength(1);
  const ended = once(workers[0] ?? process, 'exit');
  vi.advanceTimersByTime(30_000);
  await ended;
  expect(await samplesOf('look')).toBeDefined();
  expect(workers).toHaveLength(2);
});

it('tells each question that its thread failed, and starts another for the next', async () => {
  const broken = { ...document, paths: { '/x': null } } as unknown as Document;
  const samplesOf = createSampleThread({ document: broken, digest: '', schema: undefined });
  const asked = await Promise.allSettled([samplesOf('look'), samplesOf('change')]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(samplesOf('look')).rejects.toThrow();
  expect(workers).toHaveLength(2);
});

it('ends its thread after 30 s also where one has failed before', async () => {
  const mended = { ...document, paths: { '/x': null } } as unknown as Document;
  const samplesOf = createSampleThread({ document: mended, digest: '', schema: undefined });
  await expect(samplesOf('look')).rejects.toThrow();
  Object.assign(mended, { paths: document.paths });
  expect(await samplesOf('look')).toBeDefined();
  const ended = once(workers[1] ?? process, 'exit');
  vi.advanceTimersByTime(30_000);
  await ended;
});

it('does not end its thread while another question waits', async () => {
  const samplesOf = createSampleThread({ document, digest: '', schema: undefined });
  const [first, second] = [samplesOf('look'), samplesOf('change')];
  await first;
  vi.advanceTimersByTime(60_000);
  expect(await second).toBeDefined();
  expect(workers).toHaveLength(1);
});

it('leaves the rest of a page as it is where it fails', async () => {
  const paths = { '/x': null } as unknown as Document['paths'];
  const broken = { ...contract, document: { ...document, paths } };
  const reference = createRestReference(broken, { digest: '', schema: undefined }, undefined);
  const { html } = (await reference.page('/docs/rest/look'))?.body ?? { html: '' };
  const lines = seenText(html.slice(html.indexOf('<article')));
  expect(lines).toEqual([
    ...['x', '# GET /x', 'GET /x'],
    expect.stringMatching(/^No programs could be made: TypeError/),
    ...['## Responses', '### 200 OK', 'Seen.'],
  ]);
  expect(html).toContain('<div class="operation">');
});

it('starts no thread for the page of what the API sends', async () => {
  const sent = { post: { summary: 'Arrived', responses: {} } };
  const own = { ...contract, document: { ...document, webhooks: { arrived: sent } } };
  const reference = createRestReference(own, { digest: '', schema: undefined }, undefined);
  const page = await reference.page('/docs/rest/webhook%20arrived%20post');
  expect(page?.title).toBe('Arrived');
  expect(workers).toHaveLength(0);
});

it('knows that there is a schema of GraphQL', async () => {
  const graphql = { operationId: 'ask', responses: { 200: { description: 'Seen.' } } };
  const paths: object = { '/graphql': { post: graphql } };
  const own = { ...document, paths: paths as Document['paths'] };
  const programs = async (schema: object | undefined) =>
    Object((await createSampleThread({ document: own, digest: '', schema })('ask'))?.programs);
  expect((await programs({})).TypeScript).toContain('{ __typename }');
  expect((await programs(undefined)).TypeScript).not.toContain('__typename');
});
