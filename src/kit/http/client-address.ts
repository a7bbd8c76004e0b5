import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, type Socket } from 'node:net';

/**
 * The client's address, in one spelling. Each proxy appends a name to X-Forwarded-For: only as many names are
 * believed as there are proxies in front, and only those that are addresses.
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  // What is not sent is no address either.
  const named = proxies > 0 ? String(headers['x-forwarded-for']).split(',') : [];
  return canonical(named.at(-proxies)?.trim() ?? '') ?? socketAddress(socket);
}

/** The address at the other end of a connection; empty when that is closed. */
export function socketAddress({ remoteAddress = '' }: Socket): string {
  return canonical(remoteAddress) ?? '';
}

/** An address without port and zone; of IPv6 the network, its first 64 bits. */
function canonical(text: string): string | undefined {
  const [, bracketed, plain = bracketed] = text.match(/^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/) ?? [];
  const [address = ''] = (plain ?? text).split('%', 1);
  if (isIPv4(address)) return address;
  return isIPv6(address) ? network(address) : undefined;
}

function network(address: string): string {
  // The URL parser normalises: lower case, no leading zeros, zeros compressed.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const first = before.split(':').filter(Boolean);
  const last = after?.split(':').filter(Boolean) ?? [];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const groups = [...first, ...zeros, ...last];
  return mapped(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** The IPv4 address in an IPv4-mapped IPv6 address, ::ffff:0:0/96. */
function mapped(groups: readonly string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}
