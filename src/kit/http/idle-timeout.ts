import type { Server } from 'node:http';
import type { Socket } from 'node:net';

// Silence is noticed within such a part of the time that it may last.
const PART = 10;

/** How many bytes had gone over a connection at the last look, and whether none had since the look before. */
type Seen = { bytes: number; isQuiet: boolean };

/**
 * Lets go of connections on which nothing is said for so many milliseconds. A timer for each would be set
 * anew with each request and each answer, so only those have one that a look has found quiet.
 */
export function closeIdleConnections(server: Server, longest: number): void {
  const interval = longest / PART;
  const connections = new Map<Socket, Seen>();

  server.on('connection', (socket) => {
    connections.set(socket, { bytes: 0, isQuiet: false });
    // node:http takes its own listener off a socket that asks for a tunnel.
    socket.on('timeout', () => socket.destroy());
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

  const looking = setInterval(look, interval).unref();
  server.once('close', () => clearInterval(looking));
}
