import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import { isObject } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { decode, type Match, textOf } from '../contract/routes.ts';
import { ApiError, invalid } from '../errors.ts';
import { readJson } from '../http/body.ts';
import { splitTarget } from '../http/target.ts';
import { isDecimal } from './decimal.ts';

/** What Express makes of a request. */
type Mendable = IncomingMessage & {
  method: string;
  url: string;
  originalUrl: string;
  body?: unknown;
};

/**
 * Mends a request before the validator sees it, and refuses what the validator would let through or
 * answer wrongly. Gives the route that the path names, with its parameters; where it names none, the request
 * is left as it is.
 */
export async function normalise(contract: Contract, request: Mendable): Promise<Match | undefined> {
  const [path, query] = splitTarget(request.url);
  const match = contract.routes(path);
  if (!match) return undefined;
  const { operations } = match.route;
  // HEAD is answered as GET, without a body.
  request.method = operations.get(request.method)?.method ?? request.method;
  // URLSearchParams drops one question mark at the start, which is this one.
  const search = query === '' ? NO_PARAMETERS : new URLSearchParams(`?${query}`);
  // The validator refuses reserved characters in a query and text that is not percent-encoded.
  const place = PLAIN.test(path) ? path : encodePath(path);
  const url = search.size > 0 ? `${place}?${encodeQuery(search)}` : place;
  request.url = url;
  request.originalUrl = url;

  const operation = operations.get(request.method);
  if (operation) {
    refuseUnknown(operation, search);
    checkParameters(operation, match, search, request.headers);
  }
  // It keeps a compiled validator for each Content-Type it meets, on every method: one is enough.
  if (operation?.takesBody) {
    request.body = boundedBody(await readJson(request), operation);
    request.headers['content-type'] = 'application/json';
  } else {
    delete request.headers['content-type'];
  }
  return match;
}

const NO_PARAMETERS = new URLSearchParams();
// These stand for themselves.
const PLAIN = /^[A-Za-z0-9/._~-]*$/;

function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment === '' ? '' : encodeURIComponent(decode(segment).toWellFormed())))
    .join('/');
}

function encodeQuery(search: URLSearchParams): string {
  return [...search].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}

/** The validator drops names with brackets and those after the thousandth before it looks for unknown ones. */
function refuseUnknown({ parameters }: Operation, search: URLSearchParams): void {
  if (search.size === 0) return;
  const known = new Set(parameters.filter((each) => each.in === 'query').map(({ name }) => name));
  for (const name of search.keys()) {
    if (!known.has(name)) throw invalid(`/query/${name}`, 'is not a parameter of this operation');
  }
}

/** The validator converts text to numbers liberally: `1e3`, ` 1` and `0x10` would pass. */
function checkParameters(
  { parameters }: Operation,
  match: Match,
  search: URLSearchParams,
  headers: IncomingHttpHeaders,
): void {
  const textsOf: Readonly<Record<string, (name: string) => readonly unknown[]>> = {
    path: (name) => [textOf(match, name)],
    query: (name) => search.getAll(name),
    header: (name) => [headers[name.toLowerCase()] ?? []].flat(),
  };
  for (const { in: place, name, integer, malformedStatus } of parameters) {
    const texts = textsOf[place]?.(name) ?? [];
    const at = place === 'header' ? `/headers/${name.toLowerCase()}` : `/${place}/${name}`;
    if (texts.length > 1) throw invalid(at, 'is given more than once');
    if (integer && !texts.every((text) => isDecimal(String(text)))) {
      if (malformedStatus === 404) throw new ApiError('not-found');
      throw invalid(at, 'must be an integer in decimal digits');
    }
  }
}

const MOST_PROPERTIES = 100;

/** The body as the validator is to see it, which tells every fault it finds: it would take long over very many. */
export function boundedBody(body: unknown, { mostMembers = 0 }: Operation): unknown {
  // Of so many one is unknown.
  const most = Math.max(MOST_PROPERTIES, mostMembers);
  if (isObject(body) && Object.keys(body).length > most) {
    throw invalid('/body', `must not have more than ${most} properties`);
  }
  return body;
}
