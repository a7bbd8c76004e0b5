import { IncomingMessage, ServerResponse } from 'node:http';
import type { Routes } from '../../contract/routes.ts';
import type { Exchange } from '../../http/exchange.ts';
import { localTarget, splitTarget } from '../../http/target.ts';

const NOBODY = Object.freeze({});

/**
 * The exchange of a request that somebody else answers, so that the kit's own readers can look at it: a copy of the
 * request with the bytes of its body.
 */
export function copiedExchange(routes: Routes, asked: IncomingMessage, body: Buffer): Exchange {
  const request = copyOf(asked, body);
  const { method = '', url = '' } = asked;
  const [path, query] = splitTarget(localTarget(url));
  const match = routes(path);
  return {
    request,
    response: new ServerResponse(request),
    id: '',
    method,
    path,
    query,
    match,
    operation: match?.route.operations.get(method),
    start: 0,
    headers: [],
    // It was bounded when it was read.
    uploadLimit: Number.MAX_SAFE_INTEGER,
    body,
    graphql: undefined,
    identity: NOBODY,
  };
}

function copyOf(asked: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, httpVersion } = asked;
  const copy = new IncomingMessage(asked.socket);
  const { 'content-encoding': _, ...headers } = asked.headers;
  // Its other codings were undone.
  if (headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  const { rawHeaders, headersDistinct } = asked;
  Object.assign(copy, { method, url, httpVersion, headers, rawHeaders, headersDistinct });
  if (body.length > 0) copy.push(body);
  copy.push(null);
  copy.complete = true;
  return copy;
}
