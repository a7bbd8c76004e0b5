// engines: sqlite
import { describe, expect, it } from 'vitest';
import { serveContract } from '../support/contract-server.ts';

const contract = `
openapi: 3.1.0
info: { title: Depot, version: '1' }
paths:
  /crates: { get: { operationId: crates, summary: All crates, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { type: string } } } } } } } }
  /lids: { get: { operationId: lids, summary: All lids, responses: { '204': { description: None. } } } }
`;
const graphql = 'type Query { crates: [String!]! lids: Int } type Mutation { lift: Boolean }';
const crates = () => ({ status: 200, body: ['a'] });
const lids = () => ({ status: 204 });
const resolvers = { Query: { crates: () => ['a'], lids: () => 1 }, Mutation: { lift: () => true } };

async function pageOf(url: string, path: string): Promise<string> {
  return (await fetch(url + path)).text();
}

describe('what is mocked', () => {
  it('is counted and marked in the docs, one less for each that is written', async () => {
    const none = await serveContract(contract, {}, { mocks: true, graphql });
    expect(await pageOf(none.url, '/docs')).toContain(
      '2 of 2 operations and 3 of 3 fields are mocked.',
    );
    await none.stop();
    const written = { Query: { crates: () => ['a'] } };
    const one = await serveContract(
      contract,
      { crates },
      { mocks: true, graphql, resolvers: written },
    );
    const landing = await pageOf(one.url, '/docs');
    expect(landing).toContain('1 of 2 operations and 2 of 3 fields are mocked.');
    expect(landing.match(/<span class="mocked">/g)).toHaveLength(3);
    expect(landing).toMatch(/All lids <span class="mocked">/);
    const rest = await pageOf(one.url, '/docs/rest');
    expect(rest).toContain('data-mocked="[&#34;get /lids&#34;]"');
    const schema = await pageOf(one.url, '/docs/schema');
    expect(schema).toContain('<a href="#Mutation.lift"><code>Mutation.lift</code></a>');
    expect(schema).not.toContain('<a href="#Query.crates"><code>');
    expect((await fetch(`${one.url}/crates`)).headers.get('accord-mock')).toBeNull();
    await one.stop();
  });

  it('leaves no trace where everything is written', async () => {
    const server = await serveContract(contract, { crates, lids }, { graphql, resolvers });
    expect(await pageOf(server.url, '/docs')).not.toContain('mocked');
    await server.stop();
  });
});

describe('in production', () => {
  const production = { NODE_ENV: 'production' };

  it('mocks stop the start, unless they are allowed', async () => {
    const started = serveContract(contract, { crates }, { mocks: true, env: production });
    await expect(started).rejects.toThrow(
      '1 of 2 operations are mocked; NODE_ENV=production serves that with MOCKS=allow only',
    );
    const allowed = await serveContract(
      contract,
      {},
      { mocks: true, graphql, env: { ...production, MOCKS: 'allow' } },
    );
    expect((await fetch(`${allowed.url}/lids`)).headers.get('accord-mock')).toBe('true');
    await allowed.stop();
  });

  it('an API that is written starts, and mocks nothing', async () => {
    const server = await serveContract(
      contract,
      { crates, lids },
      { mocks: true, graphql, resolvers, env: production },
    );
    expect(await (await fetch(`${server.url}/crates`)).json()).toEqual(['a']);
    await server.stop();
  });
});
