import type { Choice } from './choice.ts';
import type { Pair } from './compared-exchange.ts';

const tags = [
  ...['"1"', '"2"', '"1", "2"', 'W/"1"', '*', '""', '1', '"x"', '"1" ,"2"', '"1",', 'W/*', '"9".'],
  ...[
    ', "1"',
    '"1""2"',
    '*, "1"',
    '"a b"',
    "'1'",
    '',
    `"${'x'.repeat(998)}"`,
    `"${'x'.repeat(999)}"`,
  ],
  ...[Array.from({ length: 200 }, (_, i) => `"${i}"`).join(), `"a"${', '.repeat(60)}!`, '"é"'],
];

/** Headers about versions of what is read or written. */
export function conditions(choice: Choice): Pair[] {
  const names = ['If-Match', 'If-None-Match', 'if-match', 'IF-NONE-MATCH', 'If-Match'];
  const dates = [new Date(0).toUTCString(), 'Fri, 01 Jan 2100 00:00:00 GMT', 'x', ''];
  const one = (): Pair =>
    choice.make<Pair>([
      [8, () => [choice.one(names), choice.one([...tags.slice(0, 5), choice.one(tags)])]],
      [1, () => [choice.one(['If-Modified-Since', 'If-Unmodified-Since']), choice.one(dates)]],
    ]);
  return choice.isOnceIn(3) ? [one(), one()] : [one()];
}

/** Headers of a page of another origin. */
export function origins(choice: Choice): Pair[] {
  const known = ['https://example.com', 'http://localhost:8080'];
  const others = [
    'https://evil.example',
    'null',
    '',
    'HTTPS://EXAMPLE.COM',
    'https://example.com/',
  ];
  const methods = ['POST', 'PUT', 'DELETE', 'GET', 'PATCH', 'get', ''];
  const origin: Pair = ['Origin', choice.one(choice.isOnceIn(3) ? others : known)];
  const wanted: Pair = ['Access-Control-Request-Method', choice.one(methods)];
  const sent: Pair = [
    'Access-Control-Request-Headers',
    choice.one(['content-type', 'If-Match', 'X-Other']),
  ];
  return choice.make([
    [3, () => [origin]],
    [3, () => [origin, wanted]],
    [2, () => [origin, wanted, sent]],
    [1, () => [wanted]],
    [1, () => [origin, ['Origin', 'https://example.com']]],
  ]);
}

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const others: readonly Pair[] = [
  ...['text/html', 'application/json', '*/*', 'x', 'application/json;q=0', ''].map(
    (value): Pair => ['Accept', value],
  ),
  ...['Bearer x', 'Basic eDp4', 'Bearer', 'bearer a b', ''].map(
    (value): Pair => ['Authorization', value],
  ),
  // Not of the form of those that the server makes.
  ...['client-1', 'a'.repeat(128), 'a'.repeat(129), 'a b', '', 'é', 'A.b_c:d-e'].map(
    (value): Pair => ['X-Request-Id', value],
  ),
  ...[TRACE, TRACE.replace('00-', 'ff-'), 'x'].map((value): Pair => ['Traceparent', value]),
  ...['gzip', 'br, *;q=0', 'identity;q=0'].map((value): Pair => ['Accept-Encoding', value]),
  ...['bytes=0-1', 'bytes=-1', 'x'].map((value): Pair => ['Range', value]),
  ...['keep-alive', 'Keep-Alive, x', 'close', 'Close', 'TE, close', 'x'].map(
    (value): Pair => ['Connection', value],
  ),
  ...(['POST', 'DELETE'] as const).map((value): Pair => ['X-HTTP-Method-Override', value]),
  ...[' ', 'é', 'a'.repeat(4000), '\t x \t', '__proto__'].map((value): Pair => ['X-Odd', value]),
  ['Cookie', 'a=1; b'],
  ['X-Forwarded-For', '10.0.0.1'],
  ['Forwarded', 'for=10.0.0.1;host=evil.example'],
  ['X-Forwarded-Host', 'evil.example'],
  ['__proto__', 'x'],
  ['Accept-Language', 'de'],
  ['TE', 'trailers'],
  ['Cache-Control', 'no-cache'],
  ['Expect', 'x'],
];

/** Headers that most operations do not mention. */
export function oddHeaders(choice: Choice): Pair[] {
  const one = choice.one(others);
  return choice.make<Pair[]>([
    [6, () => [one]],
    [1, () => [one, one]],
    [2, () => [one, choice.one(others)]],
  ]);
}

/** What a body says of itself, rightly or not. */
export function contentHeaders(choice: Choice): Pair[] {
  const types = [
    ...['application/json; charset=utf-8', 'Application/JSON', 'application/json ;charset="utf-8"'],
    ...['application/json; charset=latin1', 'application/json; charset=utf-16', 'text/plain', ''],
    ...['application/json,application/json', 'application/*', '*/*', 'json', 'application/json;'],
    ...['application/vnd.api+json', 'multipart/form-data; boundary=x', 'application/graphql'],
    ...['application/x-www-form-urlencoded', 'application/json; x="', 'application/json; charset'],
  ];
  const encodings = ['identity', 'gzip', 'br', '', 'x', 'IDENTITY', 'gzip, identity'];
  const type: Pair = ['Content-Type', choice.one(types)];
  const json: Pair = ['Content-Type', 'application/json'];
  return choice.make<Pair[]>([
    [6, () => [type]],
    [1, () => []],
    [2, () => [json, type]],
    [1, () => [json, json]],
    [3, () => [json, ['Content-Encoding', choice.one(encodings)]]],
    [1, () => [json, ['content-language', 'de'], ['Content-MD5', 'x']]],
  ]);
}
