// engines: sqlite
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { parseContract } from '../../src/kit/contract/contract.ts';
import { mockApi } from '../../src/kit/mock-api.ts';
import { mockedParts } from '../../src/kit/mocked-parts.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { startProcesses } from '../../src/kit/process/run.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { foreignContracts } from '../../tools/support/foreign-contracts.ts';
import { atOnce } from '../../tools/support/server-process.ts';
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
    const marks = /<span class="mark mocked">/g;
    expect(landing.match(marks)).toHaveLength(3);
    const notice = '<strong>Mocked.</strong>';
    expect(await pageOf(one.url, '/docs/rest/lids')).toContain(notice);
    expect(await pageOf(one.url, '/docs/rest/crates')).not.toContain(notice);
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

describe('of what is mocked', () => {
  const operation = (id: string) =>
    `{ operationId: ${id}, responses: { '200': { description: Done. } } }`;
  const both = `
openapi: 3.1.0
info: { title: Depot, version: '1' }
paths:
  /graphql: { get: ${operation('ask')}, post: ${operation('send')} }
  /crates: { post: ${operation('store')} }
`;
  const sdl = 'type Query { a: Int b: Int } type Mutation { c: Int } type Subscription { d: Int }';
  const empty = { ...{ openapi: '3.1.0', info: { title: 'None', version: '1' }, paths: {} } };
  const line = async (text: string, handlers: object, resolvers?: object, schema = sdl) =>
    mockedParts({
      contract: await parseContract(text),
      handlers,
      schema: resolvers && buildSchema(schema),
      resolvers: { ...resolvers },
    })?.line;
  const done = () => ({ status: 200 });
  const value = () => 1;
  const fields = { Query: { a: value, b: value }, Mutation: { c: value } };

  it.each([
    [both, {}, undefined, '3 of 3 operations are mocked'],
    [both, { send: done }, undefined, '2 of 3 operations are mocked'],
    [both.replace(/ {2}\/graphql.*\n/, ''), {}, undefined, '1 of 1 operations are mocked'],
    // The endpoint of GraphQL answers one of them.
    [both, {}, {}, '2 of 2 operations and 4 of 4 fields are mocked'],
    [both, { ask: done, store: done }, fields, '0 of 2 operations and 1 of 4 fields are mocked'],
    [
      both,
      { ask: done },
      { ...fields, Subscription: { d: { subscribe: value } } },
      '1 of 2 operations and 0 of 4 fields are mocked',
    ],
    [both, { ask: done }, fields, '1 of 2 operations and 1 of 4 fields are mocked'],
    [JSON.stringify(empty), {}, fields, '1 of 4 fields are mocked'],
    [both, { ask: done, send: done, store: done }, undefined, undefined],
    [
      both.replace('  /crates: { post: ', '  /graphql/x: { post: '),
      { ask: done },
      {},
      '1 of 2 operations and 4 of 4 fields are mocked',
    ],
  ])('each is counted (case %#)', async (text, handlers, resolvers, told) => {
    expect(await line(text, handlers, resolvers)).toBe(told);
  });

  it('a single field is counted', async () => {
    const told = await line(JSON.stringify(empty), {}, {}, 'type Query { a: Int }');
    expect(told).toBe('1 of 1 fields are mocked');
  });
});

it('stands in the start message', async () => {
  const openapi = foreignContracts().find(({ name }) => name === 'galaxy/3.1.json')?.file;
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const settings = readSettings({ ...atOnce, PORT: '0' });
  const { stop } = await startProcesses(mockApi({ ...(openapi && { openapi }) }), settings, log);
  await stop();
  const started = lines.find((line) => line.includes('Accord is at'));
  expect(started).toContain('9 of 9 operations are mocked');
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

  it('a field that a record lacks is not mocked', async () => {
    const sdl = 'type Query { crate: Crate } type Crate { name: String }';
    const nameOf = async (env: Readonly<Record<string, string>>) => {
      const server = await serveContract(
        contract,
        { crates, lids },
        { mocks: true, graphql: sdl, resolvers: { Query: { crate: () => ({}) } }, env },
      );
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ crate { name } }"}',
      });
      await server.stop();
      return Object(await response.json()).data.crate.name;
    };
    expect(await nameOf({})).toEqual(expect.any(String));
    expect(await nameOf(production)).toBeNull();
  });

  it('refusals are not made from the contract', async () => {
    const own = `
openapi: 3.1.0
info: { title: Depot, version: '1' }
paths:
  /crates:
    get:
      operationId: crates
      parameters: [{ name: n, in: query, schema: { type: integer } }]
      responses:
        '200': { description: All., content: { application/json: {} } }
        '400': { description: Refused., content: { application/json: { schema: { const: oops } } } }
`;
    const refusedWith = async (env: Readonly<Record<string, string>>) => {
      const server = await serveContract(own, { crates }, { mocks: true, env });
      const response = await fetch(`${server.url}/crates?n=x`);
      await server.stop();
      return [response.status, await response.json()];
    };
    expect(await refusedWith({})).toEqual([400, 'oops']);
    expect(await refusedWith(production)).toEqual([400, expect.objectContaining({ status: 400 })]);
  });
});
