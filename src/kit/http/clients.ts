import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address.ts';
import type { ConnectionShares } from './connection-shares.ts';

/** Whose requests are whose: what clients share is shared by their addresses. */
export type Clients = {
  nameOf(request: IncomingMessage): string;
  /** The same; undefined while there is but one client, which need not share. */
  ofMany(request: IncomingMessage): string | undefined;
};

/** `proxies` stand before the server and name the client. */
export function createClients(shares: ConnectionShares, proxies: number): Clients {
  const nameOf = (request: IncomingMessage) =>
    proxies > 0 ? clientAddress(request, proxies) : shares.addressOf(request.socket);
  return {
    nameOf,
    ofMany: (request) => (proxies > 0 || shares.addresses() > 1 ? nameOf(request) : undefined),
  };
}
