import { expect } from 'vitest';
import { violations } from '../../src/kit/contract/response-check.ts';
import type { MockOptions } from '../../src/kit/mock/mocks.ts';
import { serveContract } from './contract-server.ts';

type Schemas = Readonly<Record<string, unknown>>;

/** Serves a mock with a GET for each schema, by name; every answer of success is held against it. */
export async function serveValues(
  schemas: Schemas,
  mocks: MockOptions | true = true,
  components: Schemas = {},
) {
  const paths = Object.entries(schemas).map(([name, schema]) => {
    const content = { 'application/json': { schema } };
    const get = { operationId: name, responses: { 200: { description: 'One.', content } } };
    return [`/${encodeURIComponent(name)}`, { get }];
  });
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Values', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: components },
  };
  const server = await serveContract(JSON.stringify(contract), {}, { mocks });

  async function get(name: string, prefer = '') {
    const path = `/${encodeURIComponent(name)}`;
    const response = await fetch(server.url + path, { headers: prefer ? { prefer } : {} });
    const text = await response.text();
    const { status } = response;
    const answer = { status, headers: Object.fromEntries(response.headers), text };
    const json = JSON.parse(text);
    if (status === 200) {
      expect([name, violations(server.contract, 'GET', path, { ...answer, json })]).toEqual([
        name,
        [],
      ]);
    }
    return { status, json };
  }

  return { ...server, get };
}
