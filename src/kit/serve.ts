import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createContractCoverage } from '../../tools/contract-coverage/counter.ts';
import { bodyFaults, type Contract, readContract } from './contract/contract.ts';
import { contractDigest } from './contract/digest.ts';
import { docsEndpoint } from './docs/docs-endpoint.ts';
import { createSchema } from './graphql/executable-schema.ts';
import { graphqlEndpoint } from './graphql/graphql-endpoint.ts';
import type { Resolvers } from './graphql/sdl-check.ts';
import { createAccess, type Policy } from './http/authentication.ts';
import { clientAddress } from './http/client-address.ts';
import { createCors } from './http/cors.ts';
import { createDrain } from './http/drain.ts';
import type { Exchange } from './http/exchange.ts';
import { createOverload } from './http/overload.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { sendWhole, type WholeReply } from './http/reply.ts';
import { createServer } from './http/server.ts';
import { splitTarget } from './http/target.ts';
import type { Log } from './observe/log.ts';
import { createObservation } from './observe/observation.ts';
import type { Settings } from './process/settings.ts';
import { createApp } from './rest/express-app.ts';
import type { AnyHandlers } from './rest/full-path.ts';
import type { HandlerParts } from './rest/handler.ts';
import { createFastLane } from './rest/lane.ts';
import { createAnswerProblem } from './rest/problem.ts';
import { createRefusals } from './rest/refusals.ts';
import { createValidate } from './rest/validator.ts';
import { shownAddress } from './store/database-address.ts';
import { openStore } from './store/open-store.ts';
import type { StoreOf, Tables } from './store/tables.ts';

export type Running = {
  readonly url: string;
  /** How often each deprecated part of the GraphQL schema was used, as `Type.field`. */
  readonly deprecatedUse: ReadonlyMap<string, number>;
  /** Stops taking connections, lets requests in flight finish, closes the store. */
  stop(): Promise<void>;
};

/** An API: its contracts, and what fills them in. */
export type Api<T extends Tables, Action> = {
  readonly openapi: URL;
  readonly graphql: URL;
  readonly tables: T;
  /** The folder with the migrations of each engine. */
  readonly migrations: URL;
  readonly handlers: (parts: HandlerParts<StoreOf<T>>) => AnyHandlers;
  readonly resolvers: Resolvers;
  readonly policy: Policy<Action>;
  /** Puts sample records into a new database. */
  readonly demo: (store: StoreOf<T>) => Promise<void>;
};

/** Starts the server: the contracts, the store, the endpoints, then the port. */
export async function start<T extends Tables, Action>(
  api: Api<T, Action>,
  config: Config,
  log: Log,
  onStatement = () => {},
): Promise<Running> {
  const contract = await readContract(api.openapi);
  const sdl = await readFile(api.graphql, 'utf8');
  const schema = createSchema(sdl, api.resolvers);
  const digest = contractDigest(contract.text, sdl);
  const observation = createObservation({
    contract,
    digest,
    log,
    share: config.responseSample,
    traces: await traces(config, contract, log),
  });
  const failure = observation.guard.quiet('log', log.failure);
  const database = `the database ${shownAddress(config.databaseUrl)}`;
  const away = Promise.withResolvers<'away'>();
  const { store, ready } = await openStore(config.databaseUrl, {
    tables: api.tables,
    migrations: api.migrations,
    poolSize: config.databasePool,
    mayMigrate: config.mayMigrate,
    keyLifetime: config.idempotencyExpiry * 1000,
    onStatement,
    onTimed: observation.onTimed,
    onWaiting: async (cause) => {
      away.resolve('away');
      await listening.promise;
      failure(`Listening at ${urlOf(server)}, waiting for ${database}: the connection`, cause);
    },
  });
  const listening = Promise.withResolvers<void>();
  const prepared = ready.then(async ({ isNew }) => {
    if (isNew && config.seedDemo) await api.demo(store);
  });

  let draining = false;
  // Handlers and resolvers are typed to ask for the API's own actions only.
  const access = createAccess(config.verification, api.policy as Policy<string>);
  const handlers = api.handlers({
    contract,
    sdl,
    arePublic: config.introspection,
    store,
    isDraining: () => draining,
    metrics: observation.metrics,
  });
  const answerProblem = createAnswerProblem(failure);
  const docs = config.introspection ? docsEndpoint({ contract, schema, digest }) : undefined;
  const refusals = createRefusals();
  const validate = createValidate(contract, refusals);
  const app = createApp({ contract, handlers, access, docs, answerProblem, validate });
  const lane = { contract, handlers, access, answerProblem, refusals, validate, fullPath: app };
  const rest = config.fastLane ? createFastLane(lane) : app;
  const answerGraphql = createGraphqlEndpoint({
    schema,
    digest,
    envelopeFaults: bodyFaults(contract, 'executeGraphql'),
    store,
    access,
    limits: config.limits,
    introspection: config.introspection,
    onFailure: (cause) => failure('POST /graphql', cause),
    onDeprecated: observation.onDeprecated,
    onExecuted: ({ request, graphql: name }, kind, fields) =>
      observation.onExecuted(request, { kind, name, fields }),
    onLookup: (isKnown) => observation.onCache('graphql-documents', isKnown),
  });
  const graphql = asListener(answerGraphql);

  const limit =
    config.rateLimit &&
    createRateLimit({
      rate: config.rateLimit,
      databaseUrl: config.databaseUrl,
      proxies: config.proxies,
      // What those who run the server ask for is not limited, and the contract says so.
      free: new Set(
        contract.operations.flatMap((each) => (each.mediaTypes.has(429) ? [] : each.path)),
      ),
      onFailure: (cause) => failure('The rate limit', cause),
      refuse: answerProblem,
    });
  const observers = observation.sample ? [observation.sample] : [];
  const overload = createOverload(config.capacity, (request) =>
    clientAddress(request, config.proxies),
  );
  const server = createServer({
    rest: limit?.before(rest) ?? rest,
    graphql: limit?.before(graphql) ?? graphql,
    digest,
    watch: observation.watch,
    within: observation.within,
    cors: config.corsOrigins && createCors(config.corsOrigins, contract.routes),
    observers,
    overload,
  });
  const drain = createDrain(server, {
    grace: config.drainGrace,
    longest: config.drainLongest,
    lastAnswer: overload.lastLeft,
  });
  async function stop() {
    draining = true;
    if (server.listening) {
      // Who spreads the requests sees that this one leaves before it leaves.
      await sleep(config.drainDelay);
      await drain();
    }
    await store.close();
    await limit?.close();
    await observation.stop();
  }

  try {
    // While its database is away the server listens all the same, and says that it is not ready.
    const isAway = (await Promise.race([prepared, away.promise])) === 'away';
    server.listen(config.port, config.host);
    await once(server, 'listening');
    listening.resolve();
    await prepared;
    if (isAway) log.info(`Connected to ${database}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: urlOf(server), deprecatedUse: observation.deprecatedUse, stop };
}

/** Until the server makes exchanges and sends replies. */
export function asListener(answer: (exchange: Exchange) => Promise<WholeReply>): RequestListener {
  return async (request, response) => {
    const [path, query] = splitTarget(request.url ?? '');
    const known = { id: '', method: 'POST', path, query, start: 0, headers: [] };
    const unknown = { match: undefined, operation: undefined, body: undefined, graphql: undefined };
    sendWhole(response, await answer({ request, response, ...known, ...unknown }));
  };
}

/** Loaded only where somebody wants to see them. */
async function traces({ otlpEndpoint }: Settings, { document }: Contract, log: Log) {
  if (!otlpEndpoint) return undefined;
  const { startTraces } = await import('./observe/traces.ts');
  const onFailure = (cause: unknown) => log.failure('The export of traces', cause);
  return startTraces(otlpEndpoint, document.info.version, onFailure);
}

function urlOf(server: Server): string {
  // A TCP server that listens has an address of this kind.
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
