import type { Choice } from './choice.ts';
import { type Exchange, inOnePiece, LAST_DATE, LAST_TAG, type Pair } from './compared-exchange.ts';
import { oddHeaders, origins } from './headers.ts';
import { HOST } from './rest-requests.ts';

const words = (text: string) => text.trim().split(/\s+/);

const pages = words(`
  / /docs /docs/rest /docs/graphql /docs/schema /docs/changes /docs/examples.json
  /docs/rest.json /docs/rest/listBooks /docs/rest/schemas/Problem
  /openapi.yaml /openapi.json /schema.graphql`);
const files = words(`
  site.css status.js icon.svg reference.css reference.js reference-search.js try-it.js parameter-text.js
  graphiql.css graphiql.js react.production.min.js react-dom.production.min.js`);
const others = words(`
  /docs/coverage /docs/ /docs/nothing /docs//rest /Docs /docs/rest/ /docs?x=1 /?x /docs%2Frest /docs/%
  /favicon.ico /robots.txt /.well-known/security.txt /index.html /docs/schema?type=x#y /docs/assets/
  /docs/assets /docs/assets/nothing.js /docs/assets/../endpoint.ts /docs/assets/..%2fpage.ts
  /docs/assets/site.css/ /docs/assets/Site.css /docs/assets/site%2ecss /docs/assets/site.css?x=1
  /docs/assets/%00 /docs/assets/site.css%00 /docs/assets/. /docs/assets/__proto__
  /docs/assets/constructor /docs/assets/umd/react.production.min.js`);
// Megabytes, asked for in part.
const largeFiles = ['graphiql.min.js', 'graphiql.min.css'];

/** A request for a page, a file or a contract, whole or in part, on conditions or without. */
export function pageExchange(choice: Choice): Exchange {
  const asset = (name: string) => `/docs/assets/${name}`;
  const isLarge = choice.isOnceIn(12);
  const target = choice.make([
    [isLarge ? 1 : 0, () => asset(choice.one(largeFiles))],
    [isLarge ? 0 : 3, () => choice.one(pages)],
    [isLarge ? 0 : 3, () => asset(choice.one(files))],
    [isLarge ? 0 : 2, () => choice.one(others)],
  ]);
  const headers: Pair[] = [
    HOST,
    ...(isLarge || choice.isOnceIn(3) ? [range(choice)] : []),
    ...(choice.isOnceIn(2) ? [condition(choice)] : []),
    ...(choice.isOnceIn(12) ? [condition(choice)] : []),
    ...(choice.isOnceIn(4) ? [accept(choice)] : []),
    ...(choice.isOnceIn(8) ? origins(choice) : []),
    ...(choice.isOnceIn(12) ? oddHeaders(choice) : []),
  ];
  const method = choice.make([
    [isLarge ? 3 : 8, () => 'GET'],
    [2, () => 'HEAD'],
    [2, () => choice.one(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND'])],
  ]);
  return inOnePiece('pages', [{ method, target, headers }]);
}

function range(choice: Choice): Pair {
  const values = [
    ...['bytes=0-0', 'bytes=0-99', 'bytes=100-199', 'bytes=-1', 'bytes=-500', 'bytes=1000-1100'],
    ...[
      'bytes=99999999-',
      'bytes=5-1',
      'bytes=0-1,3-4',
      'bytes=0-1,0-1',
      'bytes=x',
      'x=0-1',
      'bytes=',
    ],
    ...['bytes= 0-1', 'bytes=0-99999999999999999999', 'bytes=--1', 'bytes=-0', '', 'BYTES=0-1'],
  ];
  return ['Range', choice.one(values)];
}

function condition(choice: Choice): Pair {
  const dates = [LAST_DATE, LAST_DATE, 'Thu, 01 Jan 1970 00:00:00 GMT', 'x', ''];
  const future = 'Fri, 01 Jan 2100 00:00:00 GMT';
  const tags = [LAST_TAG, LAST_TAG, LAST_TAG, '*', '"x"', `"x", ${LAST_TAG}`, `W/${LAST_TAG}`, 'x'];
  return choice.make<Pair>([
    [4, () => ['If-None-Match', choice.one(tags)]],
    [3, () => ['If-Match', choice.one(tags)]],
    [3, () => ['If-Modified-Since', choice.one([...dates, future])]],
    [2, () => ['If-Unmodified-Since', choice.one([...dates, future])]],
    [2, () => ['If-Range', choice.one([...tags, ...dates, future])]],
  ]);
}

function accept(choice: Choice): Pair {
  const values = [
    ...[
      'text/html',
      'application/json',
      '*/*',
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'text/*',
    ],
    ...[
      'application/json, text/html',
      'text/html;q=0, */*',
      '',
      'x',
      'text/html;q=0.5, application/json',
    ],
  ];
  return ['Accept', choice.one(values)];
}
