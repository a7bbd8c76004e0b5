import type { Choice } from './choice.ts';
import type { Operation } from './compared-contract.ts';
import { type Exchange, inOnePiece } from './compared-exchange.ts';
import { validRequest } from './rest-requests.ts';

/** A valid request whose target is written in another way, which may be another target. */
export function pathExchange(choice: Choice, operations: readonly Operation[]): Exchange {
  const valid = validRequest(choice, choice.one(operations));
  const target = choice.isOnceIn(4) ? choice.one(others) : rewritten(choice, valid.target);
  const method = choice.isOnceIn(10) ? 'HEAD' : choice.isOnceIn(20) ? 'OPTIONS' : valid.method;
  return inOnePiece('paths', [{ ...valid, method, target }]);
}

const others = [
  ...[
    '*',
    '/',
    '//',
    '///',
    '/.',
    '/..',
    '/%',
    '/%2',
    '/%zz',
    '/%ff',
    '/%00',
    '/\\',
    '/?',
    '/#',
    '/%2f',
  ],
  ...[
    'http://',
    'http://x',
    'http://x/',
    'http://x?y',
    'http://[::1',
    'http:///books',
    'foo://bar',
  ],
  ...[
    'x:443',
    'mailto:a@b',
    '/nothing',
    '/favicon.ico',
    '/books/1/2',
    '/greet',
    '/greet/',
    '/graphql/',
  ],
  ...[
    '/docs/../books',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/docs/..\\..\\package.json',
  ],
  ...[`/${'a/'.repeat(2000)}`, `/${'a'.repeat(8000)}`, '/__proto__', '/constructor', '/toString/1'],
  ...[
    `/books?${'limit=1&'.repeat(500)}`,
    `/books?${'x'.repeat(7000)}`,
    '/{id}',
    '/books/{id}',
    '/books/:id',
  ],
];

function rewritten(choice: Choice, target: string): string {
  const [path = '', ...query] = target.split('?');
  const rest = query.length > 0 ? `?${query.join('?')}` : '';
  const at = 1 + choice.below(Math.max(1, path.length - 1));
  const letter = path[at] ?? '';
  const encoded = `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const ways = [
    `${path}/${rest}`,
    `${path}//${rest}`,
    `/${path}${rest}`,
    path.slice(1) + rest,
    path.toUpperCase() + rest,
    `${path.slice(0, at)}${letter.toUpperCase()}${path.slice(at + 1)}${rest}`,
    `${path.slice(0, at)}${encoded}${path.slice(at + 1)}${rest}`,
    `${path.slice(0, at)}${encoded.toUpperCase()}${path.slice(at + 1)}${rest}`,
    `/.${path}${rest}`,
    `/x/..${path}${rest}`,
    `${path}/.${rest}`,
    `${path}/..${rest}`,
    `${path};x=1${rest}`,
    `${path}#x${rest}`,
    `${target}#x`,
    `${path}%20${rest}`,
    `${path}%00${rest}`,
    `${path}%2F${rest}`,
    `${path}\xe9${rest}`,
    `${path}.json${rest}`,
    `${path}?${rest}`,
    `${target}?`,
    `${target}&`,
    `${path}?&${rest.slice(1)}`,
    path.replaceAll('/', '\\') + rest,
    path.replaceAll('/', '%2F') + rest,
    `http://localhost${target}`,
    `HTTP://localhost:80${target}`,
    `https://user@example.com${target}`,
    `http://localhost${path}/${rest}`,
    `ftp://localhost${target}`,
    `//localhost${target}`,
  ];
  return choice.one(ways);
}
