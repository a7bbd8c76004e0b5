import type { Document, SecurityScheme } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { ApiError, invalid, present } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { cookieValue } from './parameter-cookie.ts';
import { createQuery } from './parameter-query.ts';
import { isList, type Source, sourceOf, textValue } from './parameter-source.ts';

export type Values = Record<string, unknown>;

/** What the parameters of a request say, by place; names of headers are in lower case. */
export type ParameterValues = {
  readonly query: Values;
  readonly headers: Values;
  readonly path: Values;
  readonly cookies: Values;
};

/**
 * Reads the parameters of requests for an operation as the contract writes them, by style and type; throws the
 * refusal of what cannot be read. Whether the values are valid is not looked at.
 */
export function createParameters(
  document: Document,
  operation: Operation,
): (exchange: Exchange) => ParameterValues {
  const sources = operation.parameters.map((each) => sourceOf(document, each));
  const among = (place: string) => sources.filter((source) => source.in === place);
  const readQuery = createQuery(among('query'), queryKeys(document, operation));
  const { names } = operation;
  const create = {
    query: creator(among('query')),
    headers: creator(among('header')),
    path: creator(among('path')),
    cookies: creator(among('cookie')),
  };

  return (exchange) => {
    const { headers } = exchange.request;
    const queryValue = readQuery(exchange.query);
    const values = {
      query: create.query(),
      headers: create.headers(),
      path: create.path(),
      cookies: create.cookies(),
    };
    for (const source of sources) {
      const { key } = source;
      if (source.in === 'query') {
        set(values.query, key, queryValue(source));
      } else if (source.in === 'path') {
        const match = present(exchange.match);
        set(
          values.path,
          key,
          pathValue(source, match.values[names.lastIndexOf(source.name)], exchange.path),
        );
      } else if (source.in === 'header') {
        set(
          values.headers,
          key,
          headerValue(source, Object.hasOwn(headers, key) ? headers[key] : undefined),
        );
      } else {
        set(values.cookies, key, cookieValue(source, headers.cookie ?? ''));
      }
    }
    return values;
  };
}

/** Names in the query that are credentials of the operation. */
function queryKeys(document: Document, { security }: Operation): Set<string> {
  const schemes = security.flatMap((each) => Object.keys(each));
  return new Set(
    schemes.flatMap((name) => {
      // The OpenAPI schema guarantees the shape.
      const scheme = document.components?.securitySchemes?.[name] as SecurityScheme | undefined;
      return scheme?.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : [];
    }),
  );
}

/** Makes objects that have no member under any of the names. */
function creator(sources: readonly Source[]): () => Values {
  const isInherited = sources.some(({ key }) => key in Object.prototype);
  return isInherited ? () => Object.create(null) : () => ({});
}

function set(values: Values, key: string, value: unknown): void {
  if (value !== undefined) values[key] = value;
}

function pathValue(source: Source, text: string | undefined, path: string): unknown {
  if (text === undefined) return undefined;
  try {
    const value = textValue(source, text);
    if (isUndecoded(text, path)) throw invalid(source.at, 'has malformed percent-encoding');
    return value;
  } catch (error) {
    // Where the contract says so, a path with a malformed value is a path that is not there.
    throw source.malformedStatus === 404 ? new ApiError('not-found') : error;
  }
}

/** Whether a path's segment could not be decoded, so that its text is as it was sent. */
function isUndecoded(text: string, path: string): boolean {
  if (!text.includes('%') || !path.split('/').includes(text)) return false;
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
}

function headerValue(source: Source, given: string | string[] | undefined): unknown {
  if (given === undefined) return undefined;
  const mayList = isList(source.shape);
  if (typeof given !== 'string') {
    if (given.length > 1 && !mayList) throw invalid(source.at, 'is given more than once');
    return headerValue(source, given.join());
  }
  // HTTP allows spaces around the commas of a list.
  return textValue(source, mayList && !source.isJson ? unspaced(given) : given);
}

function unspaced(list: string): string {
  return list
    .split(',')
    .map((part) => part.trim())
    .join();
}
