import type { Server } from 'node:http';
import type { Socket } from 'node:net';

// How many times connections are checked during one time-out.
const CHECKS_PER_TIMEOUT = 10;

/** A connection's bytes at the last look, and whether they were the same at the look before. */
type Seen = { bytes: number; isQuiet: boolean };

/**
 * Ends connections without traffic for so many milliseconds. Only those that a look finds idle have a timer:
 * one for each would be reset with each request and each reply.
 */
export function endIdleConnections(
  server: Server,
  longest: number,
  end: (socket: Socket) => void,
): void {
  const interval = longest / CHECKS_PER_TIMEOUT;
  const connections = new Map<Socket, Seen>();

  server.on('connection', (socket) => {
    connections.set(socket, { bytes: 0, isQuiet: false });
    // node:http removes its own listener from a socket that asks for CONNECT.
    socket.on('timeout', () => end(socket));
    socket.once('close', () => connections.delete(socket));
  });

  function look(): void {
    for (const [socket, seen] of connections) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      const isQuiet = bytes === seen.bytes;
      if (isQuiet !== seen.isQuiet) socket.setTimeout(isQuiet ? longest - interval : 0);
      seen.bytes = bytes;
      seen.isQuiet = isQuiet;
    }
  }

  // Without a listener node:http destroys the socket.
  server.on('timeout', () => {});
  const looking = setInterval(look, interval).unref();
  server.once('close', () => clearInterval(looking));
}
