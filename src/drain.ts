import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

const LONGEST = 30_000;
const LOOK_EVERY = 100;

/**
 * Stops a server without breaking a request: it takes no more connections, asks every client that it
 * answers to close its own, and after a while of grace closes those that are idle. What is not done
 * after half a minute is cut off.
 */
export function createDrain(server: Server, grace: number): () => Promise<void> {
  const open = new Set<ServerResponse>();
  let draining: Promise<void> | undefined;

  server.prependListener('request', (_, response: ServerResponse) => {
    if (draining) response.setHeader('Connection', 'close');
    open.add(response);
    response.once('close', () => open.delete(response));
  });

  async function drain(): Promise<void> {
    const closed = once(server, 'close');
    // The HTTP server's own close also closes idle connections, on which a request may be under way.
    NetServer.prototype.close.call(server);
    for (const response of open) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    const start = performance.now();
    const timer = setInterval(() => {
      const waited = performance.now() - start;
      if (waited >= LONGEST) server.closeAllConnections();
      else if (waited >= grace) server.closeIdleConnections();
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
