import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

const LOOK_EVERY = 100;

/** In milliseconds: how long idle connections are left open, and how long anything may take. */
type Times = { readonly grace: number; readonly longest: number };

/**
 * Stops a server without breaking a request: it takes no more connections, asks every client that it
 * answers to close its own, and after a while of grace closes those that are idle. What takes longest
 * is cut off.
 */
export function createDrain(server: Server, { grace, longest }: Times): () => Promise<void> {
  let draining: Promise<void> | undefined;
  let lastKept = 0;

  server.prependListener('request', (_, response: ServerResponse) => {
    if (draining) response.setHeader('Connection', 'close');
    // A set of open responses would let each of them grow old, which costs 100 MB under load.
    else response.once('close', () => (lastKept = performance.now()));
  });

  async function drain(): Promise<void> {
    const closed = once(server, 'close');
    // The HTTP server's own close also closes idle connections, on which a request may be under way.
    NetServer.prototype.close.call(server);
    const start = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      // Who was answered without being asked to close may have sent the next request.
      const isQuiet = now - Math.max(start, lastKept) >= grace;
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
