import { ApiError, type ErrorCode, type InputError } from '../errors.ts';
import type { Exchange, Reply } from '../http/exchange.ts';
import { json } from '../json-text.ts';

/** The members of RFC 9457. */
type Problem = {
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

/** Makes the reply to what an endpoint threw; failures of the server itself are logged, once, with their cause. */
export function createFail(
  onFailure: (what: string, cause: unknown, request: string) => void,
): (thrown: unknown, exchange: Exchange) => Reply {
  return (thrown, { id, method, path }) => {
    const error = toApiError(thrown);
    if (error.code === 'internal-error' || error.code === 'unavailable') {
      onFailure(`${method} ${path}`, error.cause ?? error, id);
    }
    return problemReply(error);
  };
}

/** The reply to an error. */
export function problemReply(error: ApiError): Reply {
  const { code, detail, errors, headers, status: narrower } = error;
  const kind = kinds[code];
  const status = narrower ?? kind.status;
  const body: Problem = {
    type: `urn:accord:problem:${code}`,
    title: kind.title,
    status,
    detail: detail ?? kind.detail,
  };
  if (errors) body.errors = errors.slice(0, MOST_ERRORS).map(bounded);
  return {
    status,
    headers: code === 'unavailable' ? { ...RETRY_AFTER, ...headers } : headers,
    body: json(body),
  };
}

/** Anything thrown, as the API's own error; what it does not know is an internal error. */
function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('internal-error', { cause: error });
}

// What the client sent may be long, and a cut must not leave half a character.
function bounded({ path, message }: InputError): InputError {
  return { path: path.slice(0, LONGEST_PATH).toWellFormed(), message };
}
