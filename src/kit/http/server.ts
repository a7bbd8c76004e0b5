import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Routes } from '../contract/routes.ts';
import { ApiError } from '../errors.ts';
import { defaultUploadLimit } from './body.ts';
import type { Clients } from './clients.ts';
import type { ConnectionShares } from './connection-shares.ts';
import type { Cors } from './cors.ts';
import type { Endpoint, Exchange, Reply, Tap } from './exchange.ts';
import { endIdleConnections } from './idle-timeout.ts';
import * as http from './node-http.ts';
import type { Overload } from './overload.ts';
import { type Connection, createPipelining } from './pipelining.ts';
import { send } from './reply.ts';
import {
  expectsContinue,
  hostFault,
  isLast,
  parserError,
  REQUEST_TIMEOUT,
} from './request-check.ts';
import { createRequestIds } from './request-id.ts';
import { inTurns } from './request-turns.ts';
import { probes } from './standard-paths.ts';
import { localTarget, splitTarget } from './target.ts';

type Parts = {
  readonly routes: Routes;
  readonly endpoint: Endpoint;
  /** The reply to a request that is refused before it reaches the endpoint. */
  readonly refuse: (error: ApiError, exchange: Exchange) => Reply;
  /** The reply to what the endpoint threw. */
  readonly fail: (thrown: unknown, exchange: Exchange) => Reply;
  /** What every reply carries: names and values in turn. */
  readonly headers: readonly string[];
  readonly cors?: Cors | undefined;
  /** Runs the answer within a trace span. */
  readonly within?: ((exchange: Exchange, answer: () => void) => void) | undefined;
  readonly taps: readonly Tap[];
  readonly overload: Overload;
  readonly shares: ConnectionShares;
  readonly clients: Clients;
  /** The most bytes of a body with files, or of one that is streamed. */
  readonly uploadLimit?: number;
};

/** How long a request may take to arrive, and a connection be without traffic, in milliseconds. */
export type Timeouts = {
  readonly headers: number;
  readonly request: number;
  readonly idle: number;
};

const defaultTimeouts: Timeouts = { headers: 10_000, request: 20_000, idle: 30_000 };

/** Shared by all exchanges until credentials were checked. */
const NOBODY = Object.freeze({});

/** What is being answered on a connection, and what came of it. */
type Answering = {
  readonly exchange: Exchange;
  reply: Reply | undefined;
  text: string | undefined;
};
type State = {
  answering: Answering | undefined;
  /** After its last request the byte stream cannot be trusted. */
  isLast: boolean;
  isRefused: boolean;
  /** The response to the first request after `isLast` or `isRefused`: it is not answered. */
  ignored: ServerResponse | undefined;
};

/** The HTTP server: requests become exchanges, exchanges get replies, and the taps are told of both. */
export function createServer(parts: Parts, timeouts: Timeouts = defaultTimeouts): Server {
  const { endpoint, refuse, fail, cors, within, taps, overload, shares, clients } = parts;
  const { uploadLimit = defaultUploadLimit } = parts;
  const idOf = createRequestIds();
  const pipelining = createPipelining<State>(
    () => ({ answering: undefined, isLast: false, isRefused: false, ignored: undefined }),
    inTurns(clients, begin),
  );

  function exchangeOf(request: IncomingMessage, response: ServerResponse): Exchange {
    const { url, headers } = request;
    // Where the parser found no request, method is null, whatever its type says, and url is empty.
    const method = request.method ?? '';
    const id = idOf(headers['x-request-id']);
    const [path, query] = url ? splitTarget(localTarget(url)) : ['', ''];
    const match = parts.routes(path);
    return {
      request,
      response,
      id,
      method,
      path,
      query,
      match,
      operation: match?.route.operations.get(method),
      start: performance.now(),
      headers: [...parts.headers, 'X-Request-Id', id],
      uploadLimit,
      body: undefined,
      graphql: undefined,
      identity: NOBODY,
    };
  }

  function begin(
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection & State,
  ): void {
    const exchange = exchangeOf(request, response);
    const answering: Answering = { exchange, reply: undefined, text: undefined };
    connection.answering = answering;
    const isRefused = shares.isRefused(request.socket);
    const admitted = isRefused ? undefined : overload.admit(request, response, exchange.start);
    if (isRefused) response.shouldKeepAlive = false;
    response.on('close', () => {
      connection.answering = undefined;
      overload.leave(admitted, performance.now());
      pipelining.done(response);
      end(answering);
    });
    const answer = () => reply(answering, admitted !== undefined);
    if (within) within(exchange, answer);
    else answer();
  }

  function reply(answering: Answering, isAdmitted: boolean): void {
    const { exchange } = answering;
    try {
      const refusal = cors?.(exchange) ?? refusalOf(exchange, isAdmitted);
      const given = refusal ?? endpoint(exchange);
      if (given instanceof Promise) given.then((it) => deliver(answering, it), failed);
      else deliver(answering, given);
    } catch (error) {
      failed(error);
    }
    function failed(error: unknown): void {
      deliver(answering, fail(error, exchange));
    }
  }

  function deliver(answering: Answering, reply: Reply): void {
    // Refused meanwhile: its byte stream turned out to be unusable.
    if (answering.reply) return;
    const { exchange } = answering;
    try {
      const sent = send(exchange, reply);
      answering.reply = reply;
      if (sent instanceof Promise) void keepText(answering, sent);
      else answering.text = sent;
    } catch (error) {
      // node:http refuses a header; nothing was sent.
      deliver(answering, fail(error, exchange));
    }
  }

  async function keepText(answering: Answering, sent: Promise<string | undefined>): Promise<void> {
    try {
      answering.text = await sent;
    } catch (error) {
      const { exchange } = answering;
      const reply = fail(error, exchange);
      if (exchange.response.headersSent) return;
      answering.reply = undefined;
      deliver(answering, reply);
    }
  }

  function end({ exchange, reply, text }: Answering): void {
    const isSent = exchange.response.writableFinished;
    for (const tap of taps) tap(exchange, { reply, isSent, text });
  }

  function refusalOf(exchange: Exchange, isAdmitted: boolean): Reply | undefined {
    if (!isAdmitted && !probes.has(exchange.path)) {
      return refuse(new ApiError('unavailable'), exchange);
    }
    const detail = hostFault(exchange.request);
    if (detail) return refuse(new ApiError('invalid-request', { detail }), exchange);
    if (expectsContinue(exchange.request)) exchange.response.writeContinue();
    return undefined;
  }

  /** Refuses a byte stream that is no request, after the replies to the requests before it, and closes it. */
  function refuseStream(code: string | undefined, socket: Socket): void {
    const connection = pipelining.connection(socket);
    if (socket.destroyed || connection.isRefused) return;
    connection.isRefused = true;
    const error = parserError(code);
    const { latest } = connection;
    if (latest && !latest.req.complete) {
      // The body of this request fails: it gets one reply.
      if (latest.headersSent) socket.destroy();
      else if (latest.socket) close(error, socket, latest);
      else latest.once('socket', () => close(error, socket, latest));
    } else if (latest && !latest.closed) {
      latest.once('close', () => close(error, socket));
    } else {
      close(error, socket);
    }
  }

  /** Ends a connection without traffic; a request that has no reply by then gets one. */
  function endIdle(socket: Socket): void {
    const { answering } = pipelining.connection(socket);
    const isPending = answering && !answering.reply && !answering.exchange.response.headersSent;
    if (isPending) close(tooSlow(), socket, answering.exchange.response);
    else socket.destroy();
  }

  function close(error: ApiError, socket: Socket, failed?: ServerResponse): void {
    const { answering: known, ignored } = pipelining.connection(socket);
    // node:http has assigned the socket to the next request that it parsed, if any.
    const response = failed ?? ignored ?? responseOn(socket);
    if (!response?.socket) {
      socket.destroy();
      return;
    }
    const isOwn = known?.exchange.response === response;
    const answering = isOwn
      ? known
      : { exchange: exchangeOf(response.req, response), reply: undefined, text: undefined };
    response.shouldKeepAlive = false;
    response.once('finish', () => {
      socket.end();
      if (!isOwn) end(answering);
    });
    deliver(answering, refuse(error, answering.exchange));
    setTimeout(() => socket.destroy(), 1000).unref();
  }

  const { headers, request, idle } = timeouts;
  const options = {
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(500, headers),
    // It would be refused without a body; `hostFault` refuses it in the one shape.
    requireHostHeader: false,
    // A request without a body needs no stream that ends.
    optimizeEmptyRequests: true,
  };
  const server = http.createServer(options, (request, response) => {
    const connection = pipelining.connection(request.socket);
    if (connection.isLast || connection.isRefused) {
      connection.ignored ??= response;
      return;
    }
    if (isLast(request)) {
      connection.isLast = true;
      response.shouldKeepAlive = false;
    }
    pipelining.take(request, response);
  });
  // A client that has half-closed its connection is still answered. The property is documented by a comment in
  // node:http only, and has no type.
  Object.assign(server, { httpAllowHalfOpen: true });
  // node:http removes its error listener from a socket that asks for an upgrade; an 'error' without a listener
  // ends the process.
  server.on('connection', (socket) => socket.on('error', () => {}));
  endIdleConnections(server, idle, endIdle);
  server.keepAliveTimeout = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Requests wait, so that the socket is paused: the client need not be what is slow.
    const isPaused = pipelining.connection(socket).waiting > 0;
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (error.code !== REQUEST_TIMEOUT || !isPaused) refuseStream(error.code, socket);
  });
  server.on('connect', (_, socket: Socket) => refuseStream(undefined, socket));
  shares.watch(server, (socket) => pipelining.connection(socket).latest === undefined);
  overload.watch(server, ({ request, response }) => {
    if (response.headersSent) request.socket.destroy();
    else refuseStream(REQUEST_TIMEOUT, request.socket);
  });
  // node:http would answer an unknown expectation without a body, and ask for a body that may be refused.
  for (const event of ['checkExpectation', 'checkContinue'] as const) {
    server.on(event, (request, response) => server.emit('request', request, response));
  }
  return server;
}

function tooSlow(): ApiError {
  const detail =
    'The answer takes too long. Look whether anything was changed before you try again.';
  return new ApiError('unavailable', { detail });
}

/** A response on a connection whose bytes are no request. */
function responseOn(socket: Socket): ServerResponse<IncomingMessage> | undefined {
  if (!socket.writable) return undefined;
  const response = new http.ServerResponse(new http.IncomingMessage(socket));
  response.assignSocket(socket);
  return response;
}
