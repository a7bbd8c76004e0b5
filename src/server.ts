import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode } from './errors.ts';
import { unavailable } from './graphql/endpoint.ts';
import { carryLines, headerLine } from './http/common-headers.ts';
import type { Cors } from './http/cors.ts';
import { sendWhole } from './http/reply.ts';
import { endSilence } from './http/silence.ts';
import { localTarget, splitTarget, timesSent } from './http/target.ts';
import { createTurns, type Turns } from './http/turns.ts';
import { isAlwaysAnswered, type Overload } from './operations/overload.ts';
import type { Watch } from './operations/watch.ts';
import { problemReply } from './rest/problem.ts';

type Parts = {
  readonly rest: RequestListener;
  /** Answers POST /graphql; other methods on it go to REST, whose contract refuses them. */
  readonly graphql: RequestListener;
  /** Tells clients which contracts are enforced. */
  readonly digest: string;
  readonly watch: Watch;
  /** Lets pages of other origins in, where that is wanted. */
  readonly cors?: Cors | undefined;
  /** Answers within a span, where somebody wants to see it. */
  readonly within?: ((request: IncomingMessage, answer: () => void) => void) | undefined;
  /** Those who look closer at exchanges. */
  readonly observers?: readonly RequestListener[];
  readonly overload: Overload;
};

/** How long a request may take to arrive, and a connection be silent meanwhile, in milliseconds. */
export type TimeOuts = {
  readonly headers: number;
  readonly request: number;
  readonly silence: number;
};

const timeOuts: TimeOuts = { headers: 10_000, request: 20_000, silence: 30_000 };

/** The HTTP server: bounds on how long a request may take to arrive, and an answer to what is not HTTP. */
export function createServer(
  parts: Parts,
  { headers, request, silence }: TimeOuts = timeOuts,
): Server {
  const options = {
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(500, headers),
    // It would be refused without a body; `answer` refuses it in the one shape.
    requireHostHeader: false,
    // A request without a body needs no stream that ends.
    optimizeEmptyRequests: true,
  };
  const common =
    headerLine('Contract-Digest', parts.digest) +
    // A browser takes an answer for what its Content-Type says, and for nothing else.
    headerLine('X-Content-Type-Options', 'nosniff');
  const refuse = (error: ClientError, socket: Duplex) =>
    answerClientError(error, socket, common, parts.watch);
  const turns: Turns = createTurns((request, response) => {
    carryLines(response, common);
    answer(parts, turns, request, response);
  });
  const server = createHttpServer(options, turns.take);
  parts.overload.watch(server);
  // Who takes an answer reads it; a client that does not is let go, as one that asks for nothing more.
  endSilence(server, silence);
  server.keepAliveTimeout = 0;
  // What comes after nonsense is nonsense too: a connection is refused once.
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    if (socket.destroyed || refused.has(socket)) return;
    refused.add(socket);
    const response = turns.latest(socket);
    const refuseNow = () => refuse(error, socket);
    if (response && !response.req.complete) {
      // It is the body of this request that fails: one answer is enough, after those before it.
      if (response.headersSent) socket.destroy();
      else if (response.socket) refuseNow();
      else response.once('socket', refuseNow);
    } else if (response && !response.closed) {
      response.once('close', refuseNow);
    } else {
      refuseNow();
    }
  });
  server.on('connect', (_, socket: Duplex) => refuse({}, socket));
  // An expectation that the server does not know may be ignored; node:http would answer it without a body.
  // What is refused for lack of capacity is refused before its body is asked for.
  for (const event of ['checkExpectation', 'checkContinue'] as const) {
    server.on(event, (request, response) => server.emit('request', request, response));
  }
  return server;
}

function answer(
  parts: Parts,
  turns: Turns,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { watch, overload, cors, within } = parts;
  request.url = localTarget(request.url ?? '');
  const end = watch.exchange(request, response);
  const isOver = overload.isOver();
  if (overload.isCrowded()) response.shouldKeepAlive = false;
  overload.enter();
  response.on('close', () => {
    const now = performance.now();
    overload.leave(now);
    turns.done(response);
    end(now);
  });
  if (cors?.(request, response)) return;
  if (within) within(request, () => route(parts, isOver, request, response));
  else route(parts, isOver, request, response);
}

function route(
  { rest, graphql, observers = [] }: Parts,
  isOver: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method, url = '' } = request;
  for (const observe of observers) observe(request, response);
  const isGraphql = method === 'POST' && (url === '/graphql' || url.startsWith('/graphql?'));
  if (isOver && !isAlwaysAnswered(splitTarget(url)[0])) {
    sendWhole(response, isGraphql ? unavailable : problemReply(new ApiError('unavailable')));
    return;
  }
  const { expect } = request.headers;
  if (expect !== undefined && /\b100-continue\b/i.test(expect)) response.writeContinue();
  if (request.httpVersion === '1.1' && timesSent(request.rawHeaders, 'host') !== 1) {
    const detail = 'A request names its host, once.';
    sendWhole(response, problemReply(new ApiError('invalid-request', { detail })));
  } else if (isGraphql) {
    graphql(request, response);
  } else {
    rest(request, response);
  }
}

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

type ClientError = { readonly code?: string | undefined };

/** The parser's own refusals, in the one shape; then the connection is closed, whatever the client does. */
function answerClientError(error: ClientError, socket: Duplex, common: string, watch: Watch): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const code = codes[String(error.code)] ?? 'invalid-request';
  const detail = 'The request is not valid HTTP.';
  const { status, body } = problemReply(
    new ApiError(code, code === 'invalid-request' ? { detail } : {}),
  );
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${common}` +
      `X-Request-Id: ${watch.unreadable(status)}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), 1000).unref();
}
