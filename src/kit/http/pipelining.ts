import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

// Waiting requests of a connection after which its socket is paused.
const MOST_WAITING = 16;
// Requests beyond MOST_WAITING over all connections, about 3 KB each: node:http parses up to 64 KB before a socket
// can be paused.
const MOST_BEYOND = 10_000;
// Waiting requests of a connection that are answered in one turn of the event loop.
const AT_ONCE = 4;

/** A connection: the response to its last request, until that is over, and how many requests wait. */
export type Connection = {
  latest: ServerResponse | undefined;
  waiting: number;
  answered: number;
};

export type Pipelining<C extends Connection> = {
  /** Has a request answered when those before it on its connection are. */
  take(request: IncomingMessage, response: ServerResponse): void;
  connection(socket: Duplex): C;
  /** To be told of each response that is closed. */
  done(response: ServerResponse): void;
};

export type Answer<C> = (request: IncomingMessage, response: ServerResponse, connection: C) => void;

/** Answers the requests of one connection one after another: a read that follows a write sees it. */
export function createPipelining<State extends object>(
  stateOf: () => State,
  answer: Answer<Connection & State>,
): Pipelining<Connection & State> {
  const connections = new WeakMap<Duplex, Connection & State>();
  let beyond = 0;

  function connectionOf(socket: Duplex): Connection & State {
    const known = connections.get(socket);
    if (known) return known;
    const connection = { latest: undefined, waiting: 0, answered: 0, ...stateOf() };
    connections.set(socket, connection);
    // node:http resumes a socket when a response is finished.
    socket.on('resume', () => void (connection.waiting >= MOST_WAITING && socket.pause()));
    socket.once('close', () => {
      beyond -= Math.max(0, connection.waiting - MOST_WAITING);
      connection.waiting = 0;
    });
    return connection;
  }

  function join(connection: Connection, socket: Duplex): void {
    connection.waiting++;
    if (connection.waiting > MOST_WAITING) beyond++;
    if (connection.waiting >= MOST_WAITING) socket.pause();
    if (beyond > MOST_BEYOND) socket.destroy();
  }

  function leave(connection: Connection, socket: Duplex): void {
    if (connection.waiting > MOST_WAITING) beyond--;
    connection.waiting--;
    if (connection.waiting === MOST_WAITING - 1) socket.resume();
  }

  return {
    take(request, response) {
      const { socket } = request;
      const connection = connectionOf(socket);
      connection.latest = response;
      // node:http assigns the socket to one response at a time, in their order.
      if (response.socket) {
        answer(request, response, connection);
        return;
      }
      join(connection, socket);
      const goOn = () => {
        // The connection broke, or its byte stream was refused meanwhile.
        if (!socket.writable || response.headersSent) return;
        leave(connection, socket);
        answer(request, response, connection);
      };
      response.once('socket', () => {
        connection.answered++;
        // The response before it is closed in the same tick, after this.
        if (connection.answered % AT_ONCE > 0) process.nextTick(goOn);
        else setImmediate(goOn);
      });
    },
    connection: connectionOf,
    done(response) {
      const connection = connections.get(response.req.socket);
      // A response that came before the request's body stays: what follows is still that body.
      if (connection?.latest === response && response.req.complete) connection.latest = undefined;
    },
  };
}
