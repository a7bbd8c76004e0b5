import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * The address that a request comes from, one text for each client. The last of the proxies in front writes the
 * last name into X-Forwarded-For, the one before it the last but one: only as many are believed as are known
 * to be there, and only where they name an address.
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const named = proxies > 0 ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
  return canonical(named.at(-proxies)?.trim() ?? '') ?? canonical(socket.remoteAddress ?? '') ?? '';
}

/** An address without its port or zone; a client of IPv6 is known by its network, the first 64 bits. */
function canonical(text: string): string | undefined {
  const [, bracketed, plain = bracketed] = text.match(/^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/) ?? [];
  const [address = ''] = (plain ?? text).split('%', 1);
  if (isIPv4(address)) return address;
  return isIPv6(address) ? network(address) : undefined;
}

function network(address: string): string {
  // The URL parser writes each IPv6 address in one way: lower case, no leading zeros, zeros compressed.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const first = before.split(':').filter(Boolean);
  const last = after?.split(':').filter(Boolean) ?? [];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const groups = [...first, ...zeros, ...last];
  return mapped(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** The IPv4 address that an IPv6 address stands for, if it does: ::ffff:0:0/96. */
function mapped(groups: readonly string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}
