import { describe, expect, it } from 'vitest';
import { readContract } from '../../../src/kit/contract/contract.ts';
import { createCors } from '../../../src/kit/http/cors.ts';
import type { Exchange } from '../../../src/kit/http/exchange.ts';
import { useServer } from '../../support/api-server.ts';

const closed = useServer();
const some = useServer({ CORS_ORIGINS: 'https://a.example,https://b.example' });
const any = useServer({ CORS_ORIGINS: '*' });

const preflight = { 'access-control-request-method': 'PUT' };

/** What an answer says of other origins. */
async function said(url: string, method: string, headers: Record<string, string>) {
  const answer = await fetch(url, { method, headers });
  const told = [...answer.headers].filter(([name]) => /^access-control-|^vary$/.test(name));
  return { status: answer.status, ...Object.fromEntries(told) };
}

describe('without CORS_ORIGINS', () => {
  it.each(['/books', '/nothing', '/graphql', '/docs'])(
    '%s says nothing of origins',
    async (path) => {
      const headers = { origin: 'https://a.example' };
      expect(Object.keys(await said(closed.url + path, 'GET', headers))).toEqual(['status']);
    },
  );

  it('a preflight is a method that the path does not answer', async () => {
    const headers = { origin: 'https://a.example', ...preflight };
    const answer = await fetch(`${closed.url}/books/1`, { method: 'OPTIONS', headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, PUT']);
  });
});

describe('with CORS_ORIGINS', () => {
  it.each([
    ['GET', '/books', 200],
    ['GET', '/books/x', 400],
    ['GET', '/nothing', 404],
    ['PATCH', '/books', 405],
    ['POST', '/graphql', 400],
    ['POST', '/books', 400],
    ['GET', '/docs', 200],
  ])('%s %s may be read by a page of such an origin', async (method, path, status) => {
    expect(await said(some.url + path, method, { origin: 'https://b.example' })).toEqual({
      status,
      vary: 'Origin',
      'access-control-allow-origin': 'https://b.example',
      'access-control-expose-headers': expect.stringContaining('ETag'),
    });
  });

  it.each([
    [{}],
    [{ origin: 'https://c.example' }],
    [{ origin: 'https://a.example.evil' }],
    [{ origin: 'http://a.example' }],
    [{ origin: 'null' }],
    [{ origin: 'https://c.example', ...preflight }],
  ])('%j is not let in', async (headers: Record<string, string>) => {
    const answer = { status: 200, vary: 'Origin' };
    expect(await said(`${some.url}/books`, 'GET', headers)).toEqual(answer);
    const refused = { status: 405, vary: 'Origin' };
    expect(await said(`${some.url}/books`, 'OPTIONS', headers)).toEqual(refused);
  });

  it.each([
    ['/books/1', 'DELETE, GET, PUT'],
    ['/books', 'GET, POST'],
    ['/graphql', 'POST'],
  ])('a preflight for %s is told its methods', async (path, methods) => {
    const headers = { origin: 'https://a.example', ...preflight };
    expect(await said(some.url + path, 'OPTIONS', headers)).toEqual({
      status: 204,
      vary: 'Origin',
      'access-control-allow-origin': 'https://a.example',
      'access-control-allow-methods': methods,
      'access-control-allow-headers': expect.stringContaining('Authorization'),
      'access-control-max-age': '600',
    });
  });

  it('OPTIONS that is no preflight, or for a path that is not there, is answered as ever', async () => {
    const headers = { origin: 'https://a.example' };
    expect((await said(`${some.url}/books`, 'OPTIONS', headers)).status).toBe(405);
    const asked = { ...headers, ...preflight };
    expect((await said(`${some.url}/nothing`, 'OPTIONS', asked)).status).toBe(404);
  });

  it('* lets every page in, without a word on whom', async () => {
    const headers = { origin: 'https://anybody.example' };
    expect(await said(`${any.url}/books`, 'GET', headers)).toEqual({
      status: 200,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.any(String),
    });
    const { status } = await said(`${any.url}/books/1`, 'OPTIONS', { ...headers, ...preflight });
    expect(status).toBe(204);
  });

  it('a page may send and read every header that the contract has', async () => {
    const { document, operations } = await readContract(
      new URL('../../../openapi.yaml', import.meta.url),
    );
    const sent = operations.flatMap(({ parameters }) =>
      parameters.filter((each) => each.in === 'header').map(({ name }) => name),
    );
    const read = [
      ...JSON.stringify(document).matchAll(/"([A-Za-z-]+)":\{"\$ref":"#\/components\/headers/g),
    ];
    // Which credentials are asked for is no matter of a page's.
    const names = new Set(
      read.map((match) => match[1]).filter((name) => name !== 'WWW-Authenticate'),
    );
    const headers = { origin: 'https://a.example' };
    const answer = await said(`${some.url}/books`, 'GET', headers);
    const asked = await said(`${some.url}/books`, 'OPTIONS', { ...headers, ...preflight });
    const exposed = Object(answer)['access-control-expose-headers'].split(', ');
    expect([...names].filter((name) => !exposed.includes(name))).toEqual([]);
    const taken = Object(asked)['access-control-allow-headers'].split(', ');
    expect(sent.filter((name) => !taken.includes(name))).toEqual([]);
  });

  it('a page may not send cookies along', async () => {
    const answer = await said(`${some.url}/books`, 'GET', { origin: 'https://a.example' });
    expect(answer).not.toHaveProperty('access-control-allow-credentials');
  });

  it('a page is told of no position where there are no replicas', async () => {
    const answer = await said(`${any.url}/books`, 'GET', { origin: 'https://a.example' });
    expect(Object(answer)['access-control-expose-headers']).not.toContain('Accord-Position');
  });

  const SENT =
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Traceparent, X-Request-Id';
  const READ =
    'Allow, Contract-Digest, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
  it.each([
    [undefined, SENT, READ],
    ['Accord-Position', `${SENT}, Accord-Position`, `${READ}, Accord-Position`],
  ])('a page may send and read %s beside the others', (more, sent, read) => {
    const cors = createCors('any', more);
    const told = (method: string) => {
      const headers: string[] = [];
      const request = { headers: { origin: 'https://a.example', ...preflight } };
      const match = { route: { methods: ['GET', 'PUT'] } };
      const exchange: Exchange = Object({ request, method, match, headers });
      return [cors(exchange)?.status, ...headers];
    };
    const origin = ['Access-Control-Allow-Origin', '*'];
    expect(told('GET')).toEqual([undefined, ...origin, 'Access-Control-Expose-Headers', read]);
    expect(told('OPTIONS')).toEqual([
      ...[204, ...origin, 'Access-Control-Allow-Methods', 'GET, PUT'],
      ...['Access-Control-Allow-Headers', sent, 'Access-Control-Max-Age', '600'],
    ]);
  });
});
