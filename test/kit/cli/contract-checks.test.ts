// engines: sqlite
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { contractChecks } from '../../../src/kit/cli/test/testing.ts';
import { ApiError } from '../../../src/kit/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'checks-'));
beforeAll(() => void vi.stubEnv('CONTRACT_COVERAGE', ''));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name));
};

const operation = (id: string, more = '') =>
  `{ operationId: ${id}, ${more} responses: { 200: { description: A., content: { application/json: { schema: { type: object, required: [a], properties: { a: { type: string } } } } } }, 404: { description: None. } } }`;
const openapi = file(
  'openapi.yaml',
  `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /right: { get: ${operation('right')} }
  /missing: { get: ${operation('missing')} }
  /wrong: { get: ${operation('wrong')} }
  /refused: { get: ${operation('refused')} }
  /failing: { get: ${operation('failing')} }
  /closed: { get: ${operation('closed', 'security: [{ key: [] }],')} }
  /never: { post: ${operation('never', 'requestBody: { required: true, content: { application/json: { schema: false } } },')} }
  /mocked: { get: { operationId: mocked, responses: { 500: { description: Always. } } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`,
);
const graphql = file(
  'schema.graphql',
  `type Query { right: Int refused: Int failing: Int }
`,
);
const answer = (a: unknown) => ({ status: 200, body: { a } });
const api = {
  ...{ openapi, graphql, mocks: true, lenient: true },
  security: { key: (given: unknown) => given === 'mine' || undefined },
  handlers: () => ({
    right: () => answer('b'),
    missing: () => {
      throw new ApiError('not-found');
    },
    wrong: () => answer(7),
    refused: () => {
      throw new ApiError('invalid-request');
    },
    failing: () => {
      throw new Error('broken');
    },
    closed: () => answer('b'),
  }),
  resolvers: {
    Query: {
      right: () => 1,
      refused: () => {
        throw new GraphQLError('no', { extensions: { code: 'NOT_FOUND' } });
      },
      failing: () => {
        throw new Error('broken');
      },
    },
  },
};

it('each operation and each field is asked, and what is wrong is said', async () => {
  const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { checks, stop, url } = await contractChecks(api as Parameters<typeof contractChecks>[0]);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const found: [string, string | false, string][] = [];
  for (const { name, skip, ask } of checks) {
    found.push([name, skip, skip ? '' : (await ask()).join().replace(/"requestId":"[^"]*"/, '')]);
  }
  await stop();
  errors.mockRestore();
  const none = 'its schemas admit no value that can be made';
  expect(found).toEqual([
    ['GET /right', false, ''],
    ['GET /missing', false, ''],
    ['GET /wrong', false, expect.stringContaining('a must be string')],
    ['GET /refused', false, expect.stringMatching(/^400 /)],
    ['GET /failing', false, expect.stringMatching(/^500 /)],
    [
      'GET /closed',
      false,
      '401: it was not asked; contractChecks(api, { headers }) takes credentials that it admits',
    ],
    ['POST /never', none, ''],
    ['GET /mocked', false, ''],
    ['Query.right', false, ''],
    ['Query.refused', false, ''],
    ['Query.failing', false, expect.stringMatching(/ \(query \{ failing \}\)$/)],
  ]);
});

it('the checks take credentials of the project', async () => {
  const { checks, stop } = await contractChecks(api as Parameters<typeof contractChecks>[0], {
    headers: { 'X-Key': 'mine' },
  });
  const closed = checks.find(({ name }) => name === 'GET /closed');
  expect(await closed?.ask()).toEqual([]);
  await stop();
});

it('one contract is enough, and one that is broken leaves no server behind', async () => {
  const alone = await contractChecks({ graphql, mocks: true });
  expect(alone.checks.map(({ name }) => name)[0]).toBe('Query.right');
  await alone.stop();
  await expect(fetch(alone.url)).rejects.toThrow();
  const broken = file('broken.yaml', 'openapi: 3.1.0\npaths: 7\n');
  await expect(contractChecks({ openapi: broken, mocks: true })).rejects.toThrow('broken.yaml');
});
