import type { IncomingMessage } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import { isObject } from '../contract/document.ts';
import type { Operation } from '../contract/operation.ts';
import { decode, type Match, textOf } from '../contract/routes.ts';
import { invalid } from '../errors.ts';
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
  // The validator knows no HEAD; node:http sends no body for it whatever the method says here.
  if (request.method === 'HEAD') request.method = 'GET';
  const search = query === '' ? NO_PARAMETERS : new URLSearchParams(query);
  // The validator refuses reserved characters in a query and text that is not percent-encoded.
  const place = PLAIN.test(path) ? path : encodePath(path);
  const url = search.size > 0 ? `${place}?${encodeQuery(search)}` : place;
  request.url = url;
  request.originalUrl = url;

  const operation = match.route.operations.get(request.method);
  if (operation) checkParameters(operation, match, search);
  // It keeps a compiled validator for each Content-Type it meets, on every method: one is enough.
  if (operation?.takesBody) {
    request.body = mendBody(await readJson(request), request.method, match);
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

/** The validator converts text to numbers liberally: `1e3`, ` 1` and `0x10` would pass. */
function checkParameters(operation: Operation, match: Match, search: URLSearchParams): void {
  for (const { in: place, name, integer } of operation.parameters) {
    if (place !== 'path' && place !== 'query') continue;
    const texts = place === 'path' ? [String(textOf(match, name))] : search.getAll(name);
    if (texts.length > 1) throw invalid(`/query/${name}`, 'is given more than once');
    if (integer && !texts.every(isDecimal)) {
      throw invalid(`/${place}/${name}`, 'must be an integer in decimal digits');
    }
  }
}

const MOST_PROPERTIES = 100;

/** The body as the validator is to see it, which tells every fault it finds: it would take long over very many. */
export function mendBody(body: unknown, method: string, match: Match): unknown {
  if (isObject(body) && Object.keys(body).length > MOST_PROPERTIES) {
    throw invalid('/body', `must not have more than ${MOST_PROPERTIES} properties`);
  }
  return withoutId(body, method, match);
}

/** A record that was read may be sent back whole, but not to another place. */
function withoutId(body: unknown, method: string, match: Match): unknown {
  if (method !== 'PUT' || !isObject(body) || !Object.hasOwn(body, 'id')) return body;
  const { id, ...fields } = body;
  if (String(id) !== textOf(match, 'id') || typeof id !== 'number') {
    throw invalid('/body/id', 'must be the id in the path');
  }
  return fields;
}
