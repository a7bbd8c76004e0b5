import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address.ts';
import type { ConnectionShares } from './connection-shares.ts';

/** Whose requests are whose, by their addresses. */
export type Clients = {
  nameOf(request: IncomingMessage): string;
  /** The same; undefined while there is but one client, which need not share. */
  ofMany(request: IncomingMessage): string | undefined;
};

type Options = {
  /** How many proxies stand before the server and name the client. */
  readonly proxies: number;
  /** Whether callers are known by their credentials, so that one address may have several. */
  readonly hasCallers: boolean;
};

export function createClients(shares: ConnectionShares, options: Options): Clients {
  const { proxies } = options;
  const mayBeMany = proxies > 0 || options.hasCallers;
  const nameOf = (request: IncomingMessage) =>
    proxies > 0 ? clientAddress(request, proxies) : shares.addressOf(request.socket);
  return {
    nameOf,
    ofMany: (request) => (mayBeMany || shares.addresses() > 1 ? nameOf(request) : undefined),
  };
}
