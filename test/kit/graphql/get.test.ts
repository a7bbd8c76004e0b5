// engines: sqlite
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../../support/api-server.ts';
import { everyFeature, featureResolvers, scalars } from '../../support/every-feature.ts';
import { serveGraphql } from '../../support/graphql-server.ts';

const served = useServer({ GRAPHQL_GET: 'on' });
let changes = 0;
let server: Awaited<ReturnType<typeof serveGraphql>>;
beforeAll(async () => {
  const resolvers = featureResolvers(undefined, () => changes++);
  server = await serveGraphql(everyFeature, resolvers, { scalars, env: { GRAPHQL_GET: 'on' } });
});
afterAll(() => server.stop());

function get(parameters: Record<string, string>, init: RequestInit = {}) {
  return fetch(`${server.url}/graphql?${new URLSearchParams(parameters)}`, init);
}

describe("graphql-http's audits with GET", () => {
  const audits = serverAudits({ url: () => `${served.url}/graphql` });

  it.each(audits.map((audit) => ({ ...audit, title: `${audit.id} ${audit.name}` })))(
    '$title',
    async (audit) => {
      const result = await audit.fn();
      expect(result.status, JSON.stringify('reason' in result && result.reason)).toBe('ok');
    },
  );
});

describe('a query by GET', () => {
  it('is answered as by POST, with variables and the name of its operation', async () => {
    const query = 'query A { plain } query B($v: BigInt) { back(big: $v) }';
    const variables = '{"v":9007199254740993}';
    const response = await get({ query, variables, operationName: 'B' });
    expect(response.status).toBe(200);
    expect(response.headers.get('vary')).toBe('Accept');
    expect(await response.text()).toBe('{"data":{"back":9007199254740993}}');
    const head = await get({ query: '{ plain }' }, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('may not be a mutation', async () => {
    const query = 'mutation { add(filter: {}) }';
    for (const accept of ['application/json', 'text/event-stream']) {
      const response = await get({ query }, { headers: { accept } });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'BAD_REQUEST' } }],
      });
    }
    expect(changes).toBe(0);
  });

  it.each([
    ['navigate', 400],
    ['no-cors', 400],
    ['cors', 200],
    ['same-origin', 200],
  ])('that a browser sends in mode %s is answered %i', async (mode, status) => {
    // fetch sets this header itself.
    const asked = request(`${server.url}/graphql?query=%7Bplain%7D`, {
      headers: { 'sec-fetch-mode': mode },
    });
    const [response] = await once(asked.end(), 'response');
    expect(response.statusCode).toBe(status);
    const reason = '/headers/sec-fetch-mode must be cors or same-origin: a script asks by GET';
    expect((await text(response)).includes(reason)).toBe(status === 400);
  });

  it.each([
    ['query=%7Bplain%7D&query=%7Bplain%7D', /query\/query must not be sent twice/],
    ['query=%7Bplain%7D&other=1', /query\/other is not a parameter/],
    ['query=%7Bplain%7D&variables=%7B', /variables is not valid JSON/],
    [
      'query=%7Bplain%7D&variables=%7B%22a%22:1,%22a%22:2%7D',
      /variables is not valid JSON without repeated names/,
    ],
    ['query=%FF', /: \/query is not percent-encoded UTF-8/],
    ['query=%7Bplain%7D&variables=1', /Invalid variables/],
    ['', /Missing query/],
    ['__proto__=1', /is not a parameter/],
  ])('is refused with the parameters %s', async (parameters, message) => {
    const response = await fetch(`${server.url}/graphql?${parameters}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(message);
  });

  it('leaves other methods 405, with all that are answered', async () => {
    for (const url of [server.url, served.url]) {
      const response = await fetch(`${url}/graphql`, { method: 'PUT' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
  });
});
