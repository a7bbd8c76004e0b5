// engines: sqlite
import { describe, expect, it } from 'vitest';
import { serveContract } from '../support/contract-server.ts';
import { serveGraphql } from '../support/graphql-server.ts';

const look = () => ({ status: 200, headers: {}, body: '"seen"' });
const responses = "{ '200': { description: Seen., content: { application/json: {} } } }";
const contractOf = (...paths: string[]) =>
  `{ openapi: 3.0.3, info: { title: T, version: 1.0.0 }, paths: { ${paths
    .map(
      (path, i) => `'${path}': { get: { operationId: look${i || ''}, responses: ${responses} } }`,
    )
    .join(', ')} } }`;

async function asked(url: string, path: string, method = 'GET') {
  const response = await fetch(`${url}${path}`, { method });
  const type = response.headers.get('content-type');
  return { status: response.status, type, text: await response.text(), response };
}

describe('an API whose contract knows nothing of them', () => {
  it('has health, readiness, metrics and its contract, all the same', async () => {
    const server = await serveContract(contractOf('/look'), { look }, { share: 1 });
    try {
      expect(await asked(server.url, '/healthz')).toMatchObject({
        ...{ status: 200, type: 'application/json', text: '{"status":"ok"}' },
      });
      expect(await asked(server.url, '/readyz')).toMatchObject({
        ...{ status: 200, type: 'application/json', text: '{"status":"ready"}' },
      });
      const metrics = await asked(server.url, '/metrics');
      expect([metrics.status, metrics.type]).toEqual([200, 'text/plain']);
      expect(metrics.text).toMatch(/operation="standard"/);
      expect(await asked(server.url, '/openapi.yaml')).toMatchObject({
        ...{ status: 200, type: 'application/yaml', text: contractOf('/look') },
      });
      const { type, text } = await asked(server.url, '/openapi.json');
      expect([type, JSON.parse(text).openapi]).toEqual(['application/json', '3.0.3']);
      expect((await asked(server.url, '/schema.graphql')).status).toBe(404);
      expect(server.log.join('')).not.toContain('"level":"error"');
    } finally {
      await server.stop();
    }
  });

  it('answers GET and HEAD there, and nothing else', async () => {
    const server = await serveContract(contractOf('/look'), { look });
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.yaml', '/openapi.json']) {
      const head = await asked(server.url, path, 'HEAD');
      expect([head.status, head.text], path).toEqual([200, '']);
      const { status, response } = await asked(server.url, path, 'POST');
      expect([status, response.headers.get('allow')], path).toEqual([405, 'GET, HEAD']);
    }
    await server.stop();
  });

  it('answers by its own handler what its contract declares, also by a template', async () => {
    const own = contractOf('/healthz', '/openapi.{kind}').replace(
      "'/openapi.{kind}': {",
      "'/openapi.{kind}': { parameters: [{ name: kind, in: path, required: true, schema: { type: string } }],",
    );
    const server = await serveContract(own, { look, look1: look });
    for (const path of ['/healthz', '/openapi.yaml', '/openapi.json']) {
      expect((await asked(server.url, path)).text, path).toBe('"seen"');
    }
    expect((await asked(server.url, '/readyz')).text).toBe('{"status":"ready"}');
    expect(JSON.parse((await asked(server.url, '/')).text)).toEqual({
      ...{ docs: '/docs', health: ['/healthz', '/readyz'], metrics: '/metrics' },
    });
    await server.stop();
  });

  it('keeps the contract private where introspection is off, and its health open', async () => {
    const env = { INTROSPECTION: 'off' };
    const server = await serveContract(contractOf('/look'), { look }, { env });
    for (const path of ['/openapi.yaml', '/openapi.json', '/docs']) {
      expect((await asked(server.url, path)).status, path).toBe(404);
    }
    expect((await asked(server.url, '/healthz')).status).toBe(200);
    expect(JSON.parse((await asked(server.url, '/')).text)).toEqual({
      health: ['/healthz', '/readyz'],
    });
    await server.stop();
  });

  it('does not count its probes', async () => {
    const env = { RATE_LIMIT: '1/3600' };
    const text = contractOf('/look', '/ranged').replaceAll(
      "'200'",
      "'4XX': { description: No. }, '200'",
    );
    const server = await serveContract(text, { look, look1: look }, { env });
    for (const path of ['/healthz', '/readyz', '/metrics', '/healthz']) {
      expect((await asked(server.url, path)).status, path).toBe(200);
    }
    const statuses = [await asked(server.url, '/look'), await asked(server.url, '/ranged')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
    await server.stop();
  });
});

it('an API of GraphQL alone has them, with its SDL as the contract', async () => {
  const sdl = 'type Query { a: Int }\n';
  const server = await serveGraphql(sdl, { Query: { a: () => 1 } });
  expect(JSON.parse((await asked(server.url, '/')).text)).toEqual({
    docs: '/docs',
    contracts: ['/schema.graphql'],
    graphql: '/graphql',
    health: ['/healthz', '/readyz'],
    metrics: '/metrics',
  });
  expect(await asked(server.url, '/schema.graphql')).toMatchObject({
    ...{ status: 200, type: 'application/graphql', text: sdl },
  });
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await asked(server.url, path)).status, path).toBe(200);
  }
  for (const path of ['/openapi.yaml', '/openapi.json']) {
    expect((await asked(server.url, path)).status, path).toBe(404);
  }
  await server.stop();
});
