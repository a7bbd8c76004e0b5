// engines: sqlite
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSchema, graphqlSync } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../../src/kit/api-declaration.ts';
import type { MockOptions } from '../../../src/kit/mock/mocks.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { everyFeature, featureResolvers, scalars } from '../../support/every-feature.ts';

type Own = Partial<Pick<Api, 'resolvers' | 'scalars'>> & { readonly mocks?: MockOptions };

/** Serves an SDL whose fields are mocked unless they have a resolver. */
async function serveSdl(sdl: string, { mocks = {}, ...own }: Own = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mock-'));
  writeFileSync(join(folder, 'schema.graphql'), sdl);
  const failures: string[] = [];
  const graphql = pathToFileURL(join(folder, 'schema.graphql'));
  const running = await serve(
    { ...own, graphql, mocks },
    {
      settings: readSettings({ ...atOnce, PORT: '0', RESPONSE_SAMPLE: '1' }),
      log: createLog('error', (line) => failures.push(line)),
    },
  );
  rmSync(folder, { recursive: true });
  const send = (query: string, accept = 'application/json') =>
    fetch(`${running.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query }),
    });
  return {
    ...running,
    failures,
    send,
    async ask(query: string) {
      const response = await send(query);
      const { data, errors } = Object(await response.json());
      return { data, errors, mocked: response.headers.get('accord-mock') };
    },
  };
}

const everything = `{
  ships { ...ship }
  vessel(id: "Raft-7") { __typename id name }
  floating { __typename ... on Ship { ...ship } ... on Raft { planks } ... on Buoy { light } }
  node(id: "x") { __typename id }
  echo back names(names: []) matrix old plain
  sailor { mentor { mentor { name } } }
}
fragment ship on Ship {
  id name shade tonnage launched log
  crew { edges { cursor node { id name } } nodes { id } pageInfo { hasNextPage endCursor } }
}`;

describe('fields without a resolver', () => {
  let server: Awaited<ReturnType<typeof serveSdl>>;
  beforeAll(async () => {
    server = await serveSdl(everyFeature);
  });
  afterAll(() => server.stop());

  it('have values of their types', async () => {
    const { data, errors, mocked } = await server.ask(everything);
    expect([errors, mocked]).toEqual([undefined, 'true']);
    expect(data.vessel).toMatchObject({ __typename: 'Raft', id: 'Raft-7' });
    expect(data.node.id).toBe('x');
    expect(data.plain).toMatch(/^(ONE|TWO)$/);
    expect([2, 3]).toContain(data.ships.length);
    for (const { shade, launched, tonnage, crew } of data.ships) {
      // The deprecated value is not taken.
      expect(shade).toMatch(/^(DARK|PALE)$/);
      expect(new Date(launched).toJSON()).not.toBeNull();
      expect(Number.isInteger(tonnage)).toBe(true);
      expect(crew.nodes).toEqual(
        crew.edges.map(({ node }: { node: { id: string } }) => ({ id: node.id })),
      );
      expect(crew.pageInfo.endCursor).toBe(crew.edges.at(-1).cursor);
    }
    expect(server.failures).toEqual([]);
  });

  it('are the same for the same record, in compiled operations too', async () => {
    const { data } = await server.ask('{ ships { id name } }');
    const [{ id, name }] = data.ships;
    const query = `{ vessel(id: "${id}") { id name } }`;
    for (let i = 0; i < 15; i++) {
      expect((await server.ask(query)).data).toEqual({ vessel: { id, name } });
      expect((await server.ask('{ ships { id name } }')).data).toEqual(data);
    }
  });

  it('are the same after a restart, and others with another seed', async () => {
    const answers = await Promise.all(
      [1, 1, 2].map(async (seed) => {
        const other = await serveSdl(everyFeature, { mocks: { seed } });
        const text = await (await other.send(everything)).text();
        await other.stop();
        return text;
      }),
    );
    expect(answers[0]).toBe(await (await server.send(everything)).text());
    expect(answers[1]).toBe(answers[0]);
    expect(answers[2]).not.toBe(answers[0]);
  });

  it('lead through the pages of a connection', async () => {
    const page = async (args: string) =>
      (
        await server.ask(
          `{ sailor { ship { crew${args} { nodes { id } pageInfo { hasNextPage endCursor } } } } }`,
        )
      ).data.sailor.ship.crew;
    const all = await page('');
    const first = await page('(first: 2)');
    const rest = await page(`(first: 2, after: "${first.pageInfo.endCursor}")`);
    expect([first.nodes.length, first.pageInfo.hasNextPage]).toEqual([2, true]);
    expect(rest.pageInfo.hasNextPage).toBe(false);
    expect([...first.nodes, ...rest.nodes]).toEqual(all.nodes);
  });

  it('lead through a connection of edges alone, from its end and past it', async () => {
    const other = await serveSdl(`
      type Query { logs(first: Int, last: Int, after: String, before: String): Logs! odd: Odd! none: None! }
      type Logs { edges: [Edge!]! pageInfo: PageInfo! totalCount: Int! }
      type Edge { cursor: String! node: Log! }
      type Log { id: ID! }
      type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
      "No connections: one has no node, the other no list."
      type Odd { edges: [Loose!]! pageInfo: PageInfo! }
      type Loose { cursor: String! }
      type None { edges: Edge! pageInfo: PageInfo! }
    `);
    const page = async (args: string) =>
      (
        await other.ask(
          `{ logs${args} { totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
        )
      ).data.logs;
    const all = await page('');
    expect(all.edges).toHaveLength(all.totalCount);
    const last = await page('(last: 1)');
    expect(last.edges).toEqual(all.edges.slice(-1));
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const before = await page(`(before: "${all.edges[1].cursor}")`);
    expect(before.edges).toEqual(all.edges.slice(0, 1));
    const past = await page(`(after: "${all.pageInfo.endCursor}")`);
    expect(past).toMatchObject({ edges: [], pageInfo: { startCursor: null, endCursor: null } });
    const { data } = await other.ask(
      '{ odd { edges { cursor } pageInfo { hasNextPage } } none { edges { cursor } } }',
    );
    expect(data).toMatchObject({ odd: { edges: expect.any(Array) }, none: { edges: {} } });
    await other.stop();
  });

  it('show what a mutation was sent, within the bounds', async () => {
    const { data } = await server.ask('mutation { rename(id: "7", to: "new") { id } }');
    expect(data.rename.id).toBe('7');
    const { errors } = await server.ask('mutation { rename(id: "7", to: "") { id } }');
    expect(errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });

  it('send a few events and complete', async () => {
    const response = await server.send('subscription { sightings { __typename } }', EVENTS);
    expect(response.headers.get('accord-mock')).toBe('true');
    const text = await response.text();
    expect(text.match(/event: next/g)).toHaveLength(3);
    expect(text).toMatch(/event: complete/);
  });
});

const EVENTS = 'text/event-stream';

describe('beside written resolvers', () => {
  it('only what is missing is mocked', async () => {
    const sailor = () => ({ id: 1, name: 'Ann' });
    const server = await serveSdl(everyFeature, { resolvers: { Reads: { sailor } } });
    const written = await server.ask('{ sailor { id name } }');
    expect(written).toEqual({ data: { sailor: { id: '1', name: 'Ann' } }, mocked: null });
    const { data, mocked } = await server.ask('{ sailor { name mentor { name } } }');
    expect(data.sailor).toEqual({ name: 'Ann', mentor: { name: expect.any(String) } });
    expect(mocked).toBe('true');
    expect(server.mocked).toBe('18 of 19 fields are mocked');
    await server.stop();
  });

  it('nothing is, where nothing is missing; types and scalars of the API hold for mocks', async () => {
    const resolvers = featureResolvers();
    const whole = await serveSdl(everyFeature, { resolvers, scalars });
    expect(whole.mocked).toBeUndefined();
    expect((await whole.ask('{ ships { name } }')).mocked).toBeNull();
    await whole.stop();
    const { Reads: _, ...rest } = Object(resolvers);
    const part = await serveSdl(everyFeature, { resolvers: rest, scalars });
    const { data, errors } = await part.ask(
      '{ floating { __typename } vessel(id: "1") { id } back ships { id tonnage launched } }',
    );
    expect(errors).toBeUndefined();
    expect(data.ships[0].launched).toMatch(/^2026-.*Z$/);
    await part.stop();
  });

  it('a resolver without a field is refused all the same', async () => {
    const started = serveSdl(everyFeature, { resolvers: { Reads: { none: () => 1 } } });
    await expect(started).rejects.toThrow('no field for the resolver of Reads.none');
  });
});

it('makes what the schema of any introspected type admits', async () => {
  const sdl = `
    type Query { thing(id: Int!, kind: Kind): Thing! things(ids: [ID!]!, first: Int): [Thing!]! empty: [Thing!]! }
    type Mutation { make(input: Make!): Payload }
    input Make { title: String!, kind: Kind, clientMutationId: String }
    type Payload { clientMutationId: String thing: Thing }
    type Thing { id: ID! title: String! kind: Kind! price: Decimal! page: URL! at: DateTime! day: Date! of: [[Int!]!]! constructor: String toString: Int }
    enum Kind { A B }
    scalar Decimal scalar URL scalar DateTime scalar Date`;
  const server = await serveSdl(sdl);
  const { data, errors } = await server.ask(`mutation {
    make(input: { title: "T", kind: B, clientMutationId: "c" }) { clientMutationId thing { title kind } } }`);
  expect(errors).toBeUndefined();
  expect(data.make).toEqual({ clientMutationId: 'c', thing: { title: 'T', kind: 'B' } });
  const found = await server.ask(
    '{ thing(id: 5, kind: A) { id kind price page at day of constructor toString } things(ids: ["a", "b"]) { id } }',
  );
  expect(found.errors).toBeUndefined();
  expect(found.data.thing).toMatchObject({
    ...{ id: '5', kind: 'A', price: expect.any(Number), toString: expect.any(Number) },
    page: expect.stringMatching(/^https:/),
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(found.data.things).toEqual([{ id: 'a' }, { id: 'b' }]);
  // graphql itself takes the answer for one of the schema.
  const again = graphqlSync({
    schema: buildSchema(sdl),
    source: '{ thing(id: 5) { id kind price of } }',
    rootValue: { thing: { ...found.data.thing } },
  });
  expect(again.errors).toBeUndefined();
  await server.stop();
});
