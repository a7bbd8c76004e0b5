import type { ExecutionResult } from 'graphql';
import type { Response } from 'graphql-http';
import type { Exchange, Reply } from '../http/exchange.ts';
import type { Envelope } from './envelope.ts';
import { mutationByGet, notAcceptable } from './graphql-replies.ts';
import type { JsonData } from './json-data.ts';

/** What an operation gave: what graphql executed, or JSON text of the store. */
export type Result = ExecutionResult | JsonData;

const [GRAPHQL_JSON, JSON_TYPE] = ['application/graphql-response+json', 'application/json'];
/** The media types of answers, the one for a client without a preference first. */
export const TYPES = [JSON_TYPE, GRAPHQL_JSON];
/** What an answer is in, by the Accept header, where there is nothing to negotiate. */
export const PLAIN_TYPES = new Map([
  [undefined, JSON_TYPE],
  ['*/*', JSON_TYPE],
  [JSON_TYPE, JSON_TYPE],
  [GRAPHQL_JSON, GRAPHQL_JSON],
]);

// graphql-http calls a replacer for each value of the JSON. A result without errors needs none: graphql-http is
// given this one, for status and media type. That saves 7 % of the CPU of a nested query (docs/architecture.md).
export const NO_DATA: ExecutionResult = { data: null };

/** Whether it has data and nothing else to tell. */
export function isPlain(result: Result): boolean {
  return 'json' in result || ('data' in result && !result.errors);
}

export function textOf(result: Result): string {
  return 'json' in result ? `{"data":${result.json}}` : JSON.stringify(result);
}

/** The reply that graphql-http decided on, with the text of a result that it was not given. */
export function replyTo(
  { method }: Exchange,
  { body: { extensions } }: Envelope,
  [text, { status, headers = {} }]: Response,
  result: Result | undefined,
  digest: string,
): Reply {
  if (status === 405) return mutationByGet;
  const type = (headers['content-type'] ?? 'application/json').replace('; charset=utf-8', '');
  // GraphQL over HTTP wants 400 for variables that do not fit, with its own media type.
  const isRefused = result && !('json' in result || 'data' in result) && type === GRAPHQL_JSON;
  const answer = result && isPlain(result) ? textOf(result) : (text ?? notAcceptable.body);
  const body =
    Object(extensions).contractDigest === true
      ? JSON.stringify({ ...JSON.parse(answer), extensions: { contractDigest: digest } })
      : answer;
  const varies = method === 'POST' ? {} : { Vary: 'Accept' };
  return { status: isRefused ? 400 : status, headers: varies, type, body };
}
