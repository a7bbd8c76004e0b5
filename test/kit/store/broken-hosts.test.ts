import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Spawned, spawnServer } from '../../../tools/support/server-process.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A host that answers whoever connects with these bytes, and then is silent. */
async function hostThatSays(...bytes: readonly Buffer[]): Promise<string> {
  const sockets = new Set<Socket>();
  // It takes the end of a connection for nothing.
  const host = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.write(Buffer.concat(bytes)));
  });
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    host.close();
  });
  // A server that listens on a port has an address of this kind.
  return `127.0.0.1:${(host.address() as AddressInfo).port}`;
}

/** A message of PostgreSQL's protocol. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.from(`${type}....`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function authentication(kind: number, rest = ''): Buffer {
  const body = Buffer.alloc(4);
  body.writeInt32BE(kind);
  return message('R', Buffer.concat([body, Buffer.from(rest)]));
}

function started(env: Readonly<Record<string, string>>): Spawned {
  const spawned = spawnServer(env);
  stops.push(async () => {
    spawned.child.kill();
    await spawned.ended();
  });
  return spawned;
}

describe('a server waits, and says so in one line, for a host that', () => {
  it.each([
    ['sends what the protocol does not have', authentication(99), 'does not speak PostgreSQL'],
    ['offers only unknown mechanisms and is silent', authentication(10, 'PLAIN\0\0'), 'SASL: Only'],
  ])('%s', async (_, bytes, reason) => {
    const host = await hostThatSays(bytes);
    for (const hosts of [host, `${host},${host}`]) {
      const { child, output } = started({ DATABASE_URL: `postgres://u:p@${hosts}/d` });
      while (!output().includes(reason) && child.exitCode === null) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const lines = output().trim().split('\n');
      expect(lines).toEqual([expect.stringContaining(`waiting for the database postgres://`)]);
      expect(lines[0]).toContain(reason);
      expect(child.exitCode).toBeNull();
    }
  });
});
