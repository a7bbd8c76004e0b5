import { type Contract, emptyContract, readContract } from '../../src/kit/contract/contract.ts';
import { violations } from '../../src/kit/contract/response-check.ts';
import type { MockOptions } from '../../src/kit/mock/mocks.ts';
import { mockApi } from '../../src/kit/mock-api.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { serve } from '../../src/kit/serve.ts';
import { atOnce } from '../../tools/support/server-process.ts';

type Contracts = { readonly openapi?: URL; readonly graphql?: URL };

export type MockServer = Awaited<ReturnType<typeof serveMock>>;

/** Serves contracts with nothing but mocks; every answer is held against the contract. */
export async function serveMock(contracts: Contracts, options: MockOptions = {}) {
  const failures: string[] = [];
  const running = await serve(mockApi({ ...contracts, ...options }), {
    settings: readSettings({ ...atOnce, PORT: '0', RESPONSE_SAMPLE: '1' }),
    log: createLog('error', (line) => failures.push(line)),
  });
  const contract: Contract = contracts.openapi
    ? await readContract(contracts.openapi, { lenient: true })
    : await emptyContract();

  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(running.url + path, {
      method,
      headers: {
        authorization: 'Bearer any',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
    return { ...answer, violations: violations(contract, method, path, answer) };
  }

  return { ...running, contract, failures, ask };
}
