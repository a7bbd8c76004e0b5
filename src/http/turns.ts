import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How many requests of a connection may wait before it is read no further. */
const MOST_WAITING = 16;
/**
 * How many more may wait in the whole process. node:http parses all that it has read at once, up to 64 KB,
 * so a connection can be stopped only after that. Each takes about 3 KB.
 */
const MOST_BEYOND = 10_000;

/** The requests of one connection, of which one at a time is answered. */
type Line = { latest: ServerResponse; waiting: number; isWatched: boolean };

export type Turns = {
  /** Calls `answer` when the requests before this one on its connection are answered. */
  take(request: IncomingMessage, response: ServerResponse, answer: () => void): void;
  /** The answer to the last request of a connection. */
  latest(socket: Duplex): ServerResponse | undefined;
};

/** Requests of one connection take turns: a read that follows a write sees what it has written. */
export function createTurns(): Turns {
  const lines = new WeakMap<Duplex, Line>();
  let beyond = 0;

  function join(line: Line, socket: Socket): void {
    if (!line.isWatched) watch(line, socket);
    line.waiting++;
    if (line.waiting > MOST_WAITING) beyond++;
    if (line.waiting >= MOST_WAITING) socket.pause();
    if (beyond > MOST_BEYOND) socket.destroy();
  }

  function leave(line: Line, socket: Socket): void {
    if (line.waiting > MOST_WAITING) beyond--;
    line.waiting--;
    if (line.waiting === MOST_WAITING - 1) socket.resume();
  }

  function watch(line: Line, socket: Socket): void {
    line.isWatched = true;
    // Others resume a socket too, such as node:http when an answer has gone out.
    socket.on('resume', () => void (line.waiting >= MOST_WAITING && socket.pause()));
    // Nobody is left to answer: those that wait never have their turn.
    socket.once('close', () => {
      beyond -= Math.max(0, line.waiting - MOST_WAITING);
      line.waiting = 0;
    });
  }

  return {
    take(request, response, answer) {
      const { socket } = request;
      const line = lines.get(socket);
      if (!line) {
        lines.set(socket, { latest: response, waiting: 0, isWatched: false });
        answer();
        return;
      }
      const before = line.latest;
      line.latest = response;
      if (before.closed) {
        answer();
        return;
      }
      join(line, socket);
      before.once('close', () => {
        // After an answer that closes the connection the next is given no socket.
        if (socket.destroyed || !response.socket) return;
        leave(line, socket);
        answer();
      });
    },
    latest: (socket) => lines.get(socket)?.latest,
  };
}
