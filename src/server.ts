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
  readonly app: RequestListener;
  /** Answers POST /graphql; other methods go to the app, whose contract refuses them. */
  readonly graphql: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly log: Log;
  /** Watches every exchange, where somebody wants to. */
  readonly observe?: RequestListener | undefined;
};

/** The HTTP server: bounds on how long a request may take to arrive, and an answer to what is not HTTP. */
export function createServer({ app, graphql, log, observe }: Parts): Server {
  const server = createHttpServer(
    { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 1000 },
    (request, response) => {
      observe?.(request, response);
      const { method, url } = request;
      const start = performance.now();
      response.once('close', () => {
        const status = response.writableFinished ? response.statusCode : 'aborted';
        log.info(`${method} ${url} ${status} ${(performance.now() - start).toFixed(1)} ms`);
      });
      const isGraphql = method === 'POST' && splitTarget(url ?? '')[0] === '/graphql';
      if (isGraphql) void graphql(request, response);
      else app(request, response);
    },
  );
  server.on('clientError', answerClientError);
  // An expectation that the server does not know may be ignored; node:http would answer it without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
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
