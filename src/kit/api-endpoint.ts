import type { GraphQLSchema } from 'graphql';
import { bodyFaults, type Contract } from './contract/contract.ts';
import { createDocsEndpoint } from './docs/docs-endpoint.ts';
import { createRootEndpoint } from './docs/root.ts';
import { ApiError } from './errors.ts';
import { createGraphqlEndpoint } from './graphql/graphql-endpoint.ts';
import { badRequest, unavailable } from './graphql/graphql-replies.ts';
import type { Access } from './http/authentication.ts';
import type { Endpoint, Exchange } from './http/exchange.ts';
import { mockRequest } from './mock/mock-request.ts';
import type { Mocks } from './mock/mocks.ts';
import type { MockedParts } from './mocked-parts.ts';
import type { Observation } from './observe/observation.ts';
import type { Settings } from './process/settings.ts';
import type { AnyHandlers } from './rest/handler.ts';
import type { Problems } from './rest/problem-reply.ts';
import { createRestEndpoint } from './rest/rest-endpoint.ts';
import type { AnySecurity } from './rest/security.ts';
import { createSecurity } from './rest/security-check.ts';
import { createStandardEndpoint } from './standard-endpoint.ts';
import type { StoreControls } from './store/store.ts';

type Parts = {
  readonly contract: Contract;
  readonly schema: GraphQLSchema | undefined;
  readonly digest: string;
  readonly handlers: AnyHandlers;
  /** Empty where there is no schema. */
  readonly sdl: string;
  readonly store: StoreControls;
  readonly isDraining: () => boolean;
  readonly metrics: () => Promise<string>;
  /** Answers operations without a handler, where they may be without one. */
  readonly mocks: Mocks | undefined;
  readonly mocked: MockedParts | undefined;
  readonly access: Access<never>;
  readonly security: AnySecurity;
  readonly settings: Settings;
  /** Told that what follows is a read, where replicas may answer some. */
  readonly mayLag: (() => void) | undefined;
  readonly observation: Observation;
  readonly failure: (what: string, cause: unknown, request?: string) => void;
  /** Aborted when the server drains. */
  readonly draining: AbortSignal;
  /** The folder with the change log and the example operations, for the docs. */
  readonly project: URL;
};

const GRAPHQL = '/graphql';

/** Answers every path: GraphQL, the operations of the REST contract, and what the kit offers beside them. */
export function createApiEndpoint(parts: Parts): Endpoint {
  const { contract, schema, digest, handlers, mocks, mocked, access, settings, project } = parts;
  const docs = settings.introspection
    ? createDocsEndpoint({ contract, schema, digest, project, mocked })
    : undefined;
  const standard = createStandardEndpoint({ ...parts, arePublic: settings.introspection });
  const root = createRootEndpoint(contract, {
    hasDocs: docs !== undefined,
    others: new Set([...standard.paths, ...(schema ? [GRAPHQL] : [])]),
  });
  const graphqlOperation = contract.routes(GRAPHQL)?.route.operations.get('POST');
  const operations = createRestEndpoint({
    contract,
    handlers,
    mock:
      mocks &&
      ((operation, exchange, input) => mocks.answer(operation, mockRequest(exchange, input))),
    others: new Set(schema && graphqlOperation ? [graphqlOperation.id] : []),
    access,
    fastLane: settings.fastLane,
    otherPaths: (exchange) => docs?.(exchange) ?? standard.answer(exchange) ?? root(exchange),
  });
  const rest = reads(parts.mayLag, operations);
  const secured = createSecured(parts);
  if (!schema) return secured(rest);
  const { observation, failure, store } = parts;
  const graphql = createGraphqlEndpoint({
    schema,
    digest,
    envelopeFaults: graphqlOperation ? bodyFaults(contract, graphqlOperation.id) : () => [],
    store,
    access,
    limits: settings.limits,
    listTimeout: settings.listTimeout,
    onQuery: parts.mayLag,
    introspection: settings.introspection,
    fastLane: settings.fastLane,
    takesAnyAccept: mocks !== undefined,
    subscriptions: subscriptionBounds(settings),
    draining: parts.draining,
    onFailure: (cause, request) => failure(`POST ${GRAPHQL}`, cause, request),
    onDeprecated: observation.onDeprecated,
    onExecuted: (_, kind, fields) => observation.onExecuted(kind, fields),
    onLookup: (isKnown) => observation.onCache('graphql-documents', isKnown),
  });
  return secured((exchange) => {
    if (exchange.path !== GRAPHQL) return rest(exchange);
    if (exchange.method === 'POST' || (settings.graphqlGet && isRead(exchange))) {
      return graphql(exchange);
    }
    if (exchange.match && !settings.graphqlGet) return rest(exchange);
    const Allow = settings.graphqlGet ? 'GET, HEAD, POST' : 'POST';
    throw new ApiError('method-not-allowed', { headers: { Allow } });
  });
}

function isRead({ method }: Exchange): boolean {
  return method === 'GET' || method === 'HEAD';
}

function reads(onRead: (() => void) | undefined, endpoint: Endpoint): Endpoint {
  if (!onRead) return endpoint;
  return (exchange) => {
    if (isRead(exchange)) onRead();
    return endpoint(exchange);
  };
}

// A subscription is in flight until it ends: others are left half of the places.
function subscriptionBounds({ subscriptions, capacity }: Settings) {
  const most = Math.min(subscriptions.most, Math.floor(capacity.inFlight / 2));
  return { most, life: subscriptions.life * 1000 };
}

/** Asks for credentials before an endpoint does anything. */
function createSecured({
  contract,
  security,
  mocks,
  settings,
}: Parts): (endpoint: Endpoint) => Endpoint {
  const { verification } = settings;
  const secure = createSecurity({ contract, security, mocks: mocks !== undefined, verification });
  return (endpoint) => (exchange) => {
    const asked = secure(exchange);
    return asked ? asked.then(() => endpoint(exchange)) : endpoint(exchange);
  };
}

/** The reply to a request that is refused before any endpoint, in the shape that its operation declares. */
export function createRefuse({ refuse }: Problems): Problems['refuse'] {
  return (error, exchange) => {
    if (isGraphql(exchange)) {
      if (error.code === 'unavailable') return unavailable;
      if (error.code === 'invalid-request') return badRequest(String(error.detail));
    }
    return refuse(error, exchange);
  };
}

/** Other methods go to REST, whose contract refuses them. */
function isGraphql({ method, path }: Exchange): boolean {
  return method === 'POST' && path === GRAPHQL;
}
