import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { GraphQLScalarType } from 'graphql';
import { beforeEach } from 'vitest';
import { ApiError } from '../../src/kit/errors.ts';
import { createSchema } from '../../src/kit/graphql/executable-schema.ts';
import {
  createGraphqlEndpoint,
  type GraphqlParts,
} from '../../src/kit/graphql/graphql-endpoint.ts';
import { defaultLimits } from '../../src/kit/graphql/limits/limits.ts';
import type { Exchange } from '../../src/kit/http/exchange.ts';
import { useHttpServer } from './http-server.ts';

const sdl = `
  scalar Any
  enum Colour { RED }
  input Box { n: Int }
  type Query {
    a: Int b(n: Int): Int fails: Int things: [Thing!] old(n: Int @deprecated): Int @deprecated
    busy: Int
  }
  type Thing { id: Int! part: Thing }
  type Mutation { add(n: Int): Int }`;
const feed = 'type Subscription { ticks(to: Int): Int broken: Int unreadable: Any }';
const fail = () => {
  throw new Error('the cause');
};
const resolvers = {
  Query: {
    a: () => 1,
    b: (_: unknown, { n }: { n?: number }) => n ?? 2,
    fails: fail,
    things: () => [{ id: 1, part: { id: 2 } }, { id: 3 }],
    old: () => 4,
    busy: () => {
      throw new ApiError('unavailable', { cause: 'the cause of it' });
    },
  },
  Mutation: { add: (_: unknown, { n }: { n?: number }) => n ?? 3 },
};
const Subscription = {
  ticks: {
    subscribe: async function* (_: unknown, { to = 2 }: { to?: number }) {
      for (let ticks = 0; ticks < to; ticks++) yield { ticks };
    },
  },
  broken: {
    subscribe: async function* () {
      yield { broken: 1 };
      throw new Error('the source');
    },
  },
  unreadable: {
    subscribe: async function* () {
      const unreadable = Object.defineProperty({}, 'a', { get: fail, enumerable: true });
      for (let i = 0; i < 2; i++) yield { unreadable };
    },
  },
};

/** What an endpoint told, by the name of the part that was told: `['executed', kind, fields]`. */
export type Told = [string, ...unknown[]];

type Asked = {
  readonly api?: string | undefined;
  readonly accept?: string | undefined;
  readonly method?: string;
  readonly target?: string;
};

/** GraphQL endpoints of several kinds behind one HTTP server; a request names one. */
export function useEndpoints() {
  const told: Told[] = [];
  const exchanges: Exchange[] = [];
  const tell =
    (name: string) =>
    (...given: unknown[]) =>
      void told.push([name, ...given]);
  const parts: Omit<GraphqlParts, 'schema'> = {
    digest: 'sha256-x',
    envelopeFaults: () => [],
    store: undefined,
    access: () => async () => undefined,
    limits: defaultLimits,
    listTimeout: 10_000,
    introspection: true,
    fastLane: true,
    subscriptions: { most: 10, life: 60_000 },
    draining: new AbortController().signal,
    onFailure: tell('failure'),
    onLookup: tell('lookup'),
    onDeprecated: tell('deprecated'),
    onQuery: tell('query'),
    onExecuted: (_, kind, fields) => tell('executed')(kind, fields),
  };
  const apiOf = (given: Partial<GraphqlParts> = {}) => {
    const lenient = { onWarning: () => {} };
    return createGraphqlEndpoint({
      ...{ ...parts, schema: createSchema(sdl, resolvers, lenient) },
      ...given,
    });
  };
  const withFeed = {
    schema: createSchema(sdl + feed, { ...resolvers, Subscription }, { onWarning: () => {} }),
  };
  /** Takes an argument of this type, in a type that is no root. */
  const taking = (type: string) => ({
    schema: createSchema(
      `${sdl} extend type Thing { of(v: ${type}): Int } extend type Query { c(n: ID!, e: Colour): Int }`,
      resolvers,
      { onWarning: () => {}, scalars: { Any: new GraphQLScalarType({ name: 'Any' }) } },
    ),
  });
  const apis: Record<string, ReturnType<typeof apiOf>> = {
    plain: apiOf(),
    slow: apiOf({ fastLane: false }),
    events: apiOf(withFeed),
    slowEvents: apiOf({ ...withFeed, fastLane: false }),
    any: apiOf({ takesAnyAccept: true }),
    faulty: apiOf({ envelopeFaults: () => ['/body/x is wrong', '/body/y is, too'] }),
    busy: apiOf({
      envelopeFaults: () => {
        throw new ApiError('unavailable');
      },
    }),
    broken: apiOf({ envelopeFaults: fail }),
    few: apiOf({ ...withFeed, subscriptions: { most: 0, life: 60_000 } }),
    ...Object.fromEntries(
      ['Int', 'ID!', 'Colour', '[Int]', '[Int!]!', 'Box', 'Any!'].map((type) => [
        type,
        apiOf(taking(type)),
      ]),
    ),
  };
  const server = useHttpServer((exchange) => {
    exchanges.push(exchange);
    const api = apis[String(exchange.request.headers['x-api'])];
    if (!api) throw new Error('no such API');
    return api(exchange);
  });
  beforeEach(() => {
    told.length = 0;
    exchanges.length = 0;
  });

  /** Sends a body, or none by GET, with no header but those given. */
  async function send(body: string | undefined, asked: Asked = {}) {
    const { api = 'plain', accept, method = 'POST', target = '/graphql' } = asked;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { 'x-api': api, ...type, ...(accept !== undefined && { accept }) };
    const outgoing = request(`${server.url}${target}`, { method, headers }).end(body);
    const [response] = await once(outgoing, 'response');
    return {
      status: Number(response.statusCode),
      type: String(response.headers['content-type']),
      headers: Object(response.headers),
      text: await text(response),
    };
  }

  return {
    server: server.server,
    told,
    exchanges,
    send,
    /** What one part was told. */
    toldTo: (name: string) => told.flatMap(([to, ...given]) => (to === name ? [given] : [])),
    ask: (query: unknown, asked?: Asked, more: object = {}) =>
      send(JSON.stringify({ query, ...more }), asked),
    get: (query: string, asked?: Asked) =>
      send(undefined, {
        ...{ method: 'GET', target: `/graphql?query=${encodeURIComponent(query)}` },
        ...asked,
      }),
  };
}
