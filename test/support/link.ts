import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../tools/support/free-port.ts';

/** A link to the database that can be cut and can fall silent. */
export async function openLink(url: string, state: 'open' | 'closed' = 'open') {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => isSilent || to.write(chunk));
      from.on('close', () => to.destroy());
      from.on('error', () => {});
    }
  });
  const port = await freePort();
  const open = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  if (state === 'open') await open();
  return {
    address: Object.assign(new URL(url), { port: String(port) }).href,
    open,
    async cut() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
    silence: () => {
      isSilent = true;
    },
    speak: () => {
      isSilent = false;
    },
  };
}
