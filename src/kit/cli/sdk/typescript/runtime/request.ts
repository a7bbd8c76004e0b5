import type { RequestOptions } from './options.js';
import type { Repeatable } from './retry.js';

/** What the contract says about an operation, as far as sending it takes. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  /** How the body of each status that is not a refusal is read. */
  readonly replies: Readonly<Record<number, 'json' | 'text' | 'nothing'>>;
  /** The statuses that it is refused with. */
  readonly refusals: readonly number[];
  /** The options that go into the query, and those that are headers. */
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly replyHeaders?: Readonly<Record<string, { name: string; type: 'string' | 'number' }>>;
}

export interface Input {
  readonly path?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  readonly options?: RequestOptions;
}

/** A request that is ready to be sent, as often as need be. */
export interface Prepared {
  readonly operation: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly repeatable: Repeatable;
}

export function prepare(baseUrl: string, operation: Operation, input: Input): Prepared {
  // Options are looked up by the names that the operation has for them.
  const given = { ...input.options } as Readonly<Record<string, unknown>>;
  const headers = headersOf(operation, given);
  return {
    operation: operation.id,
    url: urlOf(baseUrl, operation, input.path ?? {}, given),
    method: operation.method,
    headers: { accept: operation.accept, ...headers },
    body: input.body,
    repeatable: repeatability(operation, headers),
  };
}

function urlOf(
  baseUrl: string,
  { path, query = {} }: Operation,
  inPath: Readonly<Record<string, string | number | boolean>>,
  given: Readonly<Record<string, unknown>>,
): string {
  const filled = path.replaceAll(/\{([^}]*)\}/g, (_, name) =>
    encodeURIComponent(String(inPath[name])),
  );
  const search = new URLSearchParams();
  for (const [option, name] of Object.entries(query)) {
    if (given[option] !== undefined) search.set(name, String(given[option]));
  }
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search.size > 0 ? `?${search}` : ''}`;
}

/** The headers among the options; a POST that takes a key is given one. */
function headersOf(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [option, name] of Object.entries(operation.headers ?? {})) {
    const isKey = operation.method === 'POST' && name.toLowerCase() === 'idempotency-key';
    const value = given[option] ?? (isKey ? randomKey() : undefined);
    if (value !== undefined) headers[name.toLowerCase()] = String(value);
  }
  return headers;
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
