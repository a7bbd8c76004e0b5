import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';

const LOOK_EVERY = 100;
const LONGEST_ACCEPTING = 2000;

type Options = {
  /** Milliseconds for which idle connections stay open. */
  readonly grace: number;
  /** Milliseconds after which everything is cut off. */
  readonly longest: number;
  /** When the last reply was over, by `performance.now()`. */
  readonly lastAnswer: () => number;
};

/**
 * Stops a server without breaking a request: it accepts no more connections, sends `Connection: close` with
 * each reply, and after the grace period closes idle connections.
 */
export function createDrain(server: Server, options: Options): () => Promise<void> {
  const { grace, longest, lastAnswer } = options;
  let draining: Promise<void> | undefined;
  let accepted = 0;

  server.on('connection', () => accepted++);

  // Connections in the backlog would be reset. A turn of the event loop accepts one.
  async function acceptAll(): Promise<void> {
    const start = performance.now();
    for (let before = -1; before !== accepted && performance.now() - start < LONGEST_ACCEPTING; ) {
      before = accepted;
      await setImmediate();
      await setImmediate();
    }
  }

  async function drain(): Promise<void> {
    await acceptAll();
    const closed = once(server, 'close');
    server.prependListener('request', (_, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    });
    // http.Server's close also closes idle connections, on which a request may be under way.
    NetServer.prototype.close.call(server);
    const start = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      // A client whose last reply was without `Connection: close` may have sent the next request.
      const isQuiet = now - Math.max(start, lastAnswer()) >= grace;
      if (now - start >= longest) server.closeAllConnections();
      else if (isQuiet) server.closeIdleConnections();
    }, LOOK_EVERY);
    if (grace === 0) server.closeIdleConnections();
    await closed;
    clearInterval(timer);
  }

  return () => {
    draining ??= drain();
    return draining;
  };
}
