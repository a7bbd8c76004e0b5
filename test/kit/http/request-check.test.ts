import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  expectsContinue,
  hostFault,
  isLast,
  parserError,
} from '../../../src/kit/http/request-check.ts';
import { createRequestIds } from '../../../src/kit/http/request-id.ts';
import { hostInTarget, localTarget, splitTarget, timesSent } from '../../../src/kit/http/target.ts';

/** A request as node:http gives it: of two headers with one name it keeps the first. */
function request(version: string, lines: readonly Line[] = [], url = '/'): IncomingMessage {
  const kept = lines.toReversed().map(([name, value]) => [name.toLowerCase(), value]);
  const headers = Object.fromEntries(kept);
  return Object({ httpVersion: version, headers, rawHeaders: lines.flat(), url });
}
type Line = readonly [name: string, value: string];
const host = (value: string): Line => ['Host', value];

describe('the host of a request', () => {
  it.each([
    ['1.1', [host('a')], '/', undefined],
    ['1.1', [host('')], '/', undefined],
    ['1.1', [['HOST', 'a:80']], '/', undefined],
    ['1.0', [], '/', undefined],
    ['1.0', [host('a')], '/', undefined],
    ['1.1', [host('a')], 'http://b:80/x', undefined],
    ['1.1', [host('a')], '*', undefined],
    ['2.0', [host('a')], '/', 'The request is not HTTP/1.1.'],
    ['0.9', [], '/', 'The request is not HTTP/1.1.'],
    ['1.1', [], '/', 'A request names its host, once.'],
    ['1.1', [host('a'), host('a')], '/', 'A request names its host, once.'],
    ['1.0', [host('a'), host('a')], '/', 'A request names its host, once.'],
    [
      '1.1',
      [
        ['Hosts', 'a'],
        ['Xost', 'a'],
      ],
      '/',
      'A request names its host, once.',
    ],
    ['1.1', [['X', 'host']], '/', 'A request names its host, once.'],
    ['1.1', [host('a b')], '/', 'The Host header is malformed.'],
    ['1.0', [host('a/b')], '/', 'The Host header is malformed.'],
    ['1.1', [host('a')], 'http://', 'The host in the request target is malformed.'],
    ['1.1', [host('a')], 'http://:80/', 'The host in the request target is malformed.'],
    ['1.0', [], 'https://a b/', 'The host in the request target is malformed.'],
  ] as [string, Line[], string, string | undefined][])(
    'HTTP/%s with %j for %s: %s',
    (version, lines, url, fault) => {
      expect(hostFault(request(version, lines, url))).toBe(fault);
    },
  );
});

describe('a request is the last of its connection', () => {
  const upgrade: Line = ['Upgrade', 'h2c'];
  const chunked: Line = ['Transfer-Encoding', 'chunked'];
  it.each([
    ['1.1', [], false],
    ['1.0', [], false],
    ['1.1', [upgrade], false],
    ['1.1', [['Connection', 'upgrade']], false],
    ['1.1', [upgrade, ['Connection', 'keep-alive']], false],
    ['1.1', [upgrade, ['Connection', 'Upgrade']], true],
    ['1.1', [upgrade, ['Connection', 'keep-alive, upgrade']], true],
    ['1.1', [chunked], false],
    ['1.0', [chunked], true],
  ] as [string, Line[], boolean][])('HTTP/%s with %j: %s', (version, lines, last) => {
    expect(isLast(request(version, lines))).toBe(last);
  });
});

it.each([
  ['1.1', '100-continue', true],
  ['1.1', '100-Continue', true],
  ['1.0', '100-continue', false],
  ['1.1', '200-ok', false],
  ['1.1', undefined, false],
])('HTTP/%s with Expect: %s waits to be asked for its body: %s', (version, expected, waits) => {
  const lines: Line[] = expected === undefined ? [] : [['Expect', expected]];
  expect(expectsContinue(request(version, lines))).toBe(waits);
});

it.each([
  ['HPE_HEADER_OVERFLOW', 'headers-too-large', undefined],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request-timeout', undefined],
  ['HPE_INVALID_METHOD', 'invalid-request', 'The request is not valid HTTP.'],
  [undefined, 'invalid-request', 'The request is not valid HTTP.'],
])('what the parser calls %s is %s', (code, expected, detail) => {
  expect(parserError(code)).toMatchObject({ code: expected });
  expect(parserError(code).detail).toBe(detail);
});

describe('the target of a request', () => {
  it.each([
    ['/', '/', undefined],
    ['/a?b', '/a?b', undefined],
    ['/http://x/a', '/http://x/a', undefined],
    ['http://x/a?b', '/a?b', 'x'],
    ['HTTPS://x:80', '/', 'x:80'],
    ['http://x?b', '/?b', 'x'],
    ['http://', '/', ''],
    ['*', '/*', undefined],
    ['ftp://x/a', '/ftp://x/a', undefined],
  ])('%s is %s of %s', (target, local, named) => {
    expect(localTarget(target)).toBe(local);
    expect(hostInTarget(target)).toBe(named);
  });

  it.each([
    ['/a', ['/a', '']],
    ['/a?', ['/a', '']],
    ['/a?b', ['/a', 'b']],
    ['/a?b?c', ['/a', 'b?c']],
    ['?b', ['', 'b']],
    ['/?b', ['/', 'b']],
  ])('%s is %j', (target, parts) => {
    expect(splitTarget(target)).toEqual(parts);
  });
});

it.each([
  [[], 0],
  [['a', 'x'], 1],
  [['A', 'x'], 1],
  [['b', 'a'], 0],
  [['ab', 'x'], 0],
  [['a', 'x', 'B', 'a', 'A', 'y'], 2],
])('a header of %j is sent %d times', (raw, times) => {
  expect(timesSent(raw, 'a')).toBe(times);
});

describe('the id of a request', () => {
  const [ids, others] = [createRequestIds(), createRequestIds()];

  it.each(['a', 'A-9._:', 'x'.repeat(128)])('is the client’s, where that is safe: %s', (sent) => {
    expect(ids(sent)).toBe(sent);
  });

  it('is a new one otherwise', () => {
    for (const sent of [undefined, '', 'x'.repeat(129), 'a b', 'a\n', '<a>', 'é', ['a'], 7]) {
      expect(ids(sent)).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
    }
  });

  it('is nobody else’s', () => {
    const all = [ids, others].flatMap((next) => Array.from({ length: 100 }, () => next(undefined)));
    expect(new Set(all).size).toBe(200);
  });
});
