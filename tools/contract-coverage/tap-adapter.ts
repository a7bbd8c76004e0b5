import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Routes } from '../../src/kit/contract/routes.ts';
import type { Tap } from '../../src/kit/http/exchange.ts';
import { localTarget, splitTarget } from '../../src/kit/http/target.ts';

// TODO: goes when `serve` takes taps: start-covered.ts passes the tap there.
type Started = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** Gives a tap the exchanges of the server at a port of this process; ends when called. */
export function attachTap(port: number, routes: Routes, tap: Tap): () => void {
  const onRequest = (message: unknown) => {
    // node:http documents the message of this channel.
    const { request, response } = message as Started;
    if (request.socket.localPort === port) tapExchange(request, response, routes, tap);
  };
  subscribe('http.server.request.start', onRequest);
  return () => void unsubscribe('http.server.request.start', onRequest);
}

function tapExchange(
  request: IncomingMessage,
  response: ServerResponse,
  routes: Routes,
  tap: Tap,
): void {
  const { method = '', url = '' } = request;
  const [path, query] = splitTarget(localTarget(url));
  const match = routes(path);
  const operations = match?.route.operations;
  const operation =
    operations?.get(method) ?? (method === 'HEAD' ? operations?.get('GET') : undefined);
  const sent: Buffer[] = [];
  const answered: Buffer[] = [];
  // A listener for `data` would start the flow before the server reads the body.
  const push = request.push.bind(request);
  request.push = (chunk, encoding) => {
    keep(sent, chunk);
    return push(chunk, encoding);
  };
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  response.write = (chunk: unknown, ...rest: unknown[]) => {
    keep(answered, chunk);
    // The arguments are passed on unchanged; only the union of their types is lost.
    return Reflect.apply(write, response, [chunk, ...rest]);
  };
  response.end = (chunk?: unknown, ...rest: unknown[]) => {
    keep(answered, chunk);
    return Reflect.apply(end, response, [chunk, ...rest]);
  };
  response.once('finish', () => {
    const known = { request, response, id: '', method, path, query, match, operation };
    const noted = { start: 0, headers: [], body: Buffer.concat(sent), graphql: undefined };
    const text = Buffer.concat(answered).toString();
    const reply = { status: response.statusCode, headers: {}, body: text };
    tap({ ...known, ...noted }, reply, { isSent: true, text });
  });
}

function keep(chunks: Buffer[], chunk: unknown): void {
  if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
  else if (Buffer.isBuffer(chunk)) chunks.push(chunk);
}
