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
import type { Overload } from './overload.ts';
import { createPipelinedServer } from './pipelined-server.ts';
import type { Connection } from './pipelining.ts';
import { send } from './reply.ts';
import { hostFault, REQUEST_TIMEOUT } from './request-check.ts';
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

/** What is being answered on a connection, and what came of it. */
type Answering = {
  readonly exchange: Exchange;
  reply: Reply | undefined;
  text: string | undefined;
};
type State = { answering: Answering | undefined };

const defaultTimeouts: Timeouts = { headers: 10_000, request: 20_000, idle: 30_000 };

/** Shared by all exchanges until credentials were checked. */
const NOBODY = Object.freeze({});

/** The HTTP server: requests become exchanges, exchanges get replies, and the taps are told of both. */
export function createServer(parts: Parts, timeouts: Timeouts = defaultTimeouts): Server {
  const { endpoint, refuse, fail, cors, within, taps, overload, shares, clients } = parts;
  const { uploadLimit = defaultUploadLimit } = parts;
  const idOf = createRequestIds();

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
    return detail ? refuse(new ApiError('invalid-request', { detail }), exchange) : undefined;
  }

  /** The reply to bytes that are no request, or that fail to be one. */
  function refuseAs(error: ApiError, response: ServerResponse): void {
    const { answering: known } = pipelining.connection(response.req.socket);
    const isOwn = known?.exchange.response === response;
    const exchange = isOwn ? known.exchange : exchangeOf(response.req, response);
    const answering = isOwn ? known : { exchange, reply: undefined, text: undefined };
    if (!isOwn) response.once('finish', () => end(answering));
    deliver(answering, refuse(error, exchange));
  }

  /** Ends a connection without traffic; a request that has no reply by then gets one. */
  function endIdle(socket: Socket): void {
    const { answering } = pipelining.connection(socket);
    if (!answering || answering.reply || answering.exchange.response.headersSent) socket.destroy();
    else close(socket, (response) => refuseAs(tooSlow(), response), answering.exchange.response);
  }

  const { headers, request, idle } = timeouts;
  const { server, pipelining, close, refuseBytes } = createPipelinedServer<State>({
    options: {
      headersTimeout: headers,
      requestTimeout: request,
      connectionsCheckingInterval: Math.min(500, headers),
      // It would be refused without a body; `hostFault` refuses it in the one shape.
      requireHostHeader: false,
      // A request without a body needs no stream that ends.
      optimizeEmptyRequests: true,
    },
    stateOf: () => ({ answering: undefined }),
    answer: inTurns(clients, begin),
    refuse: refuseAs,
  });
  endIdleConnections(server, idle, endIdle);
  server.keepAliveTimeout = 0;
  server.on('connect', (_, socket: Socket) => refuseBytes(socket, undefined));
  shares.watch(server, (socket) => pipelining.connection(socket).latest === undefined);
  overload.watch(server, ({ request, response }) => {
    if (response.headersSent) request.socket.destroy();
    else refuseBytes(request.socket, REQUEST_TIMEOUT);
  });
  // node:http would answer an unknown expectation without a body, and ask for a body that nobody may read.
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
