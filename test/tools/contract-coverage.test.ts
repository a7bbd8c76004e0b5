// slow: starts a process
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { api } from '../../src/api/api.ts';
import { page } from '../../src/kit/cli/coverage/page.ts';
import { coverageReport } from '../../src/kit/cli/coverage/report.ts';
import { readContract } from '../../src/kit/contract/contract.ts';
import { createSchema } from '../../src/kit/graphql/executable-schema.ts';
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
