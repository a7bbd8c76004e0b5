import type { Choice } from './choice.ts';
import { bytesAlone, type Exchange, encode, type WireRequest } from './compared-exchange.ts';

type Fault = (head: string, body: string) => string;

const line = 'Host: localhost\r\n';
const before =
  (text: string): Fault =>
  (head, body) =>
    head.replace(line, text + line) + body;
const lengthAs =
  (text: string): Fault =>
  (head, body) =>
    head.replace(/Content-Length: \d+\r\n/, text) + body;
const chunksOf =
  (text: string): Fault =>
  (head) =>
    head.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked') + text;
const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: y\r\n`).join('');

/** What a parser refuses, or what reads otherwise to a proxy than to a server. */
const faults: readonly Fault[] = [
  ...[
    before('X : y\r\n'),
    before('X\r\n'),
    before(': y\r\n'),
    before('X: a\rb\r\n'),
    before('X: a\nY: b\r\n'),
  ],
  ...[
    before('X: a\0b\r\n'),
    before('X: a\r\n b\r\n'),
    before(' X: y\r\n'),
    before('\r\n'),
    before('X(: y\r\n'),
  ],
  ...[
    before('X: \x01\r\n'),
    before('X: \xff\r\n'),
    before('\xe9: y\r\n'),
    before(':\r\n'),
    before('X:y\r\n'),
  ],
  ...[
    before(many(90)),
    before(many(1999)),
    before(many(2001)),
    before(`X: ${'x'.repeat(15_000)}\r\n`),
  ],
  ...[before(`X: ${'x'.repeat(16_400)}\r\n`), before(`X: ${'x'.repeat(70_000)}\r\n`)],
  before(`${'x'.repeat(16_400)}: y\r\n`),
  ...[
    lengthAs('Content-Length: -1\r\n'),
    lengthAs('Content-Length: +2\r\n'),
    lengthAs('Content-Length: 0x2\r\n'),
  ],
  ...[lengthAs('Content-Length: 2, 2\r\n'), lengthAs('Content-Length: 99999999999999999999\r\n')],
  ...[lengthAs('Content-Length: 2\r\nContent-Length: 2\r\n'), lengthAs('Content-Length: 2\r\n')],
  ...[
    lengthAs('Content-Length: 2\r\nContent-Length: 3\r\n'),
    lengthAs('Content-Length:\r\n'),
    lengthAs(''),
  ],
  ...[
    lengthAs('Content-Length: 0\r\n'),
    lengthAs('Content-Length: 1e3\r\n'),
    lengthAs('Content-Length: 5000\r\n'),
  ],
  lengthAs('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
  lengthAs('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n'),
  lengthAs('Transfer-Encoding: gzip, chunked\r\n'),
  lengthAs('Transfer-Encoding: chunked, identity\r\n'),
  lengthAs('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'),
  ...[lengthAs('Transfer-Encoding: gzip\r\n'), lengthAs('Transfer-Encoding: xchunked\r\n')],
  ...[
    chunksOf('zz\r\n{}\r\n0\r\n\r\n'),
    chunksOf('2\r\n{}\r\n'),
    chunksOf('2\r\n{}\r\n0\r\n'),
    chunksOf('-1\r\n'),
  ],
  ...[
    chunksOf('1\r\n{}}\r\n0\r\n\r\n'),
    chunksOf('2;x=y\r\n{}\r\n0\r\n\r\n'),
    chunksOf('2 \r\n{}\r\n0\r\n\r\n'),
  ],
  ...[
    chunksOf('2\r\n{}\r\n0\r\nX: y\r\n\r\n'),
    chunksOf('fffffffffffffffff\r\n{}'),
    chunksOf('0\r\n\r\n'),
  ],
  ...[chunksOf('2\n{}\n0\n\n'), chunksOf('NONSENSE\r\n'), chunksOf('2\r\n{}NONSENSE\r\n')],
  chunksOf(`2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  (head, body) => head.replace(' HTTP/1.1', '') + body,
  (head, body) => head.replace('HTTP/1.1', 'HTTP/1.1 x') + body,
  (head, body) => head.replace('HTTP/1.1', 'http/1.1') + body,
  (head, body) => head.replace('HTTP/1.1', 'HTTP/x') + body,
  (head, body) => head.replaceAll('\r\n', '\n') + body,
  (head, body) => head.toLowerCase() + body,
  (head, body) => head.replace(/^\w+/, 'BREW') + body,
  (head, body) => head.replace(' ', '  ') + body,
  (head, body) => head.replace(/ (\S+) /, ' $1 x ') + body,
  (head, body) => head.replace(/ \S+ /, ' ') + body,
  (head, body) => head.replace(/ (\S+) /, ' $1\0 ') + body,
  (head, body) => head.replace(/ (\S+) /, ` $1${'x'.repeat(20_000)} `) + body,
  (head, body) => `\r\n\r\n${head}${body}`,
  (head, body) => `\r${head}${body}`,
  (head, body) => `${head}${body}NONSENSE\r\n\r\n`,
  (head, body) => `${head}${body}${head}`,
  (head, body) => `${head}${body}\r\n\r\n${head}${body}`,
  (head, body) => `${head}${body}CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`,
  () => 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  () => 'NONSENSE\r\n\r\n',
  () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => 'GET /\r\n\r\n',
  () => 'GET',
  () => '\0',
];

/** A valid request with one such fault, or one of these behind it. */
export function framingFaults(choice: Choice, written: WireRequest, read: WireRequest): Exchange {
  const request = choice.isOnceIn(4) ? read : written;
  const bytes = encode(request);
  const end = bytes.indexOf('\r\n\r\n') + 4;
  const fault = choice.one(faults);
  const text = fault(bytes.toString('latin1', 0, end), bytes.toString('latin1', end));
  const first = choice.isOnceIn(6) ? encode(read).toString('latin1') : '';
  return bytesAlone('http: framing', Buffer.from(first + text, 'latin1'));
}
