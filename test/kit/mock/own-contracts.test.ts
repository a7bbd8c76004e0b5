// engines: sqlite
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contractChecks } from '../../../src/kit/cli/test/testing.ts';
import { mockApi } from '../../../src/kit/mock-api.ts';
import { serveContract } from '../../support/contract-server.ts';

const at = (name: string) => new URL(`../../../${name}`, import.meta.url);
const api = mockApi({ openapi: at('openapi.yaml'), graphql: at('schema.graphql') });

beforeAll(() => void vi.stubEnv('CONTRACT_COVERAGE', ''));
afterAll(() => void vi.unstubAllEnvs());

describe('a mock of the contracts of this API', async () => {
  const { checks, stop } = await contractChecks(api);
  afterAll(stop);

  it.each(checks.filter(({ skip }) => !skip))('answers as they say: $name', async ({ ask }) => {
    expect(await ask()).toEqual([]);
  });
});

it('a mock leaves the server the headers that are its own', async () => {
  const text = { required: true, schema: { type: 'string' }, example: 'of the contract' };
  const headers = { 'contract-digest': text, 'X-Content-Type-Options': text, 'X-Other': text };
  const get = { operationId: 'getA', responses: { 204: { description: 'None.', headers } } };
  const info = { title: 'A', version: '1' };
  const server = await serveContract(
    JSON.stringify({ openapi: '3.1.0', info, paths: { '/a': { get } } }),
    {},
    { mocks: true },
  );
  const answer = await fetch(`${server.url}/a`);
  expect(answer.headers.get('contract-digest')).toMatch(/^[0-9a-f]{64}$/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('x-other')).toBe('of the contract');
  await server.stop();
});
