import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How many requests of a connection may wait before it is read no further. */
const MOST_WAITING = 16;
/**
 * How many more may wait in the whole process. node:http parses all that it has read at once, up to 64 KB,
 * so a connection can be stopped only after that. Each takes about 3 KB.
 */
const MOST_BEYOND = 10_000;

const LINE = Symbol('line');

/** The requests of one connection, of which one at a time is answered. */
type Line = { latest: ServerResponse | undefined; waiting: number; isWatched: boolean };
/** A connection bears its line: to look it up elsewhere would cost each request, and the garbage collector. */
type Lined = Duplex & { [LINE]?: Line };

export type Turns = {
  /** Has a request answered when those before it on its connection are. */
  readonly take: RequestListener;
  /** The answer to the last request of a connection, unless all of that is over. */
  latest(socket: Lined): ServerResponse | undefined;
  /** To be told of each answer that is over. */
  done(response: ServerResponse): void;
};

/** Requests of one connection take turns: a read that follows a write sees what it has written. */
export function createTurns(answer: RequestListener): Turns {
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
    take(request, response) {
      const socket: Socket & Lined = request.socket;
      const line = socket[LINE];
      if (!line) {
        socket[LINE] = { latest: response, waiting: 0, isWatched: false };
        answer(request, response);
        return;
      }
      const before = line.latest;
      line.latest = response;
      if (!before || before.closed) {
        answer(request, response);
        return;
      }
      join(line, socket);
      before.once('close', () => {
        // After an answer that closes the connection the next is given no socket.
        if (socket.destroyed || !response.socket) return;
        leave(line, socket);
        answer(request, response);
      });
    },
    latest: (socket) => socket[LINE]?.latest,
    done({ req: request }) {
      const { [LINE]: line }: Lined = request.socket;
      // What a connection that lives on refers to is not collected, nor what that refers to in turn.
      if (request.complete && line?.latest?.req === request) line.latest = undefined;
    },
  };
}
