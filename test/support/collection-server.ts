import { expect } from 'vitest';
import { violations } from '../../src/kit/contract/response-check.ts';
import type { MockOptions } from '../../src/kit/mock/mocks.ts';
import { serveContract } from './contract-server.ts';

type Example = { readonly schema?: unknown; readonly example?: unknown };

/** A declared response with JSON. */
export const answer = (status: number, json?: Example, headers: object = {}) => ({
  [status]: {
    description: 'An answer.',
    headers,
    ...(json && { content: { 'application/json': json } }),
  },
});

/** An operation that takes any JSON, where it has a body. */
export const operation = (responses: object, hasBody = false) => ({
  responses,
  ...(hasBody && { requestBody: { content: { 'application/json': { schema: {} } } } }),
});

/** The path of a record, whose last parameter is declared. */
export const ofRecord = (
  operations: object,
  name = 'id',
  type: string | readonly string[] = 'string',
) => ({
  parameters: [{ name, in: 'path', required: true, schema: { type } }],
  ...operations,
});

/** Serves collections with nothing but mocks; every answer of success is held against the contract. */
export async function serveCollections(
  paths: Readonly<Record<string, object>>,
  mocks: MockOptions | true = true,
) {
  const named = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, each]) => [
        method,
        method === 'parameters' ? each : { operationId: `${method} ${path}`, ...each },
      ]),
    ),
  ]);
  const contract = {
    ...{ openapi: '3.1.0', info: { title: 'Collections', version: '1' } },
    paths: Object.fromEntries(named),
  };
  const server = await serveContract(JSON.stringify(contract), {}, { mocks });

  async function ask(method: string, path: string, body?: unknown, type = 'application/json') {
    const sent = body !== undefined && {
      headers: { 'content-type': type },
      body: type === 'application/json' ? JSON.stringify(body) : String(body),
    };
    const response = await fetch(server.url + path, { method, ...sent });
    const text = await response.text();
    const { status } = response;
    const headers = Object.fromEntries(response.headers);
    const json = text === '' ? undefined : JSON.parse(text);
    if (status < 300) {
      const found = violations(server.contract, method, path, { status, headers, text, json });
      expect([method, path, found]).toEqual([method, path, []]);
    }
    return { status, headers, json };
  }

  return { ...server, ask };
}
