// engines: sqlite
import { describe, expect, it } from 'vitest';
import { serveContract } from '../support/contract-server.ts';

const graphql = 'type Query { one: Int }';
const resolvers = { Query: { one: () => 1 } };
const operation = (id: string, body = '') =>
  `{ operationId: ${id}, ${body} responses: { '200': { description: Done., content: { application/json: {} } } } }`;
const body = 'requestBody: { required: true, content: { application/json: {} } },';
const post = `post: ${operation('send', body)}`;
const contract = (methods: string) => `
openapi: 3.1.0
info: { title: Both, version: '1' }
paths:
  /other: { get: ${operation('other')} }
  ${methods && `/graphql: { ${methods} }`}
`;
const own = () => ({ status: 200, body: 'null' });

describe('the path of GraphQL', () => {
  const one = [200, null];
  const notAllowed = (allow: string) => [405, allow];
  it.each<[declared: string, get: string, answers: object]>([
    ['', 'off', { GET: notAllowed('POST'), PUT: notAllowed('POST'), POST: one }],
    ['', 'on', { GET: one, HEAD: one, PUT: notAllowed('GET, HEAD, POST'), POST: one }],
    [post, 'off', { GET: notAllowed('POST'), PUT: notAllowed('POST'), POST: one }],
    [post, 'on', { GET: one, HEAD: one, PUT: notAllowed('GET, HEAD, POST'), POST: one }],
    [
      `${post}, get: ${operation('ask')}`,
      'off',
      { GET: one, PUT: notAllowed('GET, HEAD, POST'), POST: one },
    ],
  ])('declared as { %s }, with GRAPHQL_GET=%s', async (declared, GRAPHQL_GET, answers) => {
    const hasAsk = declared.includes('ask');
    const { url, stop } = await serveContract(
      contract(declared),
      { other: own, ...(hasAsk && { ask: own }) },
      { graphql, resolvers, env: { GRAPHQL_GET } },
    );
    for (const [method, expected] of Object.entries(answers)) {
      const isSent = method === 'POST' || method === 'PUT';
      const query = hasAsk || isSent ? '' : '?query={one}';
      const response = await fetch(`${url}/graphql${query}`, {
        method,
        ...(isSent && {
          headers: { 'content-type': 'application/json' },
          body: '{"query":"{ one }"}',
        }),
      });
      const text = await response.text();
      expect([response.status, response.headers.get('allow')], method).toEqual(expected);
      if (method === 'POST') expect(text).toBe('{"data":{"one":1}}');
      if (method === 'GET' && response.status === 200) {
        expect(text).toBe(hasAsk ? 'null' : '{"data":{"one":1}}');
      }
    }
    expect((await fetch(`${url}/other`)).status).toBe(200);
    const links = Object(await (await fetch(`${url}/`)).json());
    expect(links.graphql).toBe('/graphql');
    await stop();
  });

  it('is any other without a schema', async () => {
    const handlers = { other: own, send: own };
    const { url, stop } = await serveContract(contract(post), handlers);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '1' };
    expect(await (await fetch(`${url}/graphql`, init)).json()).toBeNull();
    await stop();
  });

  it('needs a handler for each operation but its own', async () => {
    const start = (handlers: Record<string, typeof own>) =>
      serveContract(contract(post), handlers, { graphql, resolvers });
    await expect(start({})).rejects.toThrow(/^no handler for the operation other$/);
    await expect(start({ other: own, send: own })).rejects.toThrow(
      /^no operation for the handler send$/,
    );
  });
});
