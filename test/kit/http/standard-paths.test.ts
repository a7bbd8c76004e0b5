import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';

const contract = `openapi: 3.1.0
info: { title: Rooms, version: 1.0.0 }
paths:
  /rooms:
    get:
      operationId: getRooms
      responses: { '200': { description: ok }, '429': { description: Too many } }
  /open:
    get:
      operationId: getOpen
      responses: { '200': { description: ok } }
`;
const ok = () => ({ status: 200, headers: {}, body: undefined });
const handlers = { getRooms: ok, getOpen: ok };
const graphql = 'type Query { one: Int }';
const resolvers = { Query: { one: () => 1 } };

let server: Awaited<ReturnType<typeof serveContract>>;
beforeAll(async () => {
  const env = { RATE_LIMIT: '1/3600' };
  server = await serveContract(contract, handlers, { env, graphql, resolvers });
});
afterAll(() => server.stop());

async function statuses(path: string, times: number): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) found.push((await fetch(server.url + path)).status);
  return found;
}

describe('the rate limit', () => {
  it.each(['/healthz', '/readyz', '/metrics', '/open'])('does not count %s', async (path) => {
    expect(await statuses(path, 3)).toEqual([200, 200, 200]);
    const { headers } = await fetch(server.url + path);
    expect(headers.get('ratelimit')).toBeNull();
  });

  it('is not held to where it cannot be counted, and the failure is logged', async () => {
    const lost = vi.spyOn(RateLimiterMemory.prototype, 'consume');
    lost.mockRejectedValue(new Error('no count'));
    expect(await statuses('/rooms', 3)).toEqual([200, 200, 200]);
    const { headers } = await fetch(`${server.url}/rooms`);
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
    lost.mockRestore();
    expect(server.log.filter((line) => line.includes('no count'))).not.toEqual([]);
    expect((await statuses('/rooms', 2)).at(-1)).toBe(429);
  });

  it.each(['/openapi.yaml', '/openapi.json', '/schema.graphql', '/docs', '/nothing'])(
    'counts %s, which the contract does not declare',
    async (path) => {
      expect((await statuses(path, 2)).at(-1)).toBe(429);
    },
  );
});

describe('the operation in the log', () => {
  it.each([
    ['/healthz', 'standard'],
    ['/readyz', 'standard'],
    ['/metrics', 'standard'],
    ['/openapi.yaml', 'standard'],
    ['/openapi.json', 'standard'],
    ['/schema.graphql', 'standard'],
    ['/docs', 'docs'],
    ['/rooms', 'getRooms'],
    ['/nothing', 'none'],
  ])('for %s is %s', async (path, operation) => {
    const lines = () => server.log.filter((line) => JSON.parse(line).path === path);
    const before = lines().length;
    await (await fetch(server.url + path)).text();
    while (lines().length === before) await sleep(5);
    expect(JSON.parse(lines().at(-1) ?? '{}').operation).toBe(operation);
  });
});
