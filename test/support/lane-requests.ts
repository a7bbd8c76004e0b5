import fc from 'fast-check';
import { collections, samples } from './collections.ts';

/** A request as it is put on the wire. */
export type WireRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
  readonly isChunked?: boolean;
};

const odd = (usual: fc.Arbitrary<string>, ...others: string[]) =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 2, arbitrary: fc.constantFrom(...others) });

const name = fc.constantFrom(...collections);
const id = odd(
  fc.integer({ min: 1, max: 12 }).map(String),
  ...['0', '01', '+1', '-1', '1e1', '1.0', '0x1', '%31', '%201', '1%20', 'abc', '%ff', '%', ''],
  ...['9007199254740991', '9007199254740992', '99999999999999999999', '1/', '1//', '١', 'NaN'],
);
const query = odd(
  fc.constantFrom(
    '',
    '?limit=2',
    '?limit=1000',
    '?after=1',
    '?limit=1&after=2',
    '?after=2&limit=3',
  ),
  ...[
    '?',
    '?limit=0',
    '?limit=1001',
    '?limit=',
    '?limit',
    '?limit=1&limit=1',
    '?limit=+1',
    '?limit=%31',
  ],
  ...[
    '?LIMIT=1',
    '?x=1',
    '?limit=1&x',
    '?limit=1&',
    '?&limit=1',
    '?__proto__=1',
    '?limit=01',
    '?%6cimit=1',
  ],
  ...[
    '?limit=1#x',
    '?limit=1?',
    '?after=-1',
    '?after=9007199254740992',
    '?limit[]=1',
    '?constructor=1',
  ],
  ...['?%5Ba%5D=1', '?[a]=1', '?limit%26%5B=2', '?limit[x]=1', '?__proto__[x]=1', '?=1', '?&'],
);
const lang = odd(
  fc.constantFrom('en', 'EN', 'pt-br', 'zh-Hans', 'ja'),
  ...['xx', 'tlh', 'e', 'en_US', '%65n', 'en%20', '__proto__', 'toString', 'x'.repeat(40), '%00'],
);
const other = fc.constantFrom(
  ...['/', '/healthz', '/readyz', '/openapi.json', '/openapi.yaml', '/schema.graphql', '/nothing'],
  ...['/BOOKS', '/books/', '//books', '/books/1/2', '/./books', '/books/../tasks', '/%62ooks', '*'],
  ...['http://example.com/books', '/graphql', '/healthz?x=1', '/greet', '/greet/', '/books;a=b'],
);
const target = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(name, query).map(([at, rest]) => `/${at}${rest}`) },
  { weight: 6, arbitrary: fc.tuple(name, id).map(([at, rest]) => `/${at}/${rest}`) },
  { weight: 1, arbitrary: lang.map((code) => `/greet/${code}`) },
  { weight: 1, arbitrary: other },
);

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE') },
  { weight: 1, arbitrary: fc.constantFrom('HEAD', 'PATCH', 'OPTIONS', 'TRACE', 'get') },
);

const tags = [
  '"1"',
  '"2"',
  '"1", "2"',
  'W/"1"',
  '*',
  '""',
  '1',
  '"x"',
  '"1" ,"2"',
  '"1",',
  'W/*',
  '"9".',
];
const header = fc.oneof(
  fc.tuple(fc.constantFrom('If-Match', 'If-None-Match', 'if-match'), fc.constantFrom(...tags)),
  fc.tuple(fc.constant('Accept'), fc.constantFrom('text/html', 'application/json', '*/*')),
  fc.tuple(fc.constant('Content-Encoding'), fc.constantFrom('identity', 'gzip', '')),
  fc.tuple(fc.constant('Authorization'), fc.constantFrom('Bearer x', 'Basic x')),
  fc.tuple(fc.constant('X-Odd'), fc.constantFrom('', ' ', 'é', 'a'.repeat(500))),
);
const contentType = odd(
  fc.constant('application/json'),
  ...[
    'application/json; charset=utf-8',
    'Application/JSON',
    'text/plain',
    'application/json; charset=x',
  ],
  ...[
    'application/*',
    '',
    'application/json,application/json',
    'application/json ;charset="utf-8"',
  ],
);

const valid = name.chain((each) =>
  fc.constantFrom<object>(samples[each].input, samples[each].other),
);
const near = name.chain((each) =>
  fc.constantFrom<unknown>(...samples[each].refused.map(([, value]) => value)),
);
const json = fc.oneof(
  { weight: 6, arbitrary: valid },
  { weight: 3, arbitrary: near },
  {
    weight: 2,
    arbitrary: fc
      .tuple(valid, fc.constantFrom(1, 2, '1', null, 1.5))
      .map(([fields, of]) => ({ ...fields, id: of })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(valid, fc.string()).map(([fields, key]) => ({ ...fields, [key]: 1 })),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const body = fc.oneof(
  { weight: 8, arbitrary: json.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        ...[
          '',
          '{',
          '{}',
          '[]',
          'null',
          '{"title":"a\\u0000","pages":1}',
          '{"title":"\\ud800","pages":1}',
        ],
        ...[
          '\ufeff{"title":"bom","pages":1}',
          ' {"title":"x","pages":1.0} ',
          '{"title":"x","pages":1e2}',
        ],
        ...[
          '{"title":"a","title":"b","pages":-0}',
          '{"__proto__":{},"title":"x","pages":1}',
          '{"title":"x"}x',
        ],
      )
      .map((text) => Buffer.from(text)),
  },
);

/** Requests that are valid, nearly valid, hostile, and odd in headers and encodings. */
export const wireRequests: fc.Arbitrary<WireRequest> = fc
  .record({
    method,
    target,
    headers: fc.array(header, { maxLength: 2 }),
    type: fc.option(contentType, { nil: undefined }),
    body: fc.option(body, { nil: undefined }),
    isChunked: fc.boolean(),
  })
  .map(({ type, headers, ...rest }) => ({
    ...rest,
    headers: type === undefined ? headers : [...headers, ['Content-Type', type] as const],
  }));

/** The bytes of a request; `last` asks for the connection to be closed after it. */
export function onWire(request: WireRequest, last: boolean): Buffer {
  const { method, target, headers, body, isChunked } = request;
  const size =
    body && (isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', `${body.length}`]);
  const all = [
    ['Host', 'x'],
    ...headers,
    ...(size ? [size] : []),
    ...(last ? [['Connection', 'close']] : []),
  ];
  const head = `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const chunk = body?.length ? [`${body.length.toString(16)}\r\n`, body, '\r\n'] : [];
  const content = !body ? [] : isChunked ? [...chunk, '0\r\n\r\n'] : [body];
  return Buffer.concat([head, ...content].map((part) => Buffer.from(part)));
}
