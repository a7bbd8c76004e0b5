// engines: postgres
// long: waits for replicas that fall silent
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Api } from '../../../src/kit/api-declaration.ts';
import { readContract } from '../../../src/kit/contract/contract.ts';
import { listOf } from '../../../src/kit/graphql/list-fields.ts';
import { recordOf } from '../../../src/kit/graphql/record-fields.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { collectionHandlers } from '../../../src/kit/rest/collection-handlers.ts';
import type { HandlerParts } from '../../../src/kit/rest/handler.ts';
import { serve } from '../../../src/kit/serve.ts';
import { collection, type StoreOf } from '../../../src/kit/store/table-declarations.ts';
import {
  type Postgres,
  type Standby,
  startPostgres,
} from '../../../tools/support/embedded-postgres.ts';
import { freePort } from '../../../tools/support/free-port.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { createClient, type Client as HttpClient } from '../../support/client.ts';
import { startCollector } from '../../support/collector.ts';
import { needPostgres } from '../../support/engine.ts';
import { openLink } from '../../support/link.ts';
import { draftedMigrations } from '../../support/table-store.ts';

type Parcel = { readonly id: number; readonly label: string };
const tables = { parcels: collection<Parcel>({ label: 'text' }) };
type Store = StoreOf<typeof tables>;

needPostgres();
const folder = mkdtempSync(join(tmpdir(), 'accord-replicas-'));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name));
};
const stops: (() => Promise<unknown>)[] = [];
let api: Api;
let primary: Postgres;
let standby: Standby;
let address: string;

beforeAll(async () => {
  const drafted = draftedMigrations(tables);
  stops.push(async () => drafted.remove());
  // Its store and its schemes are not among the types of an API without generated ones.
  api = {
    openapi: file('openapi.yaml', contract),
    graphql: file('schema.graphql', sdl),
    tables,
    migrations: drafted.migrations,
    security: { key: (key: string) => ({ key }) },
    handlers: ({ store }: HandlerParts<Store>) => {
      const parcels = collectionHandlers('/parcels', store.parcels);
      return {
        listParcels: parcels.list,
        createParcel: parcels.create,
        getParcel: parcels.get,
        replaceParcel: parcels.replace,
      };
    },
    resolvers: {
      Query: {
        parcels: listOf('Query.parcels', ({ parcels }: Store) => parcels),
        parcel: recordOf(({ parcels }: Store) => parcels),
      },
      Mutation: {
        addParcel: async (_: unknown, { label }: Parcel, { store }: { store: Store }) =>
          JSON.parse((await store.parcels.create({ label })).json),
        held: async (_: unknown, { id }: Parcel, { store }: { store: Store }) =>
          store.parcels.find(Number(id)),
      },
    },
  } as unknown as Api;
  primary = await startPostgres(['fsync=off']);
  stops.push(primary.remove);
  address = await primary.createDatabase('replicas');
  standby = await primary.startStandby();
  stops.push(() => standby.stop());
});
afterAll(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  rmSync(folder, { recursive: true });
});

/** A server whose reads a replica answers; each client has a connection of its own. */
async function served(env: Readonly<Record<string, string>> = {}, ports = [standby.port]) {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join();
  const log: string[] = [];
  const running = await serve(api, {
    settings: readSettings({
      ...{ ...atOnce, PORT: '0', RESPONSE_SAMPLE: '1', DATABASE_URL: address },
      DATABASE_READ_URL: `postgres://accord:not%20a%20secret@${hosts}/replicas`,
      // Longer than the tests take: a replica whose replay is paused is asked all the same.
      DATABASE_READ_LAG: '600000',
      ...env,
    }),
    log: createLog('info', (line) => log.push(line)),
  });
  stops.push(running.stop);
  const documents = await readContract(file('openapi.yaml', contract));
  const client = () => createClient(running.url, documents);
  const reads = async (from: 'replica' | 'writer') => {
    const text = await (await fetch(`${running.url}/metrics`)).text();
    return Number(
      text.match(new RegExp(`^accord_store_reads_total\\{from="${from}"\\} (\\d+)`, 'm'))?.[1] ?? 0,
    );
  };
  const usesReplica = async () => {
    const before = await reads('replica');
    while ((await reads('replica')) === before) {
      expect((await (await client())({ path: '/parcels?limit=1' })).status).toBe(200);
      await sleep(20);
    }
  };
  const messages = () => log.map((line) => JSON.parse(line)).filter(({ msg }) => msg);
  const ofReplicas = () =>
    messages().flatMap(({ msg }) => (msg.startsWith('The replica ') ? [msg] : []));
  const faults = () =>
    messages().filter(({ level, msg }) => level === 'error' && !ofReplicas().includes(msg));
  return { client, reads, usesReplica, faults, ofReplicas, url: running.url };
}

type Server = Awaited<ReturnType<typeof served>>;

const post = { method: 'POST', path: '/parcels', json: { label: 'a' } };

async function created(request: HttpClient, headers = {}) {
  const { status, json, headers: sent } = await request({ ...post, headers });
  expect(status).toBe(201);
  expect(sent['accord-position']).toMatch(/^[0-9A-F]{16}$/);
  return { path: `/parcels/${json.id}`, id: json.id, position: String(sent['accord-position']) };
}

it('a server with a replica can be traced, too', async () => {
  const collector = await startCollector();
  stops.push(collector.stop);
  const server = await served({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const request = await server.client();
  const { path, position } = await created(request);
  expect((await request({ path, headers: { 'accord-position': position } })).status).toBe(200);
  const names = () => collector.spans.map(({ name }) => name);
  await vi.waitFor(
    () => {
      expect(names()).toContain('createParcel');
      expect(names()).toContain('getParcel');
    },
    { timeout: 60_000 },
  );
});

const query = (text: string, variables = {}) => ({
  method: 'POST',
  path: '/graphql',
  json: { query: text, variables },
});

describe('a server with a replica that is behind', () => {
  let server: Server;
  beforeAll(async () => {
    server = await served();
    await created(await server.client());
    await server.usesReplica();
    await paused(true);
    while (!(await isPaused())) await sleep(10);
  });
  afterAll(() => paused(false));

  const statusOf = async (path: string, headers = {}) =>
    (await (await server.client())({ path, headers })).status;

  it('lets the replica answer those who have written nothing', async () => {
    const { path } = await created(await server.client());
    expect(await statusOf(path)).toBe(404);
  });

  it('shows the write to whom sends its position, and to nobody with an earlier one', async () => {
    const request = await server.client();
    const first = await created(request);
    const second = await created(request);
    expect(second.position > first.position).toBe(true);
    for (const { path } of [first, second]) {
      expect(await statusOf(path, { 'accord-position': second.position })).toBe(200);
      expect(await statusOf(path, { 'accord-position': second.position.toLowerCase() })).toBe(200);
    }
    expect(await statusOf(second.path, { 'accord-position': '0000000000000001' })).toBe(404);
  });

  it.each(['', 'x', '0/16B3748', '00000000000000001', 'GGGGGGGGGGGGGGGG'])(
    'lets the writer answer where the position is %j',
    async (given) => {
      const { path } = await created(await server.client());
      expect(await statusOf(path, { 'accord-position': given })).toBe(200);
    },
  );

  it('shows the write to what follows it on its connection', async () => {
    const request = await server.client();
    const { path } = await created(request);
    expect((await request({ path })).status).toBe(200);
    expect((await request({ method: 'HEAD', path })).status).toBe(200);
    expect((await request({ path: '/parcels' })).text).toContain(path.slice(9));
  });

  it.each([{ authorization: 'Bearer a' }, { authorization: 'Basic YTpi' }, { 'x-key': 'k' }])(
    'shows the write to those who carry %j',
    async (credentials) => {
      const { path } = await created(await server.client(), credentials);
      expect(await statusOf(path, credentials)).toBe(200);
      const others = Object.fromEntries(Object.keys(credentials).map((name) => [name, 'Bearer b']));
      expect(await statusOf(path, others)).toBe(404);
    },
  );

  it('does the same for GraphQL, by one statement and by execution', async () => {
    const mutation = query('mutation { addParcel(label: "g") { id } }');
    const answer = await (await server.client())(mutation);
    const { id } = answer.json.data.addParcel;
    const headers = { 'accord-position': String(answer.headers['accord-position']) };
    const text = 'query Q($id: ID!) { parcel(id: $id) { id label } }';
    for (let use = 1; use <= 4; use++) {
      const stranger = await (await server.client())(query(text, { id }));
      expect(stranger.json.data.parcel).toBeNull();
      const own = await (await server.client())({ ...query(text, { id }), headers });
      expect(own.json.data.parcel).toEqual({ id, label: 'g' });
    }
    const execution = query(
      `{ parcels { id __typename ...on Parcel @include(if: true) { label } } }`,
    );
    expect((await (await server.client())(execution)).text).not.toContain(`"id":"${id}"`);
    expect((await (await server.client())({ ...execution, headers })).text).toContain(
      `"id":"${id}"`,
    );
  });

  it('asks the writer in whatever may write', async () => {
    const { path, id } = await created(await server.client());
    const put = { method: 'PUT', path, json: { label: 'b' }, headers: { 'if-match': '"1"' } };
    const replaced = await (await server.client())(put);
    expect([replaced.status, replaced.headers.etag]).toEqual([200, '"2"']);
    expect(replaced.headers['accord-position']).toBeDefined();
    const found = await (await server.client())(query(`mutation { held(id: ${id}) { label } }`));
    expect(found.json.data.held).toEqual({ label: 'b' });
  });

  it('tells the position of a write under an Idempotency-Key, and again when it is repeated', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [first, again] = [
      await created(await server.client(), headers),
      await created(await server.client(), headers),
    ];
    expect(again.path).toBe(first.path);
    for (const { position } of [first, again]) {
      expect(await statusOf(first.path, { 'accord-position': position })).toBe(200);
    }
  });

  it('lets the replica answer as soon as it has replayed the write', async () => {
    const { path, position } = await created(await server.client());
    await paused(false);
    const request = await server.client();
    const headers = { 'accord-position': position };
    const before = await server.reads('replica');
    while ((await server.reads('replica')) === before) {
      expect((await request({ path, headers })).status).toBe(200);
    }
    expect(server.faults()).toEqual([]);
  });
});

describe('a server with a replica', () => {
  beforeEach(() => paused(false));

  it('does not ask it when it lags more than the bound', async () => {
    const server = await served({ DATABASE_READ_LAG: '400' });
    await server.usesReplica();
    await paused(true);
    const { path } = await created(await server.client());
    while ((await (await server.client())({ path })).status !== 200) await sleep(20);
    const before = await server.reads('replica');
    for (let i = 0; i < 20; i++) {
      expect((await (await server.client())({ path })).status).toBe(200);
    }
    expect(await server.reads('replica')).toBe(before);
    await paused(false);
    await server.usesReplica();
    // It has all that there is, however long ago that was written.
    await sleep(1000);
    await server.usesReplica();
  });

  it('passes over a host that nobody listens on, and one that takes writes', async () => {
    const ports = [await freePort(), Number(new URL(address).port), standby.port];
    const server = await served({}, ports);
    await server.usesReplica();
    const alone = await served({}, ports.slice(0, 2));
    expect((await (await alone.client())({ path: '/parcels' })).status).toBe(200);
    expect(await alone.reads('replica')).toBe(0);
    expect([...server.faults(), ...alone.faults()]).toEqual([]);
    for (const { ofReplicas } of [server, alone]) {
      const told = (port: number) => ofReplicas().filter((line) => line.includes(`:${port}/`));
      const [nobody = 0, writer = 0] = ports;
      expect(told(nobody)).toHaveLength(1);
      // One that takes writes is there.
      expect(told(writer)).toEqual([]);
    }
  });

  it('leaves one that does not answer any more', async () => {
    const near = Object.assign(new URL(address), { port: String(standby.port) });
    const link = await openLink(near.href);
    stops.push(link.cut);
    const server = await served({}, [Number(new URL(link.address).port)]);
    await server.usesReplica();
    link.silence();
    const request = await server.client();
    const before = await server.reads('replica');
    for (let i = 0; i < 5; i++) expect((await request({ path: '/parcels' })).status).toBe(200);
    expect(await server.reads('replica')).toBe(before);
    expect(server.faults()).toEqual([]);
  });

  it('is told once in the log when it cannot be reached, and once when it is back', async () => {
    const near = Object.assign(new URL(address), { port: String(standby.port) });
    const link = await openLink(near.href, 'closed');
    stops.push(link.cut);
    const { host } = new URL(link.address);
    const lost = `The replica postgres://${host}/replicas: the connection failed`;
    const back = `The replica postgres://${host}/replicas is back`;
    const server = await served({}, [Number(new URL(link.address).port)]);
    while (server.ofReplicas().length < 1) await sleep(20);
    // It is looked for every second.
    await sleep(2500);
    expect(server.ofReplicas()).toEqual([lost]);
    await link.open();
    await server.usesReplica();
    expect(server.ofReplicas()).toEqual([lost, back]);
    await link.cut();
    while (server.ofReplicas().length < 3) {
      expect((await (await server.client())({ path: '/parcels' })).status).toBe(200);
    }
    expect(server.ofReplicas()).toEqual([lost, back, lost]);
    expect(server.faults()).toEqual([]);
  });

  it('lets pages of other origins send and read the position', async () => {
    const { url } = await served({ CORS_ORIGINS: '*' });
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
    const preflight = await fetch(`${url}/parcels`, { method: 'OPTIONS', headers });
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/, Accord-Position$/);
    const answer = await fetch(`${url}/parcels`, { headers });
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/, Accord-Position$/);
  });

  it('fails no read when it is stopped, asks it when it is back, and leaves it when it is promoted', async () => {
    const server = await served();
    await server.usesReplica();
    const statuses = new Set<number>();
    let isOver = false;
    const reading = Array.from({ length: 8 }, async () => {
      const request = await server.client();
      while (!isOver) statuses.add((await request({ path: '/parcels?limit=2' })).status);
    });
    await standby.stop();
    const before = await server.reads('writer');
    while ((await server.reads('writer')) < before + 20) await sleep(10);
    await standby.start();
    await server.usesReplica();
    await standby.promote();
    let replica = 0;
    // What is promoted is asked for up to a second.
    for (let same = 0; same < 5; same++) {
      const now = await server.reads('replica');
      if (now > replica) same = 0;
      replica = now;
      await sleep(100);
    }
    isOver = true;
    await Promise.all(reading);
    expect([...statuses]).toEqual([200]);
    expect(server.faults()).toEqual([]);
  });
});

async function paused(isPausing: boolean): Promise<void> {
  await onStandby(`SELECT pg_wal_replay_${isPausing ? 'pause' : 'resume'}()`);
}

async function isPaused(): Promise<boolean> {
  const [row] = await onStandby('SELECT pg_get_wal_replay_pause_state() AS state');
  return Object(row).state === 'paused';
}

async function onStandby(sql: string): Promise<unknown[]> {
  const url = Object.assign(new URL(address), { port: String(standby.port) });
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

const contract = (() => {
  const of = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
  const ref = (name: string) => `{ $ref: '#/components/schemas/${name}' }`;
  const answer = (schema: string) =>
    `{ description: Done, headers: { ETag: { schema: { type: string } }, Location: { schema: { type: string } }, Link: { schema: { type: string } } }, ${of(schema)} }`;
  const refusals = [400, 401, 404, 409, 412, 422, 503]
    .map(
      (status) =>
        `'${status}': { description: Refused, content: { application/problem+json: { schema: { type: object } } } }`,
    )
    .join(', ');
  const body = `requestBody: { required: true, ${of(ref('ParcelInput'))} }`;
  const header = (name: string) => `{ in: header, name: ${name}, schema: { type: string } }`;
  const id = '{ in: path, name: id, required: true, schema: { type: integer, minimum: 1 } }';
  return `openapi: 3.1.0
info: { title: Parcels, version: '1' }
security: [{ key: [] }, {}]
paths:
  /parcels:
    get:
      operationId: listParcels
      parameters:
        - { in: query, name: limit, schema: { type: integer, minimum: 1, maximum: 1000 } }
        - { in: query, name: after, schema: { type: integer, minimum: 1 } }
      responses: { '200': ${answer(`{ type: array, items: ${ref('Parcel')} }`)}, ${refusals} }
    post:
      operationId: createParcel
      parameters: [${header('Idempotency-Key')}]
      ${body}
      responses: { '201': ${answer(ref('Parcel'))}, ${refusals} }
  /parcels/{id}:
    parameters: [${id}]
    get:
      operationId: getParcel
      parameters: [${header('If-None-Match')}]
      responses: { '200': ${answer(ref('Parcel'))}, '304': { description: Same }, ${refusals} }
    put:
      operationId: replaceParcel
      parameters: [${header('If-Match')}, ${header('If-None-Match')}]
      ${body}
      responses: { '200': ${answer(ref('Parcel'))}, ${refusals} }
  /graphql:
    post:
      operationId: executeGraphql
      requestBody: { required: true, ${of('{ type: object }')} }
      responses: { '200': { description: Done, ${of('{ type: object }')} }, ${refusals} }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    ParcelInput: { type: object, additionalProperties: false, required: [label], properties: { label: { type: string } } }
    Parcel: { type: object, required: [id, label], properties: { id: { type: integer }, label: { type: string } } }
`;
})();

const sdl = `
type Query { parcels: [Parcel!]! parcel(id: ID!): Parcel }
type Mutation { addParcel(label: String!): Parcel! held(id: ID!): Parcel }
type Parcel { id: ID! label: String! }
`;
