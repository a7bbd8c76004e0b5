import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readApiContracts } from './api-contracts.ts';
import { type Api, tablesOf } from './api-declaration.ts';
import { createApiEndpoint, createRefuse } from './api-endpoint.ts';
import type { CheckCache } from './contract/check-cache.ts';
import { checkLists } from './graphql/list-fields.ts';
import { createAccess } from './http/authentication.ts';
import { createClients } from './http/clients.ts';
import { createConnectionShares } from './http/connection-shares.ts';
import { createCors } from './http/cors.ts';
import { createDrain } from './http/drain.ts';
import type { Tap } from './http/exchange.ts';
import { createOverload } from './http/overload.ts';
import { createServer } from './http/server.ts';
import { mockedParts } from './mocked-parts.ts';
import type { Log } from './observe/log.ts';
import { createObservation, type Observation } from './observe/observation.ts';
import type { Settings } from './process/settings.ts';
import { createProblems } from './rest/problem-reply.ts';
import { hasFunctions } from './rest/security.ts';
import { createSentCredentials } from './rest/sent-credentials.ts';
import { DEFAULT_SEED } from './seeded-random.ts';
import { shownAddress } from './store/database-address.ts';
import { openStore } from './store/open-store.ts';
import type { StoreControls } from './store/store.ts';
import type { Opened, StoreOptions } from './store/store-options.ts';

export type ServeOptions = {
  readonly settings: Settings;
  readonly log: Log;
  /** Further observers; they are told of every exchange. */
  readonly taps?: readonly Tap[];
  readonly onStatement?: () => void;
  /** What is known of contracts from earlier starts; without it they are checked each time. */
  readonly checks?: CheckCache;
};

export type Running = {
  readonly url: string;
  /** How much is mocked; undefined where nothing is. */
  readonly mocked: string | undefined;
  /** How often each deprecated part of the GraphQL schema was used, as `Type.field`. */
  readonly deprecatedUse: ReadonlyMap<string, number>;
  /** Stops taking connections, lets requests in flight finish, closes the store. */
  stop(): Promise<void>;
};

/** The front door: reads the contracts, opens the store, puts the endpoints together and listens. */
export async function serve(
  api: Api,
  { settings, log, taps = [], onStatement = () => {}, checks }: ServeOptions,
): Promise<Running> {
  // What is open is closed if the start fails, and by stop() otherwise.
  await using starting = new AsyncDisposableStack();
  const contracts = await readApiContracts(api, log.info, checks);
  const { contract, sdl, digest } = contracts;
  const { resolvers = {} } = api;
  const mockOptions = api.mocks === true ? {} : api.mocks || undefined;
  const drafted = contracts.createSchema(mockOptions && (mockOptions.seed ?? DEFAULT_SEED));
  const observation = await createObservation({ contract, digest, log, settings });
  starting.defer(observation.stop);
  const failure = observation.guard('log', log.failure);
  // Loaded only where they are used.
  const mocking = mockOptions && (await import('./mock/mocks.ts'));
  const { url, lag } = settings.replicas;
  const replicas = url ? await import('./http/read-positions.ts') : undefined;
  const positions = replicas?.createReadPositions(lag, createSentCredentials(contract));

  const database = `the database ${shownAddress(settings.databaseUrl)}`;
  const away = Promise.withResolvers<'away'>();
  const listening = Promise.withResolvers<void>();
  const { store, ready } = await openTables(api, settings.databaseUrl, {
    poolSize: settings.databasePool,
    mayMigrate: settings.mayMigrate,
    keyLifetime: settings.idempotencyExpiry * 1000,
    listTimeout: settings.listTimeout,
    replicas:
      url && positions
        ? {
            ...{ url, lag, current: positions.current, onRead: observation.onRead },
            onLost: (host, cause) =>
              failure(`The replica ${shownAddress(host)}: the connection`, cause),
            onBack: (host) => log.info(`The replica ${shownAddress(host)} is back`),
          }
        : undefined,
    onStatement,
    onTimed: observation.onTimed,
    onWaiting: async (cause) => {
      away.resolve('away');
      await listening.promise;
      failure(`Listening at ${urlOf(server)}, waiting for ${database}: the connection`, cause);
    },
  });
  starting.defer(store.close);
  if (drafted) checkLists(drafted, resolvers, store);
  // The tables that it was made from tell its type.
  const typed = store as never;

  let isDraining = false;
  const draining = new AbortController();
  const access = createAccess<never>(
    settings.verification,
    api.policy ?? ((_, authenticate) => authenticate()),
  );
  const common = { contract, sdl, isDraining: () => isDraining, metrics: observation.metrics };
  const handlers =
    api.handlers?.({ ...common, arePublic: settings.introspection, store: typed }) ?? {};
  const mocked = mockOptions && mockedParts({ contract, handlers, schema: drafted, resolvers });
  if (mocked && !settings.mayMock) {
    throw new Error(`${mocked.line}; NODE_ENV=production serves that with MOCKS=allow only`);
  }
  // Without leave nothing is mocked, not even a field that a record lacks.
  const schema = mockOptions && !settings.mayMock ? contracts.createSchema() : drafted;
  const mocks = settings.mayMock ? mocking?.createMocks(contract, mockOptions ?? {}) : undefined;
  const problems = createProblems({
    contract,
    problem: api.problem,
    mock: mocks?.refusal,
    onFailure: failure,
  });
  const refuse = createRefuse(problems);
  const endpoint = createApiEndpoint({
    ...{ ...common, schema, digest, store, access, settings, observation, failure },
    ...{ handlers, mocks, mocked, mayLag: positions?.mayLag },
    security: api.security ?? {},
    draining: draining.signal,
    project: contracts.folder,
  });
  const limit =
    settings.rateLimit &&
    (await import('./http/rate-limit.ts')).createRateLimit({
      rate: settings.rateLimit,
      databaseUrl: settings.databaseUrl,
      proxies: settings.proxies,
      onFailure: (cause) => failure('The rate limit', cause),
    });
  if (limit) starting.defer(limit.close);
  const shares = createConnectionShares(settings.capacity.connections);
  const clients = createClients(shares, {
    proxies: settings.proxies,
    hasCallers: settings.verification !== undefined || hasFunctions(api.security ?? {}),
  });
  const overload = createOverload(settings.capacity, clients.nameOf);
  const server = createServer({
    routes: contract.routes,
    endpoint: limit ? limit.before(endpoint, refuse) : endpoint,
    refuse,
    fail: problems.fail,
    // A browser takes a reply for what its Content-Type says, and for nothing else.
    headers: ['Contract-Digest', digest, 'X-Content-Type-Options', 'nosniff'],
    cors: settings.corsOrigins && createCors(settings.corsOrigins, replicas?.POSITION),
    within: bothWithin(observation.within, positions?.within),
    taps: [...observation.taps, ...taps.map((tap) => observation.guard('tap', tap))],
    ...{ overload, shares, clients },
    uploadLimit: settings.uploadLimit,
  });
  const drain = createDrain(server, {
    grace: settings.drainGrace,
    longest: settings.drainLongest,
    lastAnswer: overload.lastLeft,
  });
  starting.defer(async () => {
    isDraining = true;
    if (!server.listening) return;
    // A load balancer sees the readiness fail before connections are closed.
    await sleep(settings.drainDelay);
    draining.abort();
    await drain();
  });

  const prepared = ready.then(async ({ isNew }) => {
    if (isNew && settings.seedDemo) await api.demo?.(typed, contract);
  });
  // While its database is away the server listens all the same, and says that it is not ready.
  const isAway = (await Promise.race([prepared, away.promise])) === 'away';
  server.listen(settings.port, settings.host);
  await once(server, 'listening').catch((error) => {
    throw namingSetting(error, settings);
  });
  listening.resolve();
  await prepared;
  if (isAway) log.info(`Connected to ${database}`);
  const open = starting.move();
  return {
    url: urlOf(server),
    mocked: mocked?.line,
    deprecatedUse: observation.deprecatedUse,
    stop: () => open.disposeAsync(),
  };
}

type Within = Observation['within'];

function bothWithin(outer: Within, inner: Within): Within {
  if (!outer || !inner) return outer ?? inner;
  return (exchange, answer) => outer(exchange, () => inner(exchange, answer));
}

/** An error of `listen`, which tells only an address. */
function namingSetting(error: NodeJS.ErrnoException, { host, port }: Settings): Error {
  const isOfPort = error.code === 'EADDRINUSE' || error.code === 'EACCES';
  const setting = isOfPort ? `PORT=${port}` : `HOST=${host}`;
  return new Error(`cannot listen with ${setting}: ${error.message}`, { cause: error });
}

async function openTables(
  api: Api,
  databaseUrl: string,
  options: Partial<StoreOptions>,
): Promise<Opened<StoreControls>> {
  const declared = tablesOf(api);
  if (declared) return openStore(databaseUrl, { ...declared, ...options });
  const none = { ping: async () => {}, close: async () => {} };
  return { store: none, ready: Promise.resolve({ isNew: false }) };
}

function urlOf(server: Server): string {
  // A TCP server that listens has an address of this kind.
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
