// engines: sqlite
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { createContractCoverage } from '../../../src/kit/cli/coverage/counter.ts';
import { html } from '../../../src/kit/cli/coverage/coverage-page.ts';
import { emptyContract, parseContract } from '../../../src/kit/contract/contract.ts';
import type { Exchange, Tap } from '../../../src/kit/http/exchange.ts';

const folder = mkdtempSync(join(tmpdir(), 'counter-'));
afterAll(() => rmSync(folder, { recursive: true }));

const openapi = `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /a:
    parameters: [{ name: X-Key, in: header, schema: { type: string } }, { name: x-key, in: query, schema: { type: string } }]
    get: { operationId: getA, responses: { '200': { description: A. }, '405': { description: No. } } }
    put: { operationId: putA, responses: { '200': { description: A. }, '405': { description: No. } } }
`;
const contract = await parseContract(openapi);
const schema = buildSchema('type Query { a: Int }');

type Given = {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: object;
  readonly sent?: string;
  readonly status?: number;
  readonly text?: string;
  readonly isSent?: boolean;
};

/** What one exchange exercises. */
function counted(given: Given, of = contract) {
  const { method = 'GET', path = '/a', query = '', headers = {}, sent } = given;
  const { status = 200, text, isSent = true } = given;
  const { tap, write } = createContractCoverage(of, schema);
  const match = of.routes(path);
  // As much of an exchange as is looked at.
  const exchange = {
    ...{ method, path, query, match, operation: match?.route.operations.get(method) },
    ...{ request: { headers }, body: sent === undefined ? undefined : Buffer.from(sent) },
  } as unknown as Exchange;
  const reply = status === 0 ? undefined : { status };
  tap(exchange, { reply, isSent, text } as unknown as Parameters<Tap>[1]);
  const place = mkdtempSync(join(folder, 'counts-'));
  write(join(place, 'new'));
  const [name = ''] = readdirSync(join(place, 'new'));
  return JSON.parse(readFileSync(join(place, 'new', name), 'utf8'));
}

describe('an exchange exercises', () => {
  it.each<[string, Given, string[]]>([
    ['its operation', {}, ['getA → 200']],
    ['nothing where no answer was sent', { isSent: false }, []],
    ['nothing where there is none', { status: 0 }, []],
    ['a status that is not declared', { status: 418 }, ['getA → 418']],
    ['all operations of a path by 405', { status: 405 }, ['getA → 405', 'putA → 405']],
    ['nothing by a 405 of another path', { status: 405, path: '/none' }, []],
    ['nothing of another path', { path: '/none' }, []],
    ['nothing of another method', { method: 'POST' }, []],
    ['a header in any case', { headers: { 'x-key': 'a' } }, ['getA → 200', 'getA ← X-Key']],
  ])('%s', (_, given, parts) => {
    const counts = counted(given);
    expect(Object.keys(counts).filter((part) => part !== 'getA ← x-key')).toEqual(parts);
    expect(new Set(Object.values(counts))).toEqual(new Set(parts.length > 0 ? [1] : []));
  });

  const graphql: Given = {
    ...{ method: 'POST', path: '/graphql', sent: '{"query":"{ a }"}', text: '{"data":{}}' },
  };
  it.each<[string, Given, string[]]>([
    ['fields', {}, ['GraphQL Query.a']],
    ['fields whose data is null', { text: '{"data":null}' }, ['GraphQL Query.a']],
    ['nothing where it was refused', { text: '{"errors":[]}' }, []],
    ['nothing where the answer is no JSON', { text: 'data' }, []],
    ['nothing by another method', { method: 'PUT' }, []],
    ['nothing at another path', { path: '/other' }, []],
    ['nothing without a document', { sent: '{}' }, []],
    ['nothing without a body', { sent: 'query' }, []],
  ])('of GraphQL %s', async (_, given, parts) => {
    expect(Object.keys(counted({ ...graphql, ...given }, await emptyContract()))).toEqual(parts);
  });
});

it('a report shows texts as they are', () => {
  expect(html('a & <b> &amp;')).toBe('a &amp; &lt;b&gt; &amp;amp;');
});
