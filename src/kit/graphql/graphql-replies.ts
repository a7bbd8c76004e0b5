import { ApiError } from '../errors.ts';
import type { Reply } from '../http/exchange.ts';
import type { GraphqlCode } from './graphql-errors.ts';

export type TextReply = Reply & { readonly body: string };

/** The reply to what is no GraphQL request. */
export function refused(error: unknown, onFailure: (cause: unknown) => void): TextReply {
  const { code, detail, errors } =
    error instanceof ApiError ? error : new ApiError('internal-error');
  if (code === 'unavailable') return unavailable;
  if (code === 'internal-error') {
    onFailure(error);
    return errorReply(500, 'INTERNAL_SERVER_ERROR', 'Internal server error');
  }
  const reason = errors?.map(({ path, message }) => `${path} ${message}`).join(', ') ?? detail;
  const message = `The request is not a GraphQL request: ${reason}`;
  return errorReply(code === 'payload-too-large' ? 413 : 400, 'BAD_REQUEST', message);
}

/** The reply when the server has no capacity; nothing of the request was read. */
export const unavailable: TextReply = {
  ...errorReply(503, 'UNAVAILABLE', 'The server cannot answer now; try again later.'),
  headers: { 'Retry-After': '1' },
};

/** The reply to what is no HTTP request. */
export function badRequest(message: string): TextReply {
  return errorReply(400, 'BAD_REQUEST', message);
}

export const mutationByGet: TextReply = {
  ...errorReply(405, 'BAD_REQUEST', 'A mutation is sent by POST.'),
  headers: { Allow: 'POST', Vary: 'Accept' },
};

export const notAcceptable: TextReply = errorReply(
  406,
  'BAD_REQUEST',
  'The answer is application/graphql-response+json or application/json, in UTF-8.',
);

export const onlyAsEvents: TextReply = errorReply(
  406,
  'BAD_REQUEST',
  'A subscription is answered as text/event-stream, which the Accept header must name.',
);

function errorReply(status: number, code: GraphqlCode, message: string): TextReply {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  return { status, headers: {}, body };
}
