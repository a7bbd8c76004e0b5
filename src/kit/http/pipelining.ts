import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How many requests of a connection may wait before it is read no further. */
const MOST_WAITING = 16;
/**
 * How many more may wait in the whole process. node:http parses all that it has read at once, up to 64 KB,
 * so a connection can be stopped only after that. Each takes about 3 KB.
 */
const MOST_BEYOND = 10_000;

/** How many waiting requests of a connection are answered in one turn of the event loop. */
const AT_ONCE = 4;

const LINE = Symbol('line');

/**
 * The requests of a connection that wait; most connections never have any. `latest` is the answer to the last
 * of them, or to one that was answered before it had arrived, until another is taken.
 */
type Line = { latest: ServerResponse | undefined; waiting: number; answered: number };
/** A connection with its line, and the answer that node:http has given it to. */
type Lined = Duplex & { [LINE]?: Line; _httpMessage?: ServerResponse | null };

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
    // Others resume a socket too, such as node:http when an answer has gone out.
    socket.on('resume', () => void (line.waiting >= MOST_WAITING && socket.pause()));
    // Nobody is left to answer: those that wait never have their turn.
    socket.once('close', () => {
      beyond -= Math.max(0, line.waiting - MOST_WAITING);
      line.waiting = 0;
    });
  }

  function lineOf(socket: Socket & Lined, latest: ServerResponse): Line {
    const known = socket[LINE];
    if (known) {
      known.latest = latest;
      return known;
    }
    const line = { latest, waiting: 0, answered: 0 };
    socket[LINE] = line;
    watch(line, socket);
    return line;
  }

  function wait(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const line = lineOf(socket, response);
    join(line, socket);
    const goOn = () => {
      // The client has gone, or was refused meanwhile.
      if (!socket.writable) return;
      leave(line, socket);
      answer(request, response);
    };
    response.once('socket', () => {
      line.answered++;
      // The answer before it is over in the same tick, after this.
      if (line.answered % AT_ONCE > 0) process.nextTick(goOn);
      else setImmediate(goOn);
    });
    // What a connection that lives on refers to is not collected, nor what that refers to in turn.
    response.once('close', () => {
      if (line.latest === response && request.complete) line.latest = undefined;
    });
  }

  return {
    take(request, response) {
      // node:http gives the connection to one answer at a time, in their order.
      if (!response.socket) {
        wait(request, response);
        return;
      }
      const { [LINE]: line }: Lined = response.socket;
      if (line) line.latest = undefined;
      answer(request, response);
    },
    latest: (socket) => socket[LINE]?.latest ?? socket._httpMessage ?? undefined,
    done(response) {
      const { complete, socket } = response.req;
      // It was answered early: what follows is still its body, or fails as that.
      if (!complete && !socket.destroyed) lineOf(socket, response);
    },
  };
}
