import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors.ts';
import type { Exchange, Reply } from './exchange.ts';
import * as http from './node-http.ts';
import type { Connection } from './pipelining.ts';
import { parserError } from './request-check.ts';

/** What is being answered on a connection, and what came of it. */
export type Answering = {
  readonly exchange: Exchange;
  reply: Reply | undefined;
  text: string | undefined;
};

/** What the server knows of a connection. */
export type State = {
  answering: Answering | undefined;
  /** After its last request the byte stream cannot be trusted. */
  isLast: boolean;
  isRefused: boolean;
  /** The response to the first request after `isLast` or `isRefused`: it is not answered. */
  ignored: ServerResponse | undefined;
};

type Parts = {
  readonly connectionOf: (socket: Socket) => Connection & State;
  readonly exchangeOf: (request: IncomingMessage, response: ServerResponse) => Exchange;
  readonly refuse: (error: ApiError, exchange: Exchange) => Reply;
  readonly deliver: (answering: Answering, reply: Reply) => void;
  /** Told when a reply that belongs to no parsed request is sent. */
  readonly end: (answering: Answering) => void;
};

// A client that does not read is not waited for.
const FAREWELL = 1000;

/** Ends connections whose bytes are no request, or on which nothing happens, with a reply where one is due. */
export function createRefusals(parts: Parts): {
  refuseStream(code: string | undefined, socket: Socket): void;
  endIdle(socket: Socket): void;
} {
  const { connectionOf, exchangeOf, refuse, deliver, end } = parts;

  function close(error: ApiError, socket: Socket, failed?: ServerResponse): void {
    const { answering: known, ignored } = connectionOf(socket);
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
    setTimeout(() => socket.destroy(), FAREWELL).unref();
  }

  return {
    /** Refuses a byte stream that is no request, after the replies to the requests before it, and closes it. */
    refuseStream(code, socket) {
      const connection = connectionOf(socket);
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
    },
    /** Ends a connection without traffic; a request that has no reply by then gets one. */
    endIdle(socket) {
      const { answering } = connectionOf(socket);
      const isPending = answering && !answering.reply && !answering.exchange.response.headersSent;
      if (isPending) close(tooSlow(), socket, answering.exchange.response);
      else socket.destroy();
    },
  };
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
