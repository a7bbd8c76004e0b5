import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { type Match, textOf } from '../contract/routes.ts';
import { ApiError, invalid } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { isDecimal } from './lane-rules.ts';
import { type BodyForm, formOf, mediaTypeFor } from './request-body.ts';

/** A request as the validator is to see it. */
export type Mended = {
  readonly method: string;
  /** Encoded, with its question mark; empty where there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly cookies: Readonly<Record<string, string>>;
  /** Of the body. */
  readonly mediaType: string | undefined;
  readonly body: unknown;
};

/** Refuses what the validator would let through or answer wrongly, and mends what it would refuse wrongly. */
export async function mend(
  exchange: Exchange,
  match: Match,
  forms: readonly BodyForm[],
): Promise<Mended> {
  const { operation, method, request } = exchange;
  // URLSearchParams drops one question mark at the start, which is this one.
  const search = new URLSearchParams(`?${exchange.query}`);
  if (operation) {
    refuseUnknown(operation, search);
    checkParameters(operation, match, search, request.headers);
  }
  const { 'content-type': _, ...headers } = request.headers;
  const form = operation?.body && formOf(forms, operation.body, exchange);
  const body = form && operation && bounded(await form.read(exchange), operation);
  return {
    method: operation?.method ?? method,
    // The validator refuses reserved characters in a query.
    query: search.size > 0 ? `?${encodeQuery(search)}` : '',
    // The validator keeps a compiled validator for each Content-Type that it meets: one is enough.
    headers:
      form && body !== undefined
        ? { ...headers, 'content-type': validatorType(forms.indexOf(form)) }
        : withoutBody(headers),
    mediaType: form && body !== undefined ? mediaTypeFor(form, exchange) : undefined,
    cookies: cookiesIn(headers.cookie),
    body,
  };
}

/** The media type under which the validator knows the i-th form of a body. */
export function validatorType(i: number): string {
  return i === 0 ? 'application/json' : `application/m${i}`;
}

/** The validator takes a length for a body. */
function withoutBody(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'content-length': _, 'transfer-encoding': __, ...others } = headers;
  return others;
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

/** The validator reads no cookies by itself, and checks none that were not read. */
function cookiesIn(header = ''): Record<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

const MOST_PROPERTIES = 100;

/** The validator reports every unknown property, however many there are. */
function bounded(body: unknown, { mostMembers = 0 }: Operation): unknown {
  // A body with more members than the schema declares has an unknown one.
  const most = Math.max(MOST_PROPERTIES, mostMembers);
  if (isObject(body) && Object.keys(body).length > most) {
    throw invalid('/body', `must not have more than ${most} properties`);
  }
  return body;
}
