// slow: starts processes
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import type { Api } from '../../../src/kit/api-declaration.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { startProcesses } from '../../../src/kit/process/run.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { atOnce, spawnServer } from '../../../tools/support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-run-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name));
};
const openapi = file(
  'openapi.yaml',
  `openapi: 3.1.0
info: { title: Rooms, version: 1.0.0 }
paths:
  /rooms:
    get:
      operationId: getRooms
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array } } } }
`,
);
const graphql = file('schema.graphql', 'type Query { one: Int }');
const own = { getRooms: () => ({ status: 200, headers: {}, body: [] }) };

/** Runs a program to its end. */
function ended(program: URL, args: readonly string[] = []) {
  const { PATH } = process.env;
  const command = [fileURLToPath(program), ...args];
  const options = { encoding: 'utf8', env: { PATH, PORT: '0' } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  return { status, stdout, stderr };
}
const main = new URL('../../../src/main.ts', import.meta.url);

const milliseconds = 'a whole number from 0 to 600000';
const many = 'a whole number from 1 to 1000000';
const address = 'an http or https address';
const lines = [
  'Commands: none to serve, migrate, migrate --draft <name>, migrate --check [<empty database>], copy <from> <to>, backup --out <file>, help',
  'HOST  the address to listen on: text',
  'PORT  the port to listen on; 0 takes a free one: a whole number from 0 to 65535',
  'DATABASE_URL  the database: sqlite:<file>, sqlite::memory: or postgres://<user>:<password>@<host>/<database>, with / ? # @ % in user and password percent-encoded',
  'DATABASE_POOL  connections of a process: a whole number from 1 to 1000',
  'DATABASE_READ_URL  replicas that answer reads: postgres://<user>:<password>@<host>[,<host>…]/<database>, as DATABASE_URL does',
  'DATABASE_READ_LAG  milliseconds that a replica may be behind: a whole number from 100 to 600000',
  'MIGRATE  whether the start brings tables up to date: on or off',
  'IDEMPOTENCY_EXPIRY  seconds for which the reply to an Idempotency-Key is kept: a whole number from 1 to 31536000',
  'SEED_DEMO  whether a new database gets demo data: true or false',
  'MOCKS  whether what is not written may be mocked: allow or refuse',
  'FAST_LANE  whether plainly valid requests bypass Express and graphql-http: on or off',
  'WORKERS  processes that serve: a whole number from 1 to 256',
  'DRAIN_GRACE  milliseconds for which idle connections stay open after SIGTERM: a whole number from 0 to 60000',
  `DRAIN_DELAY  milliseconds from /readyz 503 to drain: ${milliseconds}`,
  `DRAIN_LONGEST  milliseconds a drain may take: ${milliseconds}`,
  `MAX_IN_FLIGHT  requests at a time: ${many}`,
  `MAX_CONNECTIONS  connections: ${many}`,
  'LIST_TIMEOUT  milliseconds to read the lists of a request: a whole number from 1 to 14000',
  'UPLOAD_LIMIT  bytes of a body with files, or of one that is streamed: a whole number from 1 to 1099511627776',
  'LOG_LEVEL  the log: info, error or silent',
  'RESPONSE_SAMPLE  share of replies checked: a number from 0 to 1',
  'CORS_ORIGINS  origins that may read replies: * or origins such as https://example.com, with commas',
  'RATE_LIMIT  requests that each client may make: off, or requests/seconds such as 600/60, of at most 3600 seconds',
  'PROXIES  proxies in front, for X-Forwarded-For: a whole number from 0 to 10',
  `OTEL_EXPORTER_OTLP_ENDPOINT  an OpenTelemetry collector, for traces: ${address}`,
  `GRAPHQL_DEPTH  levels of an operation: ${many}`,
  `GRAPHQL_COST  fields of an operation, lists counted tenfold: ${many}`,
  `GRAPHQL_ALIASES  aliases of an operation: ${many}`,
  `GRAPHQL_TOKENS  tokens of a document: ${many}`,
  `GRAPHQL_DIRECTIVES  directives of an operation: ${many}`,
  `GRAPHQL_FIELDS  fields of an answer: ${many}`,
  `GRAPHQL_ERRORS  validation errors that are reported: ${many}`,
  'GRAPHQL_GET  whether queries may come by GET: on or off',
  `GRAPHQL_SUBSCRIPTIONS  subscriptions at a time: ${many}`,
  'GRAPHQL_SUBSCRIPTION_LIFE  seconds after which a subscription is to connect again: a whole number from 1 to 86400',
  'INTROSPECTION  whether the contracts are public: on or off',
  'AUTH_SECRET  the key of HS tokens: at least 32 characters',
  `AUTH_JWKS_URL  the keys of tokens: ${address}`,
  'AUTH_ISSUER  the iss of tokens: text',
  'AUTH_AUDIENCE  the aud of tokens: text',
];

describe('the command line', () => {
  it.each(['help', '--help'])('%s lists the commands and the settings', (command) => {
    const { status, stdout, stderr } = ended(main, [command]);
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('refuses a command that there is not', () => {
    expect(ended(main, ['serve'])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'accord: there is no command serve, only migrate, copy, backup and help\n',
    });
  });

  it.each([
    ["new Error('no luck')", 'no luck'],
    ["'bad luck'", 'bad luck'],
  ])('tells what was thrown before it served: %s', (thrown, told) => {
    const run = new URL('../../../src/kit/process/run.ts', import.meta.url).href;
    const program = file(
      'failing.mjs',
      `const { run } = await import(${JSON.stringify(run)});
       const openapi = new URL('openapi.yaml', import.meta.url);
       await run({ openapi, handlers: () => { throw ${thrown}; } });`,
    );
    expect(ended(program)).toEqual({ status: 1, stdout: '', stderr: `accord: ${told}\n` });
  });
});

it('compiled code is kept beside the packages, not in a folder that others may write to', () => {
  const cache = new URL('../../../src/kit/process/compile-cache.ts', import.meta.url).href;
  const program = file(
    'cached.mjs',
    `import { getCompileCacheDir } from 'node:module';
     const { keepCompiledCode } = await import(${JSON.stringify(cache)});
     keepCompiledCode();
     process.stdout.write(String(getCompileCacheDir()));`,
  );
  const folder = fileURLToPath(new URL('../../../node_modules/.cache/accord/', import.meta.url));
  expect(ended(program).stdout).toContain(folder);
});

it.each([
  [{}, []],
  [{ RATE_LIMIT: '600/60' }, ['rate-limit.ts']],
])('of what only some servers need, one with %j loads %j', async (env, names) => {
  const hooks = encodeURIComponent(`
    import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) {
      const [name] = url.match(/(rate-limit|read-positions|mocks|traces)\\.ts$/) ?? [];
      if (name) console.log('loads ' + name);
      return next(url, context);
    } });`);
  const options = ['--import', `data:text/javascript,${hooks}`];
  const server = spawnServer({ DATABASE_URL: 'sqlite::memory:', ...atOnce, ...env }, options);
  await server.ready();
  server.child.kill();
  await server.ended();
  expect(Array.from(server.output().matchAll(/^loads (.*)$/gm), ([, name]) => name)).toEqual(names);
});

describe('the first line of the log', () => {
  /** Its members beside those of every line. */
  async function told(served: Api, env: Record<string, string> = {}) {
    const log: string[] = [];
    const settings = readSettings({
      ...atOnce,
      PORT: '0',
      DATABASE_URL: 'sqlite::memory:',
      ...env,
    });
    const write = (line: string) => log.push(line);
    const { url, stop } = await startProcesses(served, settings, createLog('info', write));
    await stop();
    const first = log.map((line) => JSON.parse(line)).find(({ msg }) => msg.includes(' is at '));
    const { level, time, pid, msg, ...details } = first;
    expect([level, typeof time, pid, msg]).toEqual([
      ...['info', 'string', process.pid, `Accord is at ${url}`],
    ]);
    const texts = Object.entries(details).map(([name, text]) => [
      name,
      String(text).replaceAll(url, ''),
    ]);
    return Object.fromEntries(texts);
  }
  const health = '/readyz /metrics';
  const database = 'sqlite::memory:';

  it('tells of both protocols and the database', async () => {
    expect(await told(api)).toEqual({
      try: '/books',
      docs: '/docs',
      contract: '/openapi.yaml /schema.graphql',
      graphql: '/graphql',
      health,
      database,
    });
  });

  it('tells no contract where they are private', async () => {
    const details = await told(api, { INTROSPECTION: 'off' });
    expect(details).toEqual({ graphql: '/graphql', health, database });
  });

  it('tells of REST alone, and of GraphQL alone', async () => {
    expect(await told({ openapi, handlers: () => own })).toEqual({
      ...{ docs: '/docs', contract: '/openapi.yaml', health },
    });
    expect(await told({ graphql, resolvers: { Query: { one: () => 1 } } })).toEqual({
      ...{ docs: '/docs', contract: '/schema.graphql', graphql: '/graphql', health },
    });
  });

  it('tells what is mocked', async () => {
    expect(await told({ openapi, mocks: true })).toEqual({
      ...{ docs: '/docs', contract: '/openapi.yaml', health },
      mocked: expect.stringMatching(/mock/i),
    });
  });
});
