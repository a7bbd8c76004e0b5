import type { Exchange, Reply } from './exchange.ts';

/** Origins whose pages may read the answers, or any. */
export type Origins = readonly string[] | 'any';

/** Adds what lets a page of another origin read the reply; gives the reply to a preflight. */
export type Cors = (exchange: Exchange) => Reply | undefined;

// What a page may send and read beyond the safelisted headers.
const SENT =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Traceparent, X-Request-Id';
const READ =
  'Allow, Contract-Digest, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
const SECONDS = '600';

/** `more` is a header that a page may send and read too. */
export function createCors(origins: Origins, more?: string): Cors {
  const [sent, read] = [SENT, READ].map((each) => (more ? `${each}, ${more}` : each));
  const known = origins === 'any' ? undefined : new Set(origins);
  return ({ request, method, match, headers }) => {
    const { origin, 'access-control-request-method': wanted } = request.headers;
    // A cache must not give the answer to one origin to another.
    if (known) headers.push('Vary', 'Origin');
    if (origin === undefined || (known && !known.has(origin))) return undefined;
    headers.push('Access-Control-Allow-Origin', known ? origin : '*');
    const isPreflight = method === 'OPTIONS' && wanted !== undefined;
    if (!isPreflight || !match) {
      headers.push('Access-Control-Expose-Headers', String(read));
      return undefined;
    }
    const methods = match.route.methods.join(', ');
    headers.push(
      'Access-Control-Allow-Methods',
      methods,
      'Access-Control-Allow-Headers',
      String(sent),
    );
    headers.push('Access-Control-Max-Age', SECONDS);
    return { status: 204, headers: {}, body: undefined };
  };
}
