import { ApiError, type ErrorCode, type InputError } from '../errors.ts';

/** The members of RFC 9457. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: InputError[];
};
type Kind = { readonly status: number; readonly title: string; readonly detail: string };

/** How each code is said over HTTP. */
const kinds: Readonly<Record<ErrorCode, Kind>> = {
  'invalid-request': {
    status: 400,
    title: 'Invalid request',
    detail: 'The request does not satisfy the contract.',
  },
  unauthenticated: {
    status: 401,
    title: 'Unauthenticated',
    detail: 'This needs a valid token in the Authorization header.',
  },
  forbidden: { status: 403, title: 'Forbidden', detail: 'The caller may not do this.' },
  'not-found': { status: 404, title: 'Not found', detail: 'There is nothing at this path.' },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'This path does not answer this method; the Allow header lists those it does.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    detail: 'The request took too long to arrive.',
  },
  conflict: { status: 409, title: 'Conflict', detail: 'There is such a record already.' },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    detail: 'The version of the record is not one that If-Match and If-None-Match allow.',
  },
  'payload-too-large': { status: 413, title: 'Payload too large', detail: 'It is too large.' },
  'key-reused': {
    status: 422,
    title: 'Key reused',
    detail: 'The Idempotency-Key was used before, with another body.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many requests. Nothing was changed; try again later.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    detail: 'The headers of the request are too large.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal server error',
    detail: 'The server failed to answer this request.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    detail: 'The server cannot answer now. Nothing was changed; try again later.',
  },
};

const RETRY_AFTER = { 'Retry-After': '1' };
const MOST_ERRORS = 20;
const LONGEST_PATH = 200;

/** What an error says, in the kit's own shape. */
export function problemOf({ code, detail, errors, status: narrower }: ApiError): Problem {
  const kind = kinds[code];
  const problem: Problem = {
    type: `urn:accord:problem:${code}`,
    title: kind.title,
    status: narrower ?? kind.status,
    detail: detail ?? kind.detail,
  };
  if (errors) problem.errors = errors.slice(0, MOST_ERRORS).map(bounded);
  return problem;
}

/** What the reply to an error carries besides its body. */
export function problemHeaders({ code, headers }: ApiError): Readonly<Record<string, string>> {
  return code === 'unavailable' ? { ...RETRY_AFTER, ...headers } : headers;
}

/** Anything thrown, as the API's own error; what it does not know is an internal error. */
export function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('internal-error', { cause: error });
}

// What the client sent may be long, and a cut must not leave half a character.
function bounded({ path, message }: InputError): InputError {
  return { path: path.slice(0, LONGEST_PATH).toWellFormed(), message };
}
