import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../tools/support/free-port.ts';
import { createConnection } from '../tools/support/http-connection.ts';
import { type Dialect, jsonServerDialect, postgraphileDialect } from './dialects.ts';
import type { Engine } from './engines.ts';

export const root = new URL('..', import.meta.url).pathname;

/** How to run one server, and the cases that it does not support. */
export type Peer = {
  readonly name: string;
  readonly title: string;
  readonly protocols: readonly ('rest' | 'graphql')[];
  readonly omits?: readonly string[];
  readonly dialect?: Dialect;
  /** The share of the requests that it gets, where all would take hours. */
  readonly share?: { readonly reads: number; readonly writes: number };
  readonly engines: readonly Engine[];
  readonly data: 'database' | 'json';
  /** `data` is the address of its database, or its JSON file. */
  arguments(data: string, port: number): readonly string[];
  environment(data: string, port: number): Readonly<Record<string, string>>;
};

const peer = (name: string, title: string, ...protocols: Peer['protocols'][number][]): Peer => ({
  name,
  title,
  protocols,
  engines: ['sqlite', 'postgres'],
  data: 'database',
  arguments: () => [join(root, `bench/peers/${name}.ts`)],
  environment: (DATABASE_URL, port) => ({ DATABASE_URL, PORT: String(port) }),
});

/** Accord as a user starts it, from this tree or from a copy of it. */
export const accord = (
  name: string,
  title: string,
  tree: string,
  settings: Readonly<Record<string, string>> = {},
): Peer => ({
  ...peer(name, title, 'rest', 'graphql'),
  arguments: () => [join(tree, 'src/main.ts')],
  environment: (DATABASE_URL, port) => ({
    ...settings,
    DATABASE_URL,
    PORT: String(port),
    SEED_DEMO: 'false',
    // The others do not log requests.
    LOG_LEVEL: 'error',
  }),
});

export const fastifyAlone = peer('fastify-rest', 'Fastify + fastify-openapi-glue', 'rest');

export const peers: readonly Peer[] = [
  accord('accord', 'Accord', root),
  {
    ...peer('floor', 'bare node:http', 'rest', 'graphql'),
    engines: ['sqlite'],
    omits: ['nested', 'mutation'],
  },
  peer('fastify', 'Fastify + glue, Mercurius JIT', 'rest', 'graphql'),
  peer('nest', 'NestJS on Fastify', 'rest'),
  peer('express', 'Express + express-openapi-validator', 'rest'),
  peer('apollo', 'Apollo Server', 'graphql'),
  peer('yoga', 'GraphQL Yoga', 'graphql'),
  {
    ...peer('postgraphile', 'PostGraphile', 'graphql'),
    engines: ['postgres'],
    dialect: postgraphileDialect,
    environment: (DATABASE_URL, port) => ({
      ...{ DATABASE_URL, PORT: String(port) },
      GRAPHILE_ENV: 'production',
    }),
  },
  {
    ...peer('json-server', 'json-server', 'rest'),
    engines: ['sqlite'],
    // It has neither 400 nor 405.
    omits: ['invalid', 'not-allowed'],
    dialect: jsonServerDialect,
    // It scans all records for one, and rewrites its file on every change.
    share: { reads: 0.1, writes: 0.02 },
    data: 'json',
    arguments: (file, port) => [
      join(root, 'bench/node_modules/json-server/lib/cli/bin.js'),
      ...['--quiet', '--host', '127.0.0.1', '--port', String(port), file],
    ],
    environment: () => ({}),
  },
];

export type Server = {
  readonly peer: Peer;
  readonly port: number;
  readonly pid: number;
  /** The process whose children are its database's, which it may share with others. */
  readonly cluster: number | undefined;
  /** Milliseconds from its start as a process to its first answer. */
  readonly elapsed: number;
  stop(): Promise<void>;
};

/** Starts a server on its copy of the data and waits until it answers. */
export async function startServer(peer: Peer, data: string, cluster?: number): Promise<Server> {
  const port = await freePort();
  const start = performance.now();
  const child = spawn(process.execPath, peer.arguments(data, port), {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...peer.environment(data, port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await answering(child, port, peer);
  const elapsed = performance.now() - start;
  return {
    peer,
    elapsed,
    port,
    cluster,
    // It has answered, so it was started.
    pid: child.pid as number,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Waits for the first 200. */
async function answering(child: ChildProcess, port: number, { protocols, title }: Peer) {
  const connection = createConnection(`http://127.0.0.1:${port}`);
  const ask = () =>
    protocols.includes('rest')
      ? connection.send('GET', '/books/1')
      : connection.send('POST', '/graphql', '{"query":"{ __typename }"}');
  while ((await ask()).status !== 200) {
    if (child.exitCode !== null) throw new Error(`${title} ended before it answered`);
    await sleep(2);
  }
  connection.close();
}
