import { gzipSync } from 'node:zlib';

/** A request that no client in good faith sends, to the byte. */
export type HostileRequest = {
  readonly name: string;
  readonly bytes: Buffer;
};

const raw = (name: string, text: string): HostileRequest => ({
  name,
  bytes: Buffer.from(text, 'latin1'),
});

const get = (name: string, target: string, headers = ''): HostileRequest =>
  raw(name, `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);

/** A request with a body in good order around it. */
function write(
  name: string,
  method: string,
  target: string,
  body: string | Buffer,
  headers = '',
): HostileRequest {
  const bytes = Buffer.from(body);
  const head =
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}` +
    `Content-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`;
  return { name, bytes: Buffer.concat([Buffer.from(head, 'latin1'), bytes]) };
}

const post = (name: string, body: string | Buffer, headers = '') =>
  write(name, 'POST', '/books', body, headers);
const put = (name: string, body: string | Buffer, headers = '') =>
  write(name, 'PUT', '/books/1', body, headers);
const graphql = (name: string, query: string, more: object = {}) =>
  write(name, 'POST', '/graphql', JSON.stringify({ query, ...more }));

const post11 = 'POST /books HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const nested = (open: string, close: string, depth: number) =>
  open.repeat(depth) + close.repeat(depth);
const many = (count: number, text: (i: number) => string, between = ',') =>
  Array.from({ length: count }, (_, i) => text(i)).join(between);

/** What is wrong as HTTP, or reads otherwise to a proxy than to a server. */
const framing: HostileRequest[] = [
  raw('nonsense', 'NONSENSE\r\n\r\n'),
  raw('a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  raw('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  raw(
    'a length and chunks',
    `${post11}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ),
  raw(
    'chunks and a length',
    `${post11}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  ),
  raw('two lengths', `${post11}Content-Length: 2\r\nContent-Length: 23\r\n\r\n{}`),
  raw('a list of lengths', `${post11}Content-Length: 2, 2\r\n\r\n{}`),
  raw('a negative length', `${post11}Content-Length: -1\r\n\r\n{}`),
  raw('a length with a sign', `${post11}Content-Length: +2\r\n\r\n{}`),
  raw('a length in hexadecimal', `${post11}Content-Length: 0x2\r\n\r\n{}`),
  raw('a length beyond all measure', `${post11}Content-Length: 99999999999999999999\r\n\r\n{}`),
  raw('a chunk of no size', `${post11}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  raw(
    'a chunk beyond all measure',
    `${post11}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}`,
  ),
  raw(
    'a chunk longer than it says',
    `${post11}Transfer-Encoding: chunked\r\n\r\n1\r\n{}}\r\n0\r\n\r\n`,
  ),
  raw(
    'an endless chunk extension',
    `${post11}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
  ),
  raw(
    'a coding before chunked',
    `${post11}Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`,
  ),
  raw('a coding after chunked', `${post11}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`),
  raw(
    'a coding hidden by a tab',
    `${post11}Transfer-Encoding:\tchunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
  ),
  raw('a space before the colon', `${post11}Content-Length : 2\r\n\r\n{}`),
  raw(
    'a folded header',
    'GET /books HTTP/1.1\r\nHost: x\r\nX-Folded: a\r\n b\r\nConnection: close\r\n\r\n',
  ),
  raw(
    'a bare line feed in a header',
    'GET /books HTTP/1.1\r\nHost: x\nX: y\r\nConnection: close\r\n\r\n',
  ),
  raw(
    'a bare carriage return in a header',
    'GET /books HTTP/1.1\r\nHost: x\r\nX: a\rb\r\nConnection: close\r\n\r\n',
  ),
  raw(
    'U+0000 in a header',
    'GET /books HTTP/1.1\r\nHost: x\r\nX: a\0b\r\nConnection: close\r\n\r\n',
  ),
  raw('U+0000 in the target', 'GET /books\0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
  raw('no host', 'GET /books HTTP/1.1\r\nConnection: close\r\n\r\n'),
  raw('two hosts', 'GET /books HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'),
  raw('a tunnel', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n'),
  raw('a method that nobody knows', 'BREW /books HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
  raw('TRACE', 'TRACE /books HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
  raw(
    'an upgrade',
    'GET /books HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n',
  ),
  raw('a header of 64 KB', `GET /books HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`),
  raw(
    '4,000 headers',
    `GET /books HTTP/1.1\r\nHost: x\r\n${many(4000, (i) => `X-${i}: y`, '\r\n')}\r\nConnection: close\r\n\r\n`,
  ),
  raw(
    'a body on GET',
    'GET /books HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\nConnection: close\r\n\r\n' +
      'x'.repeat(200_000),
  ),
  raw(
    'a request in the body of another',
    `${post11}Content-Length: 44\r\nConnection: close\r\n\r\nDELETE /books/1 HTTP/1.1\r\nHost: evil.example\r\n`,
  ),
  raw('a body cut short', `${post11}Content-Length: 1000\r\n\r\n{"title":`),
  raw(
    '1,000 requests and nonsense',
    `${'GET /greet/en HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000)}NONSENSE\r\n\r\n`,
  ),
];

/** Targets, parameters and headers that ask for what is not there. */
const targets: HostileRequest[] = [
  get('a path up and out', '/../../../../etc/passwd'),
  get('a path up and out, encoded', '/docs/%2e%2e/%2e%2e/%2e%2e/etc/passwd'),
  get('a path up and out, encoded twice', '/docs/%252e%252e%252fpackage.json'),
  get('a path up with backslashes', '/docs/..\\..\\package.json'),
  get('a file of the docs with U+0000', '/docs/swagger.js%00.html'),
  get('half an encoding', '/greet/%'),
  get('an encoding that is not UTF-8', '/greet/%ff%fe'),
  get('an overlong encoding', '/greet/%c0%ae%c0%ae'),
  get('__proto__ as a language', '/greet/__proto__'),
  get('constructor as a language', '/greet/constructor'),
  get('a language that a pattern may stumble over', `/greet/${'a-'.repeat(3000)}!`),
  get('a target that names another host', 'http://evil.example/admin'),
  get('a target that is no address', 'http://[::1'),
  get('an id beyond all measure', `/books/${'9'.repeat(5000)}`),
  get('an id that is not a number', '/books/1%20OR%201=1'),
  get('an id with SQL', "/books/1';DROP%20TABLE%20books;--"),
  get('a path of 8 KB', `/${'a/'.repeat(4000)}`),
  get('2,000 parameters', `/books?${many(2000, (i) => `p${i}=`, '&')}`),
  get('one parameter 2,000 times', `/books?${many(2000, () => 'limit=1', '&')}`),
  get('a parameter as an object', '/books?limit[$gt]=1&__proto__[x]=1'),
  get('a limit beyond all measure', `/books?limit=${'1'.repeat(3000)}`),
  get('a place that is no place', '/books?after=-1e309'),
  get('a very long list of tags', '/books/1', `If-None-Match: ${many(1500, (i) => `"${i}"`)}\r\n`),
  get(
    'tags that a pattern may stumble over',
    '/books/1',
    `If-None-Match: ${'W/'.repeat(3000)}"\r\n`,
  ),
  get(
    'a range beyond all measure',
    '/openapi.yaml',
    `Range: bytes=${many(800, (i) => `${i}-`)}\r\n`,
  ),
  get('a token of no kind', '/books', `Authorization: Bearer ${'a.'.repeat(4000)}\r\n`),
  get(
    'an Accept that a pattern may stumble over',
    '/books',
    `Accept: ${many(900, () => '*/*;q=0.')}\r\n`,
  ),
];

const book = '"title":"x","pages":1';
/** Bodies that are not what they say. */
const bodies: HostileRequest[] = [
  post('no JSON', '{"title":'),
  post('lists 100,000 deep', nested('[', ']', 100_000)),
  post('objects 40,000 deep', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`),
  post('a list of 120,000 numbers', `[${many(120_000, () => '1')}]`),
  post('60,000 fractions', `{${book},"x":[${many(60_000, () => '1.5')}]}`),
  post('20,000 members', `{${book},${many(20_000, (i) => `"k${i}":1`)}}`),
  post('a member twice', `{${book},"pages":2}`),
  put('a member twice, in other letters', `{${book},"p\\u0061ges":2}`),
  post('__proto__', `{"title":"x","__proto__":{"pages":1}}`),
  post('constructor', `{${book},"constructor":{"prototype":{"polluted":true}}}`),
  post('a number that would be rounded', '{"title":"x","pages":1.00000000000000000001}'),
  post('a number of 200,000 digits', `{"title":"x","pages":${'1'.repeat(200_000)}}`),
  post('a number with a huge exponent', '{"title":"x","pages":1e999999999}'),
  post('a number as text', '{"title":"x","pages":"1"}'),
  post('U+0000', '{"title":"a\\u0000b","pages":1}'),
  post('half a character', '{"title":"\\ud800","pages":1}'),
  post('bytes that are not UTF-8', Buffer.from('{"title":"\xff\xfe","pages":1}', 'latin1')),
  post('UTF-16', Buffer.from(`{${book}}`, 'utf16le')),
  post('a byte order mark and nonsense', '\ufeff{{'),
  post('a title of 260,000 characters', `{"title":"${'x'.repeat(260_000)}","pages":1}`),
  post('a body of 2 MB', Buffer.alloc(2_000_000, 32)),
  post('a gzip bomb', gzipSync(Buffer.alloc(100_000_000)), 'Content-Encoding: gzip\r\n'),
  post(
    'a deflate bomb by another name',
    gzipSync(Buffer.alloc(10_000_000)),
    'Content-Encoding: x-gzip, br\r\n',
  ),
  put('a version that is none', `{${book}}`, `If-Match: ${'"'.repeat(3000)}\r\n`),
  put('an id of another', `{"id":2,${book}}`),
  put('a stale version', `{${book}}`, 'If-Match: "999"\r\n'),
  post(
    'a content type that a pattern may stumble over',
    `{${book}}`,
    `Content-Type: ${'a'.repeat(2000)};${' '.repeat(3000)}x\r\n`,
  ),
];

/** Operations that ask for more than they say. */
const operations: HostileRequest[] = [
  graphql('5,000 aliases', `{ ${many(5000, (i) => `a${i}: books { id }`, ' ')} }`),
  graphql(
    'fragments in a circle',
    '{ users { ...a } } fragment a on User { ...b } fragment b on User { ...a }',
  ),
  graphql(
    'fragments that double',
    `{ users { ...f0 } } ${many(25, (i) => `fragment f${i} on User { ...f${i + 1} ...f${i + 1} }`, ' ')} fragment f25 on User { id }`,
  ),
  graphql('3,000 directives', `{ books { id ${'@skip(if: false) '.repeat(3000)} } }`),
  graphql('fields 10,000 deep', `{ ${'users { '.repeat(10_000)}id${' }'.repeat(10_000)} }`),
  graphql('lists 50,000 deep', `{ book(id: ${nested('[', ']', 50_000)}) { id } }`),
  graphql('one field 20,000 times', `{ books { ${'id '.repeat(20_000)} } }`),
  graphql('2,000 variables', `query (${many(2000, (i) => `$v${i}: Int`)}) { books { id } }`),
  graphql(
    'introspection nested for mischief',
    `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`,
  ),
  graphql(
    '2,000 operations',
    many(2000, (i) => `query q${i} { books { id } }`, ' '),
    { operationName: 'q1' },
  ),
  graphql('a text that never ends', `{ books(title: """${'x'.repeat(200_000)}`),
  graphql('100,000 commas and comments', `{ books { id ${',#\n'.repeat(60_000)} } }`),
  graphql('unknown fields by the thousand', `{ ${many(3000, (i) => `book${i} { id }`, ' ')} }`),
  graphql(
    'conflicting fields',
    `{ ${many(60, (i) => `users { x: ${i % 2 ? 'id' : 'name'} }`, ' ')} }`,
  ),
  graphql('__proto__ as a variable', 'query ($id: ID!) { book(id: $id) { id } }', {
    variables: JSON.parse('{"__proto__":{"id":"1"}}'),
  }),
  graphql('a variable of another kind', 'mutation ($t: String!) { addTodo(title: $t) { id } }', {
    variables: { t: { toString: 'x' } },
  }),
  graphql('U+0000 in an argument', 'mutation { addTodo(title: "a\\u0000b") { id } }'),
  graphql('a subscription', 'subscription { books { id } }'),
  write(
    'a list of operations',
    'POST',
    '/graphql',
    `[${many(1000, () => '{"query":"{ books { id } }"}')}]`,
  ),
  write(
    'two queries in one',
    'POST',
    '/graphql',
    '{"query":"{ books { id } }","query":"{ users { id } }"}',
  ),
];

export const hostileRequests: readonly HostileRequest[] = [
  ...framing,
  ...targets,
  ...bodies,
  ...operations,
];
