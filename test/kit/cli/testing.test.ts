// engines: sqlite
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Api } from '../../../src/kit/api-declaration.ts';
import { contractChecks } from '../../../src/kit/cli/test/testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-testing-'));
const counts = join(folder, 'counts');
// What is counted here is of other contracts than this repository's.
beforeEach(() => vi.stubEnv('CONTRACT_COVERAGE', counts));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name));
};

const openapi = file(
  'openapi.yaml',
  `openapi: 3.1.0
info: { title: Ports, version: 1.0.0 }
paths:
  /ports/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer, minimum: 5 } }
    get:
      operationId: getPort
      responses:
        "200":
          description: The port.
          content: { application/json: { schema: { $ref: "#/components/schemas/Port" } } }
    put:
      operationId: putPort
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Port" } } }
      responses:
        "204": { description: It is kept. }
components:
  schemas:
    Port:
      type: object
      required: [name]
      properties: { name: { type: string, minLength: 3 } }
`,
);
const graphql = file(
  'schema.graphql',
  `type Query { port(id: ID!, filter: Filter!): Port ports: [Port!]! }
type Mutation { rename(name: String!): Port! }
type Port { id: ID! name: String! neighbours(first: Int = 2): [Port!]! }
input Filter { text: String!, near: Point, kinds: [Kind!]! }
input Point { x: Float! }
enum Kind { SEA RIVER }
`,
);

/** What each check says of an API. */
async function faults(api: Api): Promise<Record<string, string[]>> {
  const { checks, stop } = await contractChecks(api);
  try {
    const found = [];
    for (const { name, ask } of checks) found.push([name, await ask()] as const);
    return Object.fromEntries(found);
  } finally {
    await stop();
  }
}

describe('contractChecks', () => {
  it('asks each operation and each root field, and finds nothing in mocks', async () => {
    expect(await faults({ openapi, graphql, mocks: true })).toEqual({
      'GET /ports/{id}': [],
      'PUT /ports/{id}': [],
      'Query.port': [],
      'Query.ports': [],
      'Mutation.rename': [],
    });
  });

  it('says what in an answer the contract does not admit', async () => {
    const handlers = {
      getPort: () => ({ status: 200, body: { name: 'ab' } }),
      putPort: () => {
        throw new Error('broken');
      },
    };
    const resolvers = { Query: { ports: () => [{ id: 1, neighbours: [] }] } };
    const found = await faults({
      openapi,
      graphql,
      mocks: true,
      handlers: () => handlers,
      resolvers,
    });
    expect(found['GET /ports/{id}']?.join()).toMatch(/name must NOT have fewer than 3 characters/);
    expect(found['PUT /ports/{id}']?.join()).toMatch(/^500 /);
    expect(found['Mutation.rename']).toEqual([]);
  });
});

it('the servers of tests count what is exercised, where they are told to', () => {
  const files = readdirSync(counts).map((name) => readFileSync(join(counts, name), 'utf8'));
  expect(files.some((text) => Object(JSON.parse(text))['getPort → 200'] > 0)).toBe(true);
});
