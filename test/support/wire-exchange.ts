import { connect } from 'node:net';
import { onWire, type WireRequest } from './lane-requests.ts';

/** All that comes back on a connection, but for the time of day and the request's id. */
export function exchange(url: string, requests: readonly WireRequest[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      for (const [i, request] of requests.entries())
        socket.write(onWire(request, i === requests.length - 1));
    });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('close', () =>
      resolve(
        Buffer.concat(chunks)
          .toString('latin1')
          .replaceAll(/^(Date|X-Request-Id): .*$/gm, '$1'),
      ),
    );
  });
}
