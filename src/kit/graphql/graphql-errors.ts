import { GraphQLError, Kind } from 'graphql';
import { ApiError, type ErrorCode } from '../errors.ts';

/** Every code that an error of the GraphQL endpoint carries. */
export type GraphqlCode =
  | 'BAD_REQUEST'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'QUERY_TOO_COMPLEX'
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR';

type Said = { readonly code: GraphqlCode; readonly message: string };

/** How GraphQL says what the API knows; what is not here is unexpected. */
const said: Readonly<Partial<Record<ErrorCode, Said>>> = {
  unauthenticated: {
    code: 'UNAUTHENTICATED',
    message: 'This needs a valid token in the Authorization header.',
  },
  'not-found': { code: 'NOT_FOUND', message: 'There is no such record.' },
  conflict: { code: 'CONFLICT', message: 'There is such a record already.' },
  unavailable: { code: 'UNAVAILABLE', message: 'The server cannot answer now; try again later.' },
};

const unexpected: Said = { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' };
const LONGEST_MESSAGE = 500;

/** An error as the client sees it. What nobody expected is masked, and `onFailure` is told of it. */
export function formatError(
  error: Readonly<GraphQLError | Error>,
  onFailure: (cause: unknown) => void,
): GraphQLError {
  const { code, message } = meaning(error, onFailure);
  const place = error instanceof GraphQLError ? error : undefined;
  return new GraphQLError(message.slice(0, LONGEST_MESSAGE).toWellFormed(), {
    nodes: place?.nodes,
    source: place?.source,
    positions: place?.positions,
    path: place?.path,
    extensions: { code },
  });
}

function meaning(error: Readonly<GraphQLError | Error>, onFailure: (cause: unknown) => void): Said {
  const { message } = error;
  if (!(error instanceof GraphQLError)) return { code: 'BAD_REQUEST', message };
  const { code } = error.extensions;
  // Parser, limits, standard rules and bounds say for themselves what they refuse.
  if (typeof code === 'string') return { code: code as GraphqlCode, message };
  // Without a path nothing was resolved yet: the operation or its variables are at fault.
  if (!error.path) return { code: 'BAD_USER_INPUT', message };

  const cause = error.originalError;
  if (isOfArgument(cause)) return { code: 'BAD_USER_INPUT', message };
  const known = cause instanceof ApiError ? said[cause.code] : undefined;
  if (known && known.code !== 'UNAVAILABLE') {
    return { ...known, message: Object(cause).detail ?? known.message };
  }
  onFailure(Object(cause).cause ?? cause);
  if (known) return known;
  // The specification wants this message to reach the client.
  if (message.startsWith('Cannot return null for non-nullable field')) {
    return { ...unexpected, message };
  }
  return unexpected;
}

/** Whether an argument is at fault: graphql names its value then, and the field for all that a resolver does. */
function isOfArgument(cause: unknown): boolean {
  const [node] = (cause instanceof GraphQLError && cause.nodes) || [];
  return node !== undefined && node.kind !== Kind.FIELD;
}
