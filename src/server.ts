import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode } from './errors.ts';
import type { Cors } from './http/cors.ts';
import { send } from './http/reply.ts';
import { localTarget, splitTarget, timesSent } from './http/target.ts';
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
  /** Those who look closer at exchanges. */
  readonly observers?: readonly RequestListener[];
};

/** How long a request may take to arrive, in milliseconds. */
export type TimeOuts = { readonly headers: number; readonly request: number };

const timeOuts: TimeOuts = { headers: 10_000, request: 20_000 };

/** The HTTP server: bounds on how long a request may take to arrive, and an answer to what is not HTTP. */
export function createServer(parts: Parts, { headers, request }: TimeOuts = timeOuts): Server {
  const options = {
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(1000, headers),
    // It would be refused without a body; `answer` refuses it in the one shape.
    requireHostHeader: false,
  };
  const refuse = (error: ClientError, socket: Duplex) => answerClientError(error, socket, parts);
  // The answer to the last request of each connection.
  const latest = new WeakMap<Duplex, ServerResponse>();

  const server = createHttpServer(options, (request, response) => {
    const before = latest.get(request.socket);
    latest.set(request.socket, response);
    // Requests of one connection take turns: a read that follows a write sees what it has written.
    if (!before || before.closed) answer(parts, request, response);
    else before.once('close', () => answer(parts, request, response));
  });
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    const response = latest.get(socket);
    if (response && !response.req.complete) {
      // It is the body of this request that fails: one answer is enough.
      if (response.headersSent) socket.destroy();
      else refuse(error, socket);
    } else if (response && !response.closed) {
      response.once('close', () => refuse(error, socket));
    } else {
      refuse(error, socket);
    }
  });
  server.on('connect', (_, socket: Duplex) => refuse({}, socket));
  // An expectation that the server does not know may be ignored; node:http would answer it without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): void {
  const { rest, graphql, digest, watch, cors, observers = [] } = parts;
  response.setHeader('Contract-Digest', digest);
  // A browser takes an answer for what its Content-Type says, and for nothing else.
  response.setHeader('X-Content-Type-Options', 'nosniff');
  const { method, url = '' } = request;
  request.url = localTarget(url);
  watch.exchange(request, response);
  if (cors?.(request, response)) return;
  for (const observe of observers) observe(request, response);
  if (request.httpVersion === '1.1' && timesSent(request.rawHeaders, 'host') !== 1) {
    const detail = 'A request names its host, once.';
    void send(response, problemReply(new ApiError('invalid-request', { detail })), true);
  } else if (method === 'POST' && splitTarget(request.url)[0] === '/graphql') {
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
function answerClientError(error: ClientError, socket: Duplex, { digest, watch }: Parts): void {
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
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Contract-Digest: ${digest}\r\nX-Request-Id: ${watch.unreadable(status)}\r\n` +
      'X-Content-Type-Options: nosniff\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), 1000).unref();
}
