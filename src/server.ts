import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode } from './errors.ts';
import { splitTarget } from './http/target.ts';
import type { Log } from './operations/log.ts';
import { problemReply } from './rest/problem.ts';

type Parts = {
  readonly rest: RequestListener;
  /** Answers POST /graphql; other methods on it go to REST, whose contract refuses them. */
  readonly graphql: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly log: Log;
  /** Watches every exchange, where somebody wants to. */
  readonly observe?: RequestListener | undefined;
};

/** The HTTP server: bounds on how long a request may take to arrive, and an answer to what is not HTTP. */
export function createServer(parts: Parts): Server {
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    connectionsCheckingInterval: 1000,
  };
  // The answer to the last request of each connection.
  const latest = new WeakMap<Duplex, ServerResponse>();
  // Requests of one connection take turns: a read that follows a write sees what it has written.
  const inTurn = (socket: Duplex, take: () => void) => {
    const before = latest.get(socket);
    if (!before || before.closed) take();
    else before.once('close', take);
  };

  const server = createHttpServer(options, (request, response) => {
    const { socket } = request;
    inTurn(socket, () => answer(parts, request, response));
    latest.set(socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    inTurn(socket, () => answerClientError(error, socket)),
  );
  // An expectation that the server does not know may be ignored; node:http would answer it without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): void {
  const { rest, graphql, log, observe } = parts;
  const { method, url = '' } = request;
  observe?.(request, response);
  const start = performance.now();
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : 'aborted';
    log.info(`${method} ${url} ${status} ${(performance.now() - start).toFixed(1)} ms`);
  });
  const isGraphql = method === 'POST' && splitTarget(url)[0] === '/graphql';
  if (isGraphql) void graphql(request, response);
  else rest(request, response);
}

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** The parser's own refusals, in the one shape. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code = codes[String(error.code)] ?? 'invalid-request';
  const detail = 'The request is not valid HTTP.';
  const { status, body } = problemReply(
    new ApiError(code, code === 'invalid-request' ? { detail } : {}),
  );
  socket.end(
    `HTTP/1.1 ${status} ${code}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
