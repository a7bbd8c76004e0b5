import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApiEndpoint, createRefuse } from './api-endpoint.ts';
import { type Contract, contractDigest, emptyContract, readContract } from './contract/contract.ts';
import type { Formats } from './contract/formats.ts';
import { createSchema } from './graphql/executable-schema.ts';
import { checkLists } from './graphql/list-fields.ts';
import type { Resolvers, Scalars } from './graphql/resolver-check.ts';
import { createAccess, type Policy } from './http/authentication.ts';
import { clientAddress } from './http/client-address.ts';
import { createCors } from './http/cors.ts';
import { createDrain } from './http/drain.ts';
import type { Tap } from './http/exchange.ts';
import { createOverload } from './http/overload.ts';
import { createServer } from './http/server.ts';
import { DEFAULT_SEED } from './mock/mock-answer.ts';
import { createMocks, type MockOptions } from './mock/mocks.ts';
import { mockedParts } from './mocked-parts.ts';
import type { Log } from './observe/log.ts';
import { createObservation } from './observe/observation.ts';
import type { Settings } from './process/settings.ts';
import type { AnyHandlers, HandlerParts } from './rest/handler.ts';
import { type AnyProblemFunction, createProblems } from './rest/problem-reply.ts';
import type { AnySecurity, Security } from './rest/security.ts';
import { shownAddress } from './store/database-address.ts';
import { openStore } from './store/open-store.ts';
import type { StoreControls } from './store/store.ts';
import type { Opened, StoreOptions } from './store/store-options.ts';
import type { Tables } from './store/table-declarations.ts';

/** What an API brings: its contracts, its tables and its code. */
export type Api<Store = never, Action = never, Schemes = Record<never, never>> = {
  /** An OpenAPI description; without it there is GraphQL alone. */
  readonly openapi?: URL;
  /** What `format` means in it, beside the standard formats. */
  readonly formats?: Formats;
  /** An SDL, and the resolvers for it. */
  readonly graphql?: URL;
  readonly resolvers?: Resolvers;
  /** How the values of the SDL's own scalars are read and written: one for each. */
  readonly scalars?: Scalars;
  readonly handlers?: (parts: HandlerParts<Store>) => AnyHandlers;
  /**
   * Whether operations without a handler and fields without a resolver are answered from the contract; security
   * functions may be left out too.
   */
  readonly mocks?: boolean | MockOptions;
  /** Who may do what; without it everybody may do everything. */
  readonly policy?: Policy<Action>;
  /** Without tables there is no database. */
  readonly tables?: Tables;
  /** A folder with the migrations of each engine. */
  readonly migrations?: URL;
  /** Fills a new database with a little to look at; `createExamples` creates what the contract shows. */
  readonly demo?: (store: Store, contract: Contract) => Promise<void>;
  /** A path worth a first look. */
  readonly firstLook?: string;
  /** Whether faults of the contracts that leave one meaning are warnings: for contracts of others. */
  readonly lenient?: boolean;
  /** Says errors in the contract's own shape (`ProblemFunction`). */
  readonly problem?: AnyProblemFunction;
} & Secured<Schemes>;

/** One function for each of the generated `securitySchemes`. */
type Secured<Schemes> = [keyof Schemes] extends [never]
  ? { readonly security?: AnySecurity }
  : { readonly security: Security<Schemes> };

export type ServeOptions = {
  readonly settings: Settings;
  readonly log: Log;
  /** Further observers; they are told of every exchange. */
  readonly taps?: readonly Tap[];
  readonly onStatement?: () => void;
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
  { settings, log, taps = [], onStatement = () => {} }: ServeOptions,
): Promise<Running> {
  const [anyContract] = [api.openapi, api.graphql].filter((each) => each !== undefined);
  if (!anyContract) throw new Error('an API has an OpenAPI description, an SDL, or both');
  const { lenient = false, formats = {} } = api;
  const mockOptions = api.mocks === true ? {} : api.mocks || undefined;
  const contract = await (api.openapi
    ? readContract(api.openapi, { lenient, formats })
    : emptyContract());
  const sdl = api.graphql && (await readFile(api.graphql, 'utf8'));
  const { resolvers = {} } = api;
  const schemaOf = (mockSeed?: number) =>
    sdl === undefined
      ? undefined
      : createSchema(sdl, resolvers, {
          file: basename(fileURLToPath(api.graphql ?? anyContract)),
          scalars: api.scalars,
          onWarning: lenient ? (line) => log.info(line) : undefined,
          mockSeed,
        });
  const drafted = schemaOf(mockOptions && (mockOptions.seed ?? DEFAULT_SEED));
  for (const warning of contract.warnings) log.info(`Warning: ${warning}`);
  const digest = contractDigest(contract.text, sdl ?? '');
  const observation = await createObservation({ contract, digest, log, settings });
  const failure = observation.guard('log', log.failure);
  // Loaded only where it is used.
  const rateLimits = settings.rateLimit ? await import('./http/rate-limit.ts') : undefined;

  const database = `the database ${shownAddress(settings.databaseUrl)}`;
  const away = Promise.withResolvers<'away'>();
  const listening = Promise.withResolvers<void>();
  const { store, ready } = await openTables(api, settings.databaseUrl, {
    poolSize: settings.databasePool,
    mayMigrate: settings.mayMigrate,
    keyLifetime: settings.idempotencyExpiry * 1000,
    onStatement,
    onTimed: observation.onTimed,
    onWaiting: async (cause) => {
      away.resolve('away');
      await listening.promise;
      failure(`Listening at ${urlOf(server)}, waiting for ${database}: the connection`, cause);
    },
  });
  if (drafted) checkLists(drafted, resolvers, store);
  // The tables that it was made from tell its type.
  const typed = store as never;
  const prepared = ready.then(async ({ isNew }) => {
    if (isNew && settings.seedDemo) await api.demo?.(typed, contract);
  });

  let isDraining = false;
  const draining = new AbortController();
  const access = createAccess<never>(
    settings.verification,
    api.policy ?? ((_, authenticate) => authenticate()),
  );
  const common = {
    contract,
    sdl: sdl ?? '',
    isDraining: () => isDraining,
    metrics: observation.metrics,
  };
  const handlers = api.handlers?.({ ...common, arePublic: settings.introspection, store: typed });
  const mocked =
    mockOptions && mockedParts({ contract, handlers: handlers ?? {}, schema: drafted, resolvers });
  if (mocked && !settings.mayMock) {
    throw new Error(`${mocked.line}; NODE_ENV=production serves that with MOCKS=allow only`);
  }
  // Without leave nothing is mocked, not even a field that a record lacks.
  const schema = mockOptions && !settings.mayMock ? schemaOf() : drafted;
  const mocks = mockOptions && settings.mayMock ? createMocks(contract, mockOptions) : undefined;
  const problems = createProblems({
    contract,
    problem: api.problem,
    mock: mocks?.refusal,
    onFailure: failure,
  });
  const refuse = createRefuse(problems);
  const endpoint = createApiEndpoint({
    ...{ ...common, schema, digest, store, access, settings, observation, failure },
    handlers: handlers ?? {},
    mocks,
    mocked,
    security: api.security ?? {},
    draining: draining.signal,
    project: new URL('.', anyContract),
  });
  const limit =
    settings.rateLimit &&
    rateLimits?.createRateLimit({
      rate: settings.rateLimit,
      databaseUrl: settings.databaseUrl,
      proxies: settings.proxies,
      onFailure: (cause) => failure('The rate limit', cause),
    });
  const overload = createOverload(settings.capacity, (request) =>
    clientAddress(request, settings.proxies),
  );
  const server = createServer({
    routes: contract.routes,
    endpoint: limit ? limit.before(endpoint, refuse) : endpoint,
    refuse,
    fail: problems.fail,
    // A browser takes a reply for what its Content-Type says, and for nothing else.
    headers: ['Contract-Digest', digest, 'X-Content-Type-Options', 'nosniff'],
    cors: settings.corsOrigins && createCors(settings.corsOrigins),
    within: observation.within,
    taps: [...observation.taps, ...taps.map((tap) => observation.guard('tap', tap))],
    overload,
    uploadLimit: settings.uploadLimit,
  });
  const drain = createDrain(server, {
    grace: settings.drainGrace,
    longest: settings.drainLongest,
    lastAnswer: overload.lastLeft,
  });

  async function stop(): Promise<void> {
    isDraining = true;
    if (server.listening) {
      // A load balancer sees the readiness fail before connections are closed.
      await sleep(settings.drainDelay);
      draining.abort();
      await drain();
    }
    await store.close();
    await limit?.close();
    await observation.stop();
  }

  try {
    // While its database is away the server listens all the same, and says that it is not ready.
    const isAway = (await Promise.race([prepared, away.promise])) === 'away';
    server.listen(settings.port, settings.host);
    await once(server, 'listening');
    listening.resolve();
    await prepared;
    if (isAway) log.info(`Connected to ${database}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: urlOf(server),
    mocked: mocked?.line,
    deprecatedUse: observation.deprecatedUse,
    stop,
  };
}

/** The tables of an API and their migrations; undefined where it has none. */
export function tablesOf({ tables, migrations }: Api) {
  return tables && migrations && { tables, migrations };
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
