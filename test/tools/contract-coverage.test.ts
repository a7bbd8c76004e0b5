// slow: starts a process
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { api } from '../../src/api/api.ts';
import type { Api } from '../../src/kit/api-declaration.ts';
import { page } from '../../src/kit/cli/coverage/coverage-page.ts';
import { coverageReport } from '../../src/kit/cli/coverage/coverage-report.ts';
import { serveCovered } from '../../src/kit/cli/coverage/serve-covered.ts';
import { readContract } from '../../src/kit/contract/contract.ts';
import { createSchema } from '../../src/kit/graphql/executable-schema.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { atOnce, spawnServer } from '../../tools/support/server-process.ts';

const contract = await readContract(new URL('../../openapi.yaml', import.meta.url));
const schema = createSchema(
  readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'),
  api.resolvers,
);
const report = (counts: Record<string, number>) =>
  coverageReport(contract, schema, new Map(Object.entries(counts)));

describe('the report on contract coverage', () => {
  it('knows the parts of both contracts by their names', () => {
    const names = report({}).sections.flatMap(({ parts }) => parts.map(({ name }) => name));
    expect(names).toEqual(
      expect.arrayContaining([
        'createBook → 201',
        'listBooks ← limit',
        'replaceTask ← If-Match',
        'Problem.type = urn:accord:problem:not-found',
        'TaskInput.done',
        'GraphqlError.extensions.code = CONFLICT',
        'GraphQL User.posts',
        'GraphQL Mutation.addTodo(title:)',
      ]),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('is complete when all that a client can reach was exercised, and not before', () => {
    const required = report({}).sections.filter(({ isRequired }) => isRequired);
    const reachable = required.flatMap(({ parts }) => parts.filter(({ reason }) => !reason));
    const all = Object.fromEntries(reachable.map(({ name }) => [name, 1]));
    expect(report(all).isComplete).toBe(true);
    for (const { name } of reachable.slice(0, 5)) {
      expect(report({ ...all, [name]: 0 }).isComplete).toBe(false);
    }
  });

  it('shows what never was exercised first, and says why some never can be', () => {
    const html = page(report({ 'createBook → 201': 7 }));
    expect(html).toContain('<code>createBook → 201</code><td class="number">7');
    expect(html).toContain('only a failure of the server itself gives it');
    expect(html).not.toMatch(/<script|http:|https:/);
  });
});

describe('a server with contract coverage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes on SIGTERM which parts of both contracts were exercised', async () => {
    const env = { DATABASE_URL: 'sqlite::memory:', CONTRACT_COVERAGE: folder, ...atOnce };
    const server = spawnServer(env, [], 'covered');
    const url = await server.ready();
    const headers = { 'content-type': 'application/json' };
    const send = (method: string, path: string, body: unknown) =>
      fetch(url + path, { method, headers, body: JSON.stringify(body) });
    await send('POST', '/tasks', { title: 'Sweep', done: true });
    await send('DELETE', '/tasks', undefined);
    await send('POST', '/graphql', { query: '{ todos { title } }' });
    server.child.kill();
    expect(await server.ended()).toBe(0);
    const [file = ''] = readdirSync(folder);
    expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toMatchObject({
      'createTask → 201': 1,
      'TaskInput.done': 1,
      'Task.id': 1,
      'listTasks → 405': 1,
      'createTask → 405': 1,
      'GraphQL Todo.title': 1,
    });
  });
});

describe('contract coverage of other APIs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What a mock of a contract has counted when these requests are over. */
  async function counted(name: string, api: Api, ...requests: [path: string, body?: unknown][]) {
    const counts = join(folder, name);
    const settings = readSettings({ PORT: '0', ...atOnce });
    const log = createLog('silent', () => {});
    const server = await serveCovered(counts, { ...api, mocks: true }, { settings, log });
    const headers = { 'content-type': 'application/json' };
    for (const [path, body] of requests) {
      const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
      await (await fetch(server.url + path, sent)).text();
    }
    await server.stop();
    const [file = ''] = readdirSync(counts);
    return JSON.parse(readFileSync(join(counts, file), 'utf8'));
  }

  function file(name: string, text: string): URL {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name));
  }

  it('counts REST alone, by the statuses as they are declared', async () => {
    const openapi = file(
      'sky.yaml',
      `openapi: 3.1.0
info: { title: Sky, version: '1' }
paths:
  /planets/{id}:
    get:
      operationId: getPlanet
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        2XX:
          description: It.
          content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } }
        default: { description: A fault. }
components:
  schemas:
    Planet: { type: object, required: [name], properties: { name: { type: string } } }
`,
    );
    const counts = await counted('rest', { openapi }, ['/planets/1'], ['/planets/one']);
    expect(counts).toMatchObject({
      'getPlanet → 2XX': 1,
      'getPlanet → default': 1,
      'Planet.name': 1,
    });
    const read = await readContract(openapi);
    const { sections } = coverageReport(read, undefined, new Map(Object.entries(counts)));
    expect(sections[0]?.parts.map(({ name }) => name)).toEqual([
      'getPlanet → 2XX',
      'getPlanet → default',
    ]);
  });

  it('counts GraphQL alone', async () => {
    const graphql = file(
      'sky.graphql',
      'type Query { planet(id: ID!): Planet }\ntype Planet { name: String }',
    );
    const query = '{ planet(id: 1) { name } }';
    expect(await counted('graphql', { graphql }, ['/graphql', { query }])).toEqual({
      'GraphQL Query.planet': 1,
      'GraphQL Query.planet(id:)': 1,
      'GraphQL Planet.name': 1,
    });
  });
});
