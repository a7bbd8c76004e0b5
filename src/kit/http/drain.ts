import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';

const LOOK_EVERY = 100;
const LONGEST_ACCEPTING = 2000;

type Options = {
  /** For how many milliseconds idle connections are left open. */
  readonly grace: number;
  /** For how many milliseconds anything may take. */
  readonly longest: number;
  /** When the last answer was over. */
  readonly lastAnswer: () => number;
};

/**
 * Stops a server without breaking a request: it takes no more connections, asks every client that it
 * answers to close its own, and after a while of grace closes those that are idle. What takes longest
 * is cut off.
 */
export function createDrain(server: Server, options: Options): () => Promise<void> {
  const { grace, longest, lastAnswer } = options;
  let draining: Promise<void> | undefined;
  let accepted = 0;

  server.on('connection', () => accepted++);

  // Who has connected and is not accepted yet would be reset. A turn of the event loop accepts one.
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
    // The HTTP server's own close also closes idle connections, on which a request may be under way.
    NetServer.prototype.close.call(server);
    const start = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      // Who was answered without being asked to close may have sent the next request.
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
