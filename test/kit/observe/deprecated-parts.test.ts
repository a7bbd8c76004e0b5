// engines: sqlite
import { expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';

const contract = "{ openapi: 3.1.0, info: { title: Parts, version: '1' }, paths: {} }";
const graphql = 'type Query { a: Int old(by: Int @deprecated): Int @deprecated }';

it('each operation of GraphQL that uses a deprecated part is counted', async () => {
  const resolvers = { Query: { a: () => 1, old: () => 2 } };
  const server = await serveContract(contract, {}, { graphql, resolvers });
  const ask = async (query: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query });
    const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    await response.text();
  };
  for (const query of ['{ a }', '{ old }', '{ old a }', '{ old(by: 1) }']) await ask(query);
  const text = await server.metrics();
  const counted = Array.from(
    text.matchAll(/^accord_graphql_deprecated_use_total\{part="(.*)"\} (\d+)$/gm),
    ([, part, count]) => [part, count],
  );
  expect(counted).toEqual([
    ['Query.old', '3'],
    ['Query.old(by:)', '1'],
  ]);
  await server.stop();
});
