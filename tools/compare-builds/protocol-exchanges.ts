import type { Choice } from './choice.ts';
import type { Operation } from './compared-contract.ts';
import {
  bytesAlone,
  type Exchange,
  encode,
  inOnePiece,
  type WireRequest,
} from './compared-exchange.ts';
import { framingFaults } from './framing-faults.ts';
import { HOST, validRequest } from './rest-requests.ts';

/** What is about HTTP itself: versions, hosts, expectations, pipelining, pieces, faults in the framing. */
export function protocolExchange(choice: Choice, operations: readonly Operation[]): Exchange {
  const operation = choice.one(operations);
  const request = validRequest(choice, operation);
  const writes = operations.filter((each) => each.body);
  const written = () => validRequest(choice, choice.one(writes));
  return choice.make([
    [3, () => inOnePiece('http: version', [versioned(choice, request)], true)],
    [4, () => inOnePiece('http: host', [hosted(choice, request)], choice.isOnceIn(2))],
    [4, () => expecting(choice, choice.isOnceIn(4) ? request : written())],
    [2, () => inOnePiece('http: upgrade', [upgrading(choice, request), request], true)],
    [6, () => pipelined(choice, operations)],
    [3, () => inPieces(choice, choice.isOnceIn(2) ? request : written())],
    [3, () => cutShort(choice, written())],
    [3, () => early(choice, operations, written())],
    [8, () => framingFaults(choice, written(), request)],
  ]);
}

function versioned(choice: Choice, request: WireRequest): WireRequest {
  const version = choice.one(['1.0', '1.0', '1.0', '1.1', '0.9', '2.0', '1.2', '9.9']);
  const connection = choice.one(['keep-alive', 'close', '']);
  const headers = choice.isOnceIn(2)
    ? request.headers.filter((each) => each !== HOST)
    : request.headers;
  return {
    ...request,
    version,
    headers: connection ? [...headers, ['Connection', connection]] : headers,
    chunkSize: choice.isOnceIn(4) ? 10 : undefined,
  };
}

const hosts = [
  ...[
    'a b',
    'example.com/x',
    'user@example.com',
    'x:80x',
    '[::1',
    '[::1]:3000',
    'a, b',
    '',
    'a_b.c',
  ],
  ...['127.0.0.1:1', 'x:', ':80', '%41', 'x?y', '\xe9', 'x'.repeat(300), '[]', '[::1]x', 'x:99999'],
];

function hosted(choice: Choice, request: WireRequest): WireRequest {
  const others = request.headers.filter((each) => each !== HOST);
  return choice.make<WireRequest>([
    [5, () => ({ ...request, headers: [['Host', choice.one(hosts)], ...others] })],
    [1, () => ({ ...request, headers: others })],
    [1, () => ({ ...request, headers: [HOST, ...others, HOST] })],
    [1, () => ({ ...request, headers: [...others, ['HOST', 'x']] })],
  ]);
}

/** The body follows when something has come back. */
function expecting(choice: Choice, request: WireRequest): Exchange {
  const value = choice.one([
    '100-continue',
    '100-continue',
    '100-Continue',
    'x',
    '100-continue, x',
  ]);
  const isOld = choice.isOnceIn(8);
  const headers = [...request.headers, ['Expect', value] as const];
  const bytes = encode({ ...request, headers, ...(isOld && { version: '1.0' }) });
  const end = bytes.indexOf('\r\n\r\n') + 4;
  // HTTP/1.0 knows no interim answers, and other expectations get none.
  const isAsked = /^100-c\w+$/i.test(value) && !isOld && request.body !== undefined;
  const pieces = isAsked ? [bytes.subarray(0, end), bytes.subarray(end)] : [bytes];
  const connection = isOld ? 'closed at once' : 'kept';
  const pace = 'after an answer';
  return { kind: 'http: expect', requests: [request], pieces, pace, connection };
}

function upgrading(choice: Choice, request: WireRequest): WireRequest {
  const protocol = choice.one(['websocket', 'h2c', 'x']);
  const connection = choice.one(['Upgrade', 'upgrade, HTTP2-Settings', 'keep-alive', 'close']);
  const more = [['Connection', connection] as const, ['Upgrade', protocol] as const];
  return { ...request, headers: [...request.headers, ...more] };
}

/** Two or more requests in one packet. */
function pipelined(choice: Choice, operations: readonly Operation[]): Exchange {
  const count = choice.one([2, 2, 2, 3, 5, 40]);
  const requests = Array.from({ length: count }, () => {
    const request = validRequest(choice, choice.one(operations));
    return choice.isOnceIn(5) ? { ...request, method: choice.one(['HEAD', 'PATCH']) } : request;
  });
  return inOnePiece('http: pipelined', requests, choice.isOnceIn(2));
}

function inPieces(choice: Choice, request: WireRequest): Exchange {
  const bytes = encode({ ...request, chunkSize: choice.isOnceIn(3) ? 5 : undefined });
  const size = Math.ceil(bytes.length / (2 + choice.below(20)));
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  return { kind: 'http: pieces', requests: [request], pieces, pace: 'in turn', connection: 'kept' };
}

/** A request of which the end is missing. */
function cutShort(choice: Choice, request: WireRequest): Exchange {
  const bytes = encode({ ...request, chunkSize: choice.isOnceIn(3) ? 5 : undefined });
  return bytesAlone('http: cut', bytes.subarray(0, 1 + choice.below(bytes.length - 1)));
}

/** A body that comes after the request was refused without it. */
function early(choice: Choice, operations: readonly Operation[], request: WireRequest): Exchange {
  const { path } = choice.one(operations);
  const refused = choice.make<WireRequest>([
    [2, () => ({ ...request, target: '/nothing' })],
    [2, () => ({ ...request, method: 'PATCH', target: path })],
    [1, () => ({ ...request, headers: [HOST, ['Content-Type', 'text/plain']] })],
    [1, () => ({ ...request, headers: [['Host', 'a b']] })],
    [1, () => ({ ...request, body: Buffer.alloc(choice.one([262_145, 300_000]), 32) })],
  ]);
  const bytes = encode(refused);
  const end = bytes.indexOf('\r\n\r\n') + 4;
  const pieces = [bytes.subarray(0, end), bytes.subarray(end)];
  return {
    kind: 'http: early',
    requests: [refused],
    pieces,
    pace: 'after an answer',
    connection: 'kept',
  };
}
