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
import { ApiError, type ErrorCode } from '../errors.ts';
import { badRequest, unavailable } from '../graphql/graphql-endpoint.ts';
import type { Watch } from '../observe/exchange-log.ts';
import { problemReply } from '../rest/problem.ts';
import { carryLines, headerLine } from './common-headers.ts';
import type { Cors } from './cors.ts';
import { endSilence } from './idle-timeout.ts';
import { isAlwaysAnswered, type Overload } from './overload.ts';
import { createTurns, type Turns } from './pipelining.ts';
import { sendWhole, type WholeReply } from './reply.ts';
import { localTarget, splitTarget, timesSent } from './target.ts';

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
  const refuse = (error: ClientError, socket: Duplex, request?: IncomingMessage) =>
    answerClientError(error, socket, request, common, parts.watch);
  const turns: Turns = createTurns((request, response) => {
    carryLines(response, common);
    answer(parts, turns, request, response);
  });
  // After these the byte stream is not to be trusted: the parser drops what follows an upgrade that is ignored.
  const last = new WeakSet<Duplex>();
  const server = createHttpServer(options, (request, response) => {
    const { socket } = request;
    if (last.has(socket)) return;
    if (isUpgrade(request) || isChunkedHttp10(request)) {
      last.add(socket);
      response.shouldKeepAlive = false;
    }
    turns.take(request, response);
  });
  // Who has sent all of its requests and says so is answered. The property is node:http's own, without a type.
  Object.assign(server, { httpAllowHalfOpen: true });
  // node:http takes its own error listener off a socket that asks for a tunnel; an 'error' event that nobody
  // listens to ends the process.
  server.on('connection', (socket) => socket.on('error', () => {}));
  // Close connections without traffic.
  endSilence(server, silence);
  server.keepAliveTimeout = 0;
  // After a parse error the byte stream is unusable: answer once, then close.
  const refused = new WeakSet<Duplex>();
  /** Refuses what is not a request, after the answers to the requests before it. */
  const refuseInTurn = (error: ClientError, socket: Duplex) => {
    if (socket.destroyed || refused.has(socket)) return;
    refused.add(socket);
    const response = turns.latest(socket);
    const refuseNow = () => refuse(error, socket);
    if (response && !response.req.complete) {
      // The body of this request fails: one answer is enough, after those before it.
      if (response.headersSent) socket.destroy();
      else if (response.socket) refuse(error, socket, response.req);
      else response.once('socket', () => refuse(error, socket, response.req));
    } else if (response && !response.closed) {
      response.once('close', refuseNow);
    } else {
      refuseNow();
    }
  };
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseInTurn(error, socket);
  });
  server.on('connect', (_, socket: Duplex) => refuseInTurn({}, socket));
  parts.overload.watch(server, ({ request, response }) => {
    if (response.headersSent) request.socket.destroy();
    else refuseInTurn({ code: REQUEST_TIMEOUT }, request.socket);
  });
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
  const admitted = overload.admit(request, response, performance.now());
  if (overload.isCrowded()) response.shouldKeepAlive = false;
  response.on('close', () => {
    const now = performance.now();
    overload.leave(admitted, now);
    turns.done(response);
    end(now);
  });
  if (cors?.(request, response)) return;
  const isOver = admitted === undefined;
  if (within) within(request, () => route(parts, isOver, request, response));
  else route(parts, isOver, request, response);
}

/** RFC 9110, 7.8: the server may ignore it, and goes on in HTTP/1.1. */
function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');
}

/** RFC 9112, 6.1: its framing is faulty, so that the connection is closed after the answer. */
function isChunkedHttp10({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

function route(
  { rest, graphql, observers = [] }: Parts,
  isOver: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { url = '' } = request;
  for (const observe of observers) observe(request, response);
  const isGraphql = isGraphqlOperation(request);
  if (isOver && !isAlwaysAnswered(splitTarget(url)[0])) {
    sendWhole(response, isGraphql ? unavailable : problemReply(new ApiError('unavailable')));
    return;
  }
  const fault = hostFault(request);
  if (fault) {
    sendWhole(response, refusalOf(new ApiError('invalid-request', { detail: fault }), isGraphql));
    return;
  }
  // HTTP/1.0 knows no interim responses.
  const { expect } = request.headers;
  if (expect !== undefined && request.httpVersion === '1.1' && /\b100-continue\b/i.test(expect)) {
    response.writeContinue();
  }
  if (isGraphql) graphql(request, response);
  else rest(request, response);
}

function isGraphqlOperation({ method, url = '' }: IncomingMessage): boolean {
  return method === 'POST' && (url === '/graphql' || url.startsWith('/graphql?'));
}

/** A refusal in the shape that the contract declares for the operation. */
function refusalOf(error: ApiError, isGraphql: boolean): WholeReply & { readonly body: string } {
  return isGraphql ? badRequest(String(error.detail)) : problemReply(error);
}

// uri-host [ ":" port ] of RFC 3986: a registered name, which may be empty, or an address in brackets.
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w:.]+\])(?::\d*)?$/;

/** What is wrong with the host that a request names; HTTP/1.0 need not name one. */
function hostFault({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The request is not HTTP/1.1.';
  const times = timesSent(rawHeaders, 'host');
  if (times === 0 && httpVersion === '1.0') return undefined;
  if (times !== 1) return 'A request names its host, once.';
  return HOST.test(headers.host ?? '') ? undefined : 'The Host header is malformed.';
}

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  [REQUEST_TIMEOUT]: 'request-timeout',
};

type ClientError = { readonly code?: string | undefined };

/** Answers what the parser refused, or a request whose body fails, and closes the connection. */
function answerClientError(
  { code: parserCode }: ClientError,
  socket: Duplex,
  request: IncomingMessage | undefined,
  common: string,
  watch: Watch,
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const code = codes[String(parserCode)] ?? 'invalid-request';
  const isGraphql =
    code === 'invalid-request' && request !== undefined && isGraphqlOperation(request);
  const detail = 'The request is not valid HTTP.';
  const { status, body } = refusalOf(
    new ApiError(code, code === 'invalid-request' ? { detail } : {}),
    isGraphql,
  );
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${common}` +
      `X-Request-Id: ${watch.unreadable(status)}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nDate: ${new Date().toUTCString()}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), 1000).unref();
}
