import type { Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../errors.ts';
import * as http from './node-http.ts';
import { type Answer, type Connection, createPipelining, type Pipelining } from './pipelining.ts';
import { type ByteStream, createRefusals, type Refusals } from './refusals.ts';
import { isLast, parserError, REQUEST_TIMEOUT } from './request-check.ts';

type Parts<State> = {
  readonly options: ServerOptions;
  /** What else is known of a connection at its start. */
  readonly stateOf: () => State;
  readonly answer: Answer<Connection & ByteStream & State>;
  /** Sends the reply to bytes that are no request. */
  readonly refuse: (error: ApiError, response: ServerResponse) => void;
};

export type PipelinedServer<State> = Refusals & {
  readonly server: Server;
  readonly pipelining: Pipelining<Connection & ByteStream & State>;
  /** Refuses what the parser refused, by its code. */
  refuseBytes(socket: Socket, code: string | undefined): void;
};

/** A server that answers the requests of a connection in their order, and after them bytes that are no request. */
export function createPipelinedServer<State extends object>(
  parts: Parts<State>,
): PipelinedServer<State> {
  const { options, stateOf, answer, refuse } = parts;
  const pipelining = createPipelining<ByteStream & State>(
    () => ({ ...stateOf(), isLast: false, isRefused: false, ignored: undefined }),
    answer,
  );
  const refusals = createRefusals(pipelining.connection);
  const refuseBytes = (socket: Socket, code: string | undefined) =>
    refusals.refuseStream(socket, (response) => refuse(parserError(code), response));

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
  // Their bytes are bounded; node:http would leave out what comes after about 1,000 of them.
  server.maxHeadersCount = 0;
  // A client that has half-closed its connection is still answered. The property is documented by a comment in
  // node:http only, and has no type.
  Object.assign(server, { httpAllowHalfOpen: true });
  // node:http removes its error listener from a socket that asks for an upgrade; an 'error' without a listener
  // ends the process.
  server.on('connection', (socket) => socket.on('error', () => {}));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    // Requests wait, so that the socket is paused: the client need not be what is slow.
    const isPaused = pipelining.connection(socket).waiting > 0;
    if (code !== REQUEST_TIMEOUT || !isPaused) refuseBytes(socket, code);
  });
  return { ...refusals, server, pipelining, refuseBytes };
}
