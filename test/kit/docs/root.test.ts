// engines: sqlite
import { expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';
import { serveMock } from '../../support/mock-server.ts';

const contractOf = (paths: readonly string[]) => {
  const described = paths.map((path) => {
    const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: {} }));
    const get = { operationId: path, parameters, responses: { 204: { description: 'None.' } } };
    return [path, { get }];
  });
  const info = { title: 'Roots', version: '1' };
  return JSON.stringify({ openapi: '3.1.0', info, paths: Object.fromEntries(described) });
};
const health = ['/healthz', '/readyz'];
const kits = {
  docs: '/docs',
  contracts: ['/openapi.yaml', '/openapi.json'],
  health,
  metrics: '/metrics',
};

it.each([
  [['/a'], kits],
  [['/a', '/a/{id}', '/b/{id}', '/c'], { ...kits, collections: ['/a'] }],
  [
    ['/a', '/a/{id}', '/a/{id}/b', '/a/{id}/b/{x}', '/d', '/d/{e}/f'],
    { ...kits, collections: ['/a'] },
  ],
  [['/a', '/a/{id}.json'], kits],
  [['/graphql', '/metrics'], { ...kits, graphql: '/graphql' }],
])('/ links to what is served beside %j', async (paths, links) => {
  const server = await serveContract(contractOf(paths), {}, { mocks: true });
  const answer = await fetch(server.url);
  expect([answer.status, await answer.json()]).toEqual([200, links]);
  await server.stop();
});

it('/ is read, and nothing else', async () => {
  const server = await serveContract(contractOf(['/a']), {}, { mocks: true });
  expect((await fetch(server.url, { method: 'HEAD' })).status).toBe(200);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const { status, headers } = await fetch(server.url, { method });
    expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
  }
  await server.stop();
});

it('/ tells of no contract that is private', async () => {
  const env = { INTROSPECTION: 'off' };
  const server = await serveContract(contractOf(['/a', '/a/{id}']), {}, { mocks: true, env });
  const answer = await fetch(server.url, { headers: { accept: 'text/html' } });
  expect([answer.status, await answer.json()]).toEqual([200, { health }]);
  expect(answer.headers.get('vary')).toBe('Accept');
  await server.stop();
});

it('/ links to the endpoint of an SDL, which no OpenAPI description has', async () => {
  const graphql = new URL('../../../schema.graphql', import.meta.url);
  const server = await serveMock({ graphql });
  const links = { docs: '/docs', graphql: '/graphql', health, metrics: '/metrics' };
  expect(await (await fetch(server.url)).json()).toMatchObject(links);
  await server.stop();
});
