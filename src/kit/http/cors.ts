import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Routes } from '../contract/routes.ts';
import { carry } from './common-headers.ts';
import { sendWhole } from './reply.ts';
import { splitTarget } from './target.ts';

/** Which pages of other origins may read the answers: those of these origins, or of any. */
export type Origins = readonly string[] | 'any';

/** Lets a page of another origin read the answer; whether it was a preflight, which is then answered. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean;

// What a page may send and read besides what every page may.
const SENT =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Traceparent, X-Request-Id';
const READ =
  'Allow, Contract-Digest, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
const SECONDS = '600';

export function createCors(origins: Origins, routes: Routes): Cors {
  const known = origins === 'any' ? undefined : new Set(origins);
  return (request, response) => {
    const { origin, 'access-control-request-method': wanted } = request.headers;
    // The answer to one origin must not be taken from a cache for another.
    if (known) carry(response, 'Vary', 'Origin');
    if (origin === undefined || (known && !known.has(origin))) return false;
    carry(response, 'Access-Control-Allow-Origin', known ? origin : '*');
    const isPreflight = request.method === 'OPTIONS' && wanted !== undefined;
    const methods = isPreflight ? methodsAt(routes, request.url) : [];
    if (methods.length === 0) {
      carry(response, 'Access-Control-Expose-Headers', READ);
      return false;
    }
    carry(response, 'Access-Control-Allow-Methods', methods.join(', '));
    carry(response, 'Access-Control-Allow-Headers', SENT);
    carry(response, 'Access-Control-Max-Age', SECONDS);
    sendWhole(response, { status: 204, headers: {}, body: undefined });
    return true;
  };
}

/** The methods that the contract has for a path. */
function methodsAt(routes: Routes, url = ''): readonly string[] {
  return routes(splitTarget(url)[0])?.route.methods ?? [];
}
