import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { socketAddress } from './client-address.ts';
import { defaultCapacity } from './overload.ts';

/** The connections of a server, shared by the addresses that they come from. */
export type ConnectionShares = {
  /** Counts the connections of a server; one of them is idle when no request of it is being answered. */
  watch(server: Server, isIdle: (socket: Socket) => boolean): void;
  /** Whether its requests are refused: its address has more than its share. */
  isRefused(socket: Socket): boolean;
  addressOf(socket: Socket): string;
  /** How many addresses have connections. */
  addresses(): number;
};

// Connections beyond the bound that are held, to be answered 503.
const MOST_REFUSED = 256;

/**
 * Serves at most so many connections. One more is refused, unless another address has more of them than its own: that
 * one gives up one that is idle, or has the next request on one refused.
 */
export function createConnectionShares(most = defaultCapacity.connections): ConnectionShares {
  const byAddress = new Map<string, Set<Socket>>();
  const addresses = new WeakMap<Socket, string>();
  const refused = new Set<Socket>();
  let open = 0;

  function join(socket: Socket): Set<Socket> {
    const address = socketAddress(socket);
    const own = byAddress.get(address) ?? new Set();
    addresses.set(socket, address);
    byAddress.set(address, own.add(socket));
    open++;
    socket.once('close', () => {
      open--;
      refused.delete(socket);
      own.delete(socket);
      if (own.size === 0) byAddress.delete(address);
    });
    return own;
  }

  function refuse(socket: Socket): void {
    if (refused.size < MOST_REFUSED) refused.add(socket);
    else socket.destroy();
  }

  function giveUpOne(sockets: Iterable<Socket>, isIdle: (socket: Socket) => boolean): void {
    let oldest: Socket | undefined;
    for (const socket of sockets) {
      if (refused.has(socket) || socket.destroyed) continue;
      if (isIdle(socket)) {
        socket.destroy();
        return;
      }
      oldest ??= socket;
    }
    if (oldest) refused.add(oldest);
  }

  return {
    watch(server, isIdle) {
      server.on('connection', (socket) => {
        const own = join(socket);
        if (open - refused.size <= most) return;
        const largest = [...byAddress.values()].reduce((a, b) => (b.size > a.size ? b : a));
        if (own.size >= largest.size) refuse(socket);
        else giveUpOne(largest, isIdle);
      });
    },
    isRefused(socket) {
      // A place may have become free since.
      if (open - refused.size < most) refused.delete(socket);
      return refused.has(socket);
    },
    addressOf: (socket) => addresses.get(socket) ?? '',
    addresses: () => byAddress.size,
  };
}
