import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddress } from '../../../src/kit/http/client-address.ts';
import { createClients } from '../../../src/kit/http/clients.ts';

/** A request over a connection from an address, with what proxies have written. */
const request = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  Object({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: remoteAddress === undefined ? {} : { remoteAddress },
  });

describe('the address of a client', () => {
  it.each([
    ['10.0.0.1', undefined, 0, '10.0.0.1'],
    ['10.0.0.1', '192.0.2.1', 0, '10.0.0.1'],
    ['10.0.0.1', undefined, 1, '10.0.0.1'],
    ['10.0.0.1', '192.0.2.1', 1, '192.0.2.1'],
    ['10.0.0.1', '192.0.2.2, 192.0.2.1', 1, '192.0.2.1'],
    ['10.0.0.1', '192.0.2.3,192.0.2.2 , 192.0.2.1', 2, '192.0.2.2'],
    ['10.0.0.1', '192.0.2.2, 192.0.2.1', 3, '10.0.0.1'],
    ['10.0.0.1', 'unknown', 1, '10.0.0.1'],
    ['10.0.0.1', '999.1.1.1', 1, '10.0.0.1'],
    ['::ffff:10.0.0.1', undefined, 0, '10.0.0.1'],
    ['fe80::1%eth0', undefined, 0, 'fe80:0:0:0::/64'],
    [undefined, undefined, 0, ''],
    ['', undefined, 0, ''],
  ])('%s, of %s behind %d proxies, is %s', (connected, forwarded, proxies, expected) => {
    expect(clientAddress(request(connected, forwarded), proxies)).toBe(expected);
  });

  it.each([
    ['192.0.2.1:80', '192.0.2.1'],
    ['192.0.2.1:', '192.0.2.1'],
    ['[192.0.2.1]:80', '192.0.2.1'],
    ['::', '0:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:01:0002::6', '2001:db8:1:2::/64'],
    ['2001::2:3:4:5:6', '2001:0:0:2::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['[2001:db8::1%2]:80', '2001:db8:0:0::/64'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c0a8:1', '192.168.0.1'],
    ['::ffff:ff01:2ff', '255.1.2.255'],
    ['::fffe:c000:201', '0:0:0:0::/64'],
    ['0:0:0:0:1:ffff:c000:201', '0:0:0:0::/64'],
    ['::192.0.2.1', '0:0:0:0::/64'],
  ])('%s is told as %s', (forwarded, expected) => {
    expect(clientAddress(request('10.0.0.1', forwarded), 1)).toBe(expected);
  });
});

describe('clients are told apart', () => {
  const among = (count: number, options: { proxies?: number; hasCallers?: boolean } = {}) => {
    const shares = {
      watch: () => {},
      isRefused: () => false,
      addressOf: () => 'the connection’s',
      addresses: () => count,
    };
    return createClients(shares, { proxies: 0, hasCallers: false, ...options });
  };
  const from = request('10.0.0.1', '192.0.2.1');

  it.each([
    ['not while there is one', among(1), undefined],
    ['not while there is none', among(0), undefined],
    ['where there are two addresses', among(2), 'the connection’s'],
    [
      'where one address may have several callers',
      among(1, { hasCallers: true }),
      'the connection’s',
    ],
    ['where a proxy names them', among(1, { proxies: 1 }), '192.0.2.1'],
  ])('%s', (_, { nameOf, ofMany }, expected) => {
    expect(ofMany(from)).toBe(expected);
    expect(nameOf(from)).toBe(expected ?? 'the connection’s');
  });
});
