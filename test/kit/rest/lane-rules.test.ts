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
const json =
  'content: { application/json: { schema: { type: object, properties: { a: { type: integer } } } } }';
const done = `responses: { '200': { description: Done. } }`;
const notes = await parseContract(`
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes: { post: { requestBody: { ${json} }, ${done} } }
  /texts: { post: { requestBody: { content: { text/plain: {} } }, ${done} } }
  /all: { get: { ${done} } }
`);
const lanes = new Map([own, styles, notes].map((contract) => [contract, createLane(contract)]));

type Headers = Readonly<Record<string, string>>;

/** What the lane gives for a request; undefined at once where it leaves it to the full path. */
function given(method: string, target: string, headers: Headers, body: string, contract: Contract) {
  const [path = '', query = ''] = target.split('?');
  const match = contract.routes(path);
  const operation = match?.route.operations.get(method);
  const rawHeaders = Object.entries(headers).flat();
  const request = Object.assign(new PassThrough(), { headers, rawHeaders });
  request.end(body);
  // As much of an exchange as the lane looks at.
  const exchange = { method, path, query, match, operation, request, body: undefined };
  return { operation, input: lanes.get(contract)?.(exchange as unknown as Exchange) };
}

/** The operation of a request that the lane takes, at least as far as its body. */
function admitted(method: string, target: string, headers: Headers, contract: Contract = own) {
  const match = contract.routes(target.split('?')[0] ?? '');
  const json = match?.route.operations.get(method)?.body && jsonOf('{}');
  const { operation, input } = given(method, target, { ...headers, ...json }, '{}', contract);
  return input ? operation?.id : undefined;
}

const jsonOf = (body: string) => ({
  ...{ 'content-type': 'application/json', 'content-length': `${body.length}` },
});

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

  const none = { body: undefined };
  it.each<[target: string, headers: Headers, body: string, input: object | undefined]>([
    ['POST /notes', jsonOf('{"a":1}'), '{"a":1}', { body: { a: 1 } }],
    ['POST /notes', jsonOf('{"a":"x"}'), '{"a":"x"}', undefined],
    ['POST /notes', jsonOf('{"a":1'), '{"a":1', undefined],
    ['POST /notes', { 'content-type': 'text/plain', 'content-length': '2' }, '{}', undefined],
    ['POST /notes', { 'content-length': '2' }, '{}', undefined],
    ['POST /notes', { 'transfer-encoding': 'chunked' }, '{}', undefined],
    ['POST /notes', {}, '', none],
    ['POST /notes', { 'content-length': '0' }, '', none],
    ['POST /notes', { 'content-type': 'application/json' }, '', none],
    ['POST /texts', jsonOf('{}'), '{}', undefined],
    ['POST /texts', {}, '', none],
    ['GET /all', { 'content-length': '2' }, '{}', none],
  ])('makes of %s with %j and %s the input %j', async (target, headers, body, input) => {
    const [method = '', path = ''] = target.split(' ');
    const made = await given(method, path, headers, body, notes).input;
    expect(made).toEqual(input && { query: {}, headers: {}, path: {}, cookies: {}, ...input });
  });
});
