import type { GraphQLSchema } from 'graphql';
import { bodyFaults, type Contract } from './contract/contract.ts';
import { createDocsEndpoint } from './docs/docs-endpoint.ts';
import { createRootEndpoint } from './docs/root.ts';
import type { ApiError } from './errors.ts';
import { badRequest, createGraphqlEndpoint, unavailable } from './graphql/graphql-endpoint.ts';
import type { Access } from './http/authentication.ts';
import type { Endpoint, Exchange, Reply } from './http/exchange.ts';
import type { Observation } from './observe/observation.ts';
import type { Settings } from './process/settings.ts';
import type { AnyHandlers } from './rest/handler.ts';
import { problemReply } from './rest/problem.ts';
import { createRestEndpoint } from './rest/rest-endpoint.ts';

type Parts = {
  readonly contract: Contract;
  readonly schema: GraphQLSchema | undefined;
  readonly digest: string;
  readonly handlers: AnyHandlers;
  readonly store: unknown;
  readonly access: Access<never>;
  readonly settings: Settings;
  readonly observation: Observation;
  readonly failure: (what: string, cause: unknown) => void;
  /** The folder with the change log and the example operations, for the docs. */
  readonly project: URL;
};

const GRAPHQL = '/graphql';

/** Answers every path: GraphQL, the operations of the REST contract, the docs and the root. */
export function createApiEndpoint(parts: Parts): Endpoint {
  const { contract, schema, digest, handlers, access, settings, project } = parts;
  const docs = settings.introspection
    ? createDocsEndpoint({ contract, schema, digest, project })
    : undefined;
  const root = createRootEndpoint(contract, docs !== undefined);
  const graphqlOperation = contract.routes(GRAPHQL)?.route.operations.get('POST');
  const rest = createRestEndpoint({
    contract,
    handlers,
    others: new Set(schema && graphqlOperation ? [graphqlOperation.id] : []),
    access,
    fastLane: settings.fastLane,
    otherPaths: (exchange) => docs?.(exchange) ?? root(exchange),
  });
  if (!schema) return rest;
  const { observation, failure, store } = parts;
  const graphql = createGraphqlEndpoint({
    schema,
    digest,
    envelopeFaults: graphqlOperation ? bodyFaults(contract, graphqlOperation.id) : () => [],
    store,
    access,
    limits: settings.limits,
    introspection: settings.introspection,
    onFailure: (cause) => failure(`POST ${GRAPHQL}`, cause),
    onDeprecated: observation.onDeprecated,
    onExecuted: (_, kind, fields) => observation.onExecuted(kind, fields),
    onLookup: (isKnown) => observation.onCache('graphql-documents', isKnown),
  });
  return (exchange) => (isGraphql(exchange) ? graphql(exchange) : rest(exchange));
}

/** The reply to a request that is refused before any endpoint, in the shape that its operation declares. */
export function refuse(error: ApiError, exchange: Exchange): Reply {
  if (isGraphql(exchange)) {
    if (error.code === 'unavailable') return unavailable;
    if (error.code === 'invalid-request') return badRequest(String(error.detail));
  }
  return problemReply(error);
}

/** Other methods go to REST, whose contract refuses them. */
function isGraphql({ method, path }: Exchange): boolean {
  return method === 'POST' && path === GRAPHQL;
}
