import { type ASTNode, GraphQLError, Kind } from 'graphql';
import { ApiError, type ErrorCode } from '../errors.ts';

/** Every code that an error of the GraphQL endpoint carries. */
export type GraphqlCode =
  | 'BAD_REQUEST'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'QUERY_TOO_COMPLEX'
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR';

type Place = Partial<Pick<GraphQLError, 'source' | 'positions' | 'path'>> & {
  readonly nodes?: ASTNode | GraphQLError['nodes'];
};

/** An error with a code, at the place of a node or of another error. */
export function codedError(code: GraphqlCode, message: string, place: Place = {}): GraphQLError {
  const { nodes, source, positions, path } = place;
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { code } });
}

/** An error as the client sees it. An unexpected one is masked, and `onFailure` is told its cause. */
export function formatError(
  error: Readonly<GraphQLError | Error>,
  onFailure: (cause: unknown) => void,
): GraphQLError {
  const { code, message } = meaning(error, onFailure);
  // graphql quotes names and strings of the document, however long they are.
  const short = message.slice(0, LONGEST_MESSAGE).toWellFormed();
  return codedError(code, short, error instanceof GraphQLError ? error : {});
}

type Meaning = { readonly code: GraphqlCode; readonly message: string };

const LONGEST_MESSAGE = 500;
const unexpected: Meaning = { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' };

/** The codes of ApiError that GraphQL has a code for; all others are unexpected. */
const expected: Readonly<Partial<Record<ErrorCode, Meaning>>> = {
  unauthenticated: {
    code: 'UNAUTHENTICATED',
    message: 'This needs a valid token in the Authorization header.',
  },
  forbidden: { code: 'FORBIDDEN', message: 'The caller may not do this.' },
  'not-found': { code: 'NOT_FOUND', message: 'There is no such record.' },
  conflict: { code: 'CONFLICT', message: 'There is such a record already.' },
  unavailable: { code: 'UNAVAILABLE', message: 'The server cannot answer now; try again later.' },
};

function meaning(
  error: Readonly<GraphQLError | Error>,
  onFailure: (cause: unknown) => void,
): Meaning {
  const { message } = error;
  if (!(error instanceof GraphQLError)) return { code: 'BAD_REQUEST', message };
  const { code } = error.extensions;
  // Parser, limits, validation rules and bounds have set a code.
  if (typeof code === 'string') return { code: code as GraphqlCode, message };
  // Without a path nothing was resolved yet: the operation or its variables are at fault.
  if (!error.path) return { code: 'BAD_USER_INPUT', message };

  const cause = error.originalError;
  if (cause instanceof ApiError && cause.code === 'invalid-request') {
    return { code: 'BAD_USER_INPUT', message: argumentFaults(cause) };
  }
  if (isOfArgument(cause)) return { code: 'BAD_USER_INPUT', message };
  const known = cause instanceof ApiError ? expected[cause.code] : undefined;
  if (!known || known.code === 'UNAVAILABLE') onFailure(Object(cause).cause ?? cause);
  if (known) return { ...known, message: Object(cause).detail ?? known.message };
  // The specification wants this message to reach the client.
  if (message.startsWith('Cannot return null for non-nullable field')) {
    return { ...unexpected, message };
  }
  return unexpected;
}

/** What the store refuses of the input; `/where/size` is the argument `where.size`. */
function argumentFaults({ errors = [], message }: ApiError): string {
  const faults = errors.map(({ path, message }) => {
    const name = path.replace(/^\/(body\/)?/, '').replaceAll('/', '.');
    return `Argument "${name}" ${message}.`;
  });
  return faults.join(' ') || message;
}

/** Whether an argument is at fault: graphql then names its value; for what a resolver throws, the field. */
function isOfArgument(cause: unknown): boolean {
  const [node] = (cause instanceof GraphQLError && cause.nodes) || [];
  return node !== undefined && node.kind !== Kind.FIELD;
}
