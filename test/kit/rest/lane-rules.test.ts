import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Contract, parseContract, readContract } from '../../../src/kit/contract/contract.ts';
import type { Exchange } from '../../../src/kit/http/exchange.ts';
import { createLane } from '../../../src/kit/rest/lane.ts';
import { requestsOf } from '../../support/contract-requests.ts';
import { styleContract } from '../../support/lane-contracts.ts';

const own = await readContract(new URL('../../../openapi.yaml', import.meta.url));
const styles = await parseContract(styleContract);
const lanes = new Map([own, styles].map((contract) => [contract, createLane(contract)]));

/** What the lane makes of a request: its operation where it takes it, at least as far as its body. */
function admitted(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  contract: Contract = own,
) {
  const [path = '', query = ''] = target.split('?');
  const match = contract.routes(path);
  const operation = match?.route.operations.get(method);
  const json = operation?.body && {
    'content-type': 'application/json',
    'content-length': '2',
  };
  const rawHeaders = Object.entries({ ...headers, ...json }).flat();
  const request = Object.assign(new PassThrough(), {
    headers: { ...headers, ...json },
    rawHeaders,
  });
  request.end('{}');
  // As much of an exchange as the lane looks at.
  const exchange = { method, path, query, match, operation, request, body: undefined };
  return lanes.get(contract)?.(exchange as unknown as Exchange) ? operation?.id : undefined;
}

describe('the fast lane', () => {
  it.each([
    ['GET', '/books', {}],
    ['HEAD', '/books', {}],
    ['GET', '/books?limit=2&after=1', {}],
    ['GET', '/books/1', { 'if-none-match': '"1"', 'content-type': 'x' }],
    ['PUT', '/books/1', { 'if-match': '*' }],
    ['DELETE', '/books/9007199254740991', {}],
    ['POST', '/tasks', {}],
    ['GET', '/books/%31', {}],
    ['GET', '/greet/pt-BR', {}],
    ['GET', '/healthz', {}],
  ])('takes %s %s', (method, target, headers) => {
    expect(admitted(method, target, headers)).toBeDefined();
  });

  it.each([
    ['PATCH', '/books', {}],
    ['GET', '/books/01', {}],
    ['GET', '/books/0', {}],
    ['GET', '/books?limit=1001', {}],
    ['GET', '/books?limit=1&limit=1', {}],
    ['GET', '/books?x=1', {}],
    ['GET', '/books/1', { 'if-none-match': 'x' }],
    ['GET', '/greet/x', {}],
    ['GET', '/nothing', {}],
  ])('leaves %s %s to the full path', (method, target, headers) => {
    expect(admitted(method, target, headers)).toBeUndefined();
  });

  it.each([
    ['this API', own],
    ['every style of parameter', styles],
  ])('takes some requests for every operation of a contract of %s', (_, contract) => {
    const samples = fc.sample(requestsOf(contract), 3000);
    const taken = samples.map(({ method, target, headers }) => {
      const named = headers.map(([name, value]) => [name.toLowerCase(), value]);
      return admitted(method, target, Object.fromEntries(named), contract);
    });
    const ids = contract.operations.map(({ id }) => id);
    expect(ids.filter((id) => !taken.includes(id))).toEqual([]);
  });
});
