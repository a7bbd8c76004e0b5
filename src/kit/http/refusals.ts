import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import * as http from './node-http.ts';
import type { Connection } from './pipelining.ts';

/** What is known of the byte stream of a connection. */
export type ByteStream = {
  /** After its last request it cannot be trusted. */
  isLast: boolean;
  isRefused: boolean;
  /** The response to the first request after `isLast` or `isRefused`: it is not answered. */
  ignored: ServerResponse | undefined;
};

type Reply = (response: ServerResponse) => void;

export type Refusals = {
  /** Has the last reply of a connection sent, and closes it. */
  close(socket: Socket, reply: Reply, response?: ServerResponse): void;
  /** The same for a byte stream that is no request, after the replies to the requests before it. */
  refuseStream(socket: Socket, reply: Reply): void;
};

// A client that does not read is not waited for.
const FAREWELL = 1000;

/** Ends connections with a reply where one is due. */
export function createRefusals(
  connectionOf: (socket: Socket) => Connection & ByteStream,
): Refusals {
  function close(socket: Socket, reply: Reply, failed?: ServerResponse): void {
    // node:http has assigned the socket to the next request that it parsed, if any.
    const response = failed ?? connectionOf(socket).ignored ?? responseOn(socket);
    // node:http closes a connection on which it has sent the last reply.
    if (!response?.socket) return;
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.end());
    reply(response);
    setTimeout(() => socket.destroy(), FAREWELL).unref();
  }

  function refuseStream(socket: Socket, reply: Reply): void {
    const connection = connectionOf(socket);
    if (socket.destroyed || connection.isRefused) return;
    connection.isRefused = true;
    const { latest } = connection;
    if (latest && !latest.req.complete) {
      // The body of this request fails: it gets one reply.
      if (latest.headersSent) socket.destroy();
      else if (latest.socket) close(socket, reply, latest);
      else latest.once('socket', () => close(socket, reply, latest));
    } else if (latest && !latest.closed) {
      latest.once('close', () => close(socket, reply));
    } else {
      close(socket, reply);
    }
  }

  return { close, refuseStream };
}

/** A response on a connection whose bytes are no request. */
function responseOn(socket: Socket): ServerResponse<IncomingMessage> | undefined {
  if (!socket.writable) return undefined;
  const response = new http.ServerResponse(new http.IncomingMessage(socket));
  response.assignSocket(socket);
  return response;
}
