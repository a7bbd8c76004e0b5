import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/**
 * Where a request comes from. The last of the proxies in front writes the last name into X-Forwarded-For,
 * the one before it the last but one: only as many are believed as are known to be there.
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const named = String(headers['x-forwarded-for'] ?? '').split(',');
  const address = (proxies > 0 && named.at(-proxies)?.trim()) || (socket.remoteAddress ?? '');
  // A client of IPv6 has a whole network of addresses to itself, the first four groups of eight.
  return isIPv6(address) ? network(address) : address.slice(0, 64);
}

function network(address: string): string {
  const mapped = address.match(/^::ffff:([0-9.]+)$/i)?.[1];
  if (mapped) return mapped;
  const [before = '', after] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const groups = before.split(':').filter(Boolean);
  if (after !== undefined) {
    const rest = after.split(':').filter(Boolean);
    while (groups.length + rest.length < 8) groups.push('0');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
