import { type BodyForm, type WrittenBody, writeBody } from './body.js';
import type { RequestOptions } from './options.js';
import { type Parameter, parameterText } from './parameter-text.js';
import type { Repeatable } from './retry.js';

/** How a body is read: `any` by its `Content-Type`. */
export type Reads = 'json' | 'text' | 'binary' | 'any' | 'nothing';

/** What the contract says about an operation, as far as sending it takes. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  /** How the body of each status that is not a refusal is read, by status, `2XX` or `default`. */
  readonly replies: Readonly<Record<string, Reads>>;
  /** The statuses that it is refused with. */
  readonly refusals: readonly (number | string)[];
  readonly parameters?: readonly Parameter[];
  /** How its body is written, for each media type that it takes. */
  readonly bodies?: readonly BodyForm[];
  readonly replyHeaders?: Readonly<Record<string, { name: string; type: 'string' | 'number' }>>;
  /** Alternatives, each the names of security schemes. */
  readonly security?: readonly (readonly string[])[];
  /** Whether redirections are answers of their own. */
  readonly redirects?: boolean;
}

export interface Input {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly options?: RequestOptions;
}

/** A request that is ready to be sent, as often as need be. */
export interface Prepared {
  readonly operation: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WrittenBody | undefined;
  readonly security: readonly (readonly string[])[];
  readonly redirects: boolean;
  readonly repeatable: Repeatable;
}

export function prepare(baseUrl: string, operation: Operation, input: Input): Prepared {
  // Parameters are looked up by the names that the operation has for them.
  const given = { ...input.options, ...input.path } as Readonly<Record<string, unknown>>;
  const headers = headersOf(operation, given);
  return {
    operation: operation.id,
    url: urlOf(baseUrl, operation, given),
    method: operation.method,
    headers: { accept: operation.accept, ...headers },
    body: input.body === undefined ? undefined : writeBody(operation.bodies ?? [], input.body),
    security: operation.security ?? [],
    redirects: operation.redirects ?? false,
    repeatable: repeatability(operation, headers),
  };
}

/** An address with further parts of the query. */
export function withQuery(url: string, parts: readonly string[]): string {
  const query = parts.filter((part) => part !== '').join('&');
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

function urlOf(
  baseUrl: string,
  { path, parameters = [] }: Operation,
  given: Readonly<Record<string, unknown>>,
): string {
  const inPath = new Map(
    parameters.filter((each) => each.in === 'path').map((each) => [each.name, each]),
  );
  const filled = path.replaceAll(/\{([^}]*)\}/g, (_, name) => {
    const parameter = inPath.get(name);
    return parameter ? parameterText(parameter, given[parameter.key]) : '';
  });
  return withQuery(`${baseUrl.replace(/\/+$/, '')}${filled}`, textsIn('query', parameters, given));
}

function textsIn(
  place: 'query' | 'cookie',
  parameters: readonly Parameter[],
  given: Readonly<Record<string, unknown>>,
): string[] {
  return parameters.flatMap((parameter) => {
    const value = parameter.in === place ? given[parameter.key] : undefined;
    return value === undefined || value === null ? [] : [parameterText(parameter, value)];
  });
}

/** The headers among the options; a POST that takes a key is given one. */
function headersOf(
  { method, parameters = [] }: Operation,
  given: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const parameter of parameters.filter((each) => each.in === 'header')) {
    const name = parameter.name.toLowerCase();
    const isKey = method === 'POST' && name === 'idempotency-key';
    const value = given[parameter.key] ?? (isKey ? randomKey() : undefined);
    if (value !== undefined && value !== null) headers[name] = parameterText(parameter, value);
  }
  const cookies = textsIn('cookie', parameters, given).filter((text) => text !== '');
  return cookies.length > 0 ? { ...headers, cookie: cookies.join('; ') } : headers;
}

function repeatability({ method }: Operation, headers: Record<string, string>): Repeatable {
  if (method === 'POST' || method === 'PATCH')
    return 'idempotency-key' in headers ? 'keyed' : 'once';
  const version = method === 'GET' ? undefined : headers['if-match'];
  return version === undefined || version === '*' ? 'any' : 'versioned';
}

/** Works where crypto.randomUUID does not: on pages that came without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
