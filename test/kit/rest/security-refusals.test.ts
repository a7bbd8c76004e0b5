// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import { currentClient } from '../../../src/kit/request-context.ts';
import {
  type AnySecurity,
  byPolicy,
  type SecurityContext,
} from '../../../src/kit/rest/security.ts';
import { serveContract } from '../../support/contract-server.ts';

const schemes = `
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    basic: { type: http, scheme: basic }
    bearer: { $ref: '#/components/securitySchemes/token' }
    token: { type: http, scheme: BEARER }
    oauth: { type: oauth2, flows: {} }
    tls: { type: mutualTLS }
    digest: { type: http, scheme: Digest }`;

const text = (paths: Readonly<Record<string, string>>) => `openapi: 3.1.0
info: { title: 'Zoë\\ "x"', version: 1.0.0 }
paths:${Object.entries(paths)
  .map(
    ([name, security]) => `
  /${name}:
    get:
      operationId: ${name}
      security: ${security}
      responses: { '200': { description: Who., content: { application/json: {} } } }`,
  )
  .join('')}
components:
  securitySchemes:${schemes}
`;
const paths = {
  both: '[{ bearer: [], header: [] }]',
  again: '[{ bearer: [] }, { bearer: [], header: [] }]',
  either: '[{ oauth: [a, b] }, { bearer: [] }]',
  optional: '[{ basic: [] }, {}]',
  basic: '[{ basic: [] }]',
  bearer: '[{ bearer: [c] }]',
};

const errors = [{ path: '/x', message: 'is not yours' }];
const contexts: SecurityContext[] = [];
/** Says who calls by the token; some tokens make it fail. */
const token = async (given: string, context: SecurityContext) => {
  contexts.push(context);
  const refusals: Readonly<Record<string, () => unknown>> = {
    weak: () => new ApiError('forbidden'),
    told: () =>
      new ApiError('forbidden', { detail: 'Ask an owner.', errors, headers: { 'X-Own': '1' } }),
    own: () => new ApiError('forbidden', { headers: { 'WWW-Authenticate': 'Own' } }),
    stale: () => new ApiError('unauthenticated', { detail: 'not told' }),
    broken: () => new Error('the directory is gone'),
  };
  const refusal = refusals[given]?.();
  if (refusal) throw refusal;
  if (given === 'verified') return context.verifyJwt(given);
  return given === 'good' || given === 'mixed' ? { token: given } : undefined;
};
const security: AnySecurity = {
  header: (key: string) => (key === 'good' ? { key } : undefined),
  basic: ({ username, password }: { readonly username: string; readonly password: string }) => {
    if (username === 'weak') throw new ApiError('forbidden');
    return password === 'no' ? undefined : { username, password };
  },
  bearer: token,
  // Those of the first alternative alone are weak.
  oauth: (given: string, context: SecurityContext) =>
    token(given === 'mixed' ? 'weak' : given, context),
};
const who = (_: unknown, { identity }: { readonly identity: unknown }) => ({
  status: 200,
  body: { identity, client: currentClient() },
});
const handlers = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, who]));
const server = await serveContract(text(paths), handlers(Object.keys(paths)), { security });
afterAll(() => server.stop());

type Headers = Readonly<Record<string, string>>;
async function ask(path: string, headers: Headers, url = server.url) {
  const response = await fetch(`${url}/${path}`, { headers });
  const json = Object(await response.json());
  const told = response.headers.get('www-authenticate');
  return { status: response.status, told, json, headers: response.headers };
}
const bearer = (given: string) => ({ authorization: `Bearer ${given}` });
const basic = (given: string | Buffer) => ({
  authorization: `Basic ${Buffer.from(given).toString('base64')}`,
});
const realm = 'realm="Zo?\\\\ \\"x\\""';
const apiKey = `ApiKey ${realm}, in="header", name="X-Key"`;

describe('a challenge', () => {
  it.each([
    ['both', {}, `Bearer ${realm}, ${apiKey}`],
    ['both', { ...bearer('good'), 'x-key': 'bad' }, `Bearer ${realm}, ${apiKey}`],
    [
      'both',
      { ...bearer('bad'), 'x-key': 'good' },
      `Bearer ${realm}, error="invalid_token", ${apiKey}`,
    ],
    ['again', {}, `Bearer ${realm}, ${apiKey}`],
    ['either', {}, `Bearer ${realm}, scope="a b", Bearer ${realm}`],
    ['bearer', bearer('stale'), `Bearer ${realm}, scope="c", error="invalid_token"`],
    ['basic', {}, `Basic ${realm}, charset="UTF-8"`],
  ])('names what is asked of /%s with %j', async (path, headers: Headers, challenge) => {
    const { status, told, json } = await ask(path, headers);
    expect([status, told]).toEqual([401, challenge]);
    const detail = 'This needs valid credentials; the WWW-Authenticate header says of which kind.';
    expect(json.detail).toBe(detail);
  });

  it.each([
    ['bearer', bearer('weak'), `Bearer ${realm}, scope="c", error="insufficient_scope"`],
    ['bearer', bearer('own'), 'Own'],
    ['either', bearer('weak'), `Bearer ${realm}, scope="a b", error="insufficient_scope"`],
    ['basic', basic('weak:x'), null],
  ])('of a caller of /%s without leave, with %j', async (path, headers, challenge) => {
    const { status, told } = await ask(path, headers);
    expect([status, told]).toEqual([403, challenge]);
  });

  it('leaves what else a refusal says', async () => {
    const { json, headers } = await ask('bearer', bearer('told'));
    expect([json.detail, json.errors]).toEqual(['Ask an owner.', errors]);
    expect(headers.get('x-own')).toBe('1');
    const plain = await ask('bearer', bearer('weak'));
    expect(plain.json.detail).toBe('The caller may not do this.');
    expect(plain.json).not.toHaveProperty('errors');
  });
});

describe('credentials', () => {
  it('that one alternative refuses may do for another', async () => {
    const identity = async (given: string) => (await ask('either', bearer(given))).json.identity;
    expect(await identity('good')).toEqual({ oauth: { token: 'good' } });
    expect(await identity('mixed')).toEqual({ bearer: { token: 'mixed' } });
  });

  it.each([
    [basic('a:b'), { username: 'a', password: 'b' }],
    [basic('a:'), { username: 'a', password: '' }],
    [basic('abc:d'), { username: 'abc', password: 'd' }],
    [basic('\ufeffa: b'), { username: '\ufeffa', password: ' b' }],
    [{ authorization: 'basic  YTpi' }, { username: 'a', password: 'b' }],
    [basic('a:no'), undefined],
    [basic('ab'), undefined],
    [basic('a:\u001f'), undefined],
    [basic('a:\u007f'), undefined],
    [basic(Buffer.from([97, 58, 255])), undefined],
    [{ authorization: 'Basic YTpi=' }, undefined],
    [{ authorization: 'Basic YTp' }, undefined],
    [{ authorization: 'BasicYTpi' }, undefined],
    [{ authorization: 'Bearer YTpi' }, undefined],
  ])('of a user are read as RFC 7617 writes them: %j', async (headers, identity) => {
    const { status, json } = await ask('optional', headers);
    expect([status, json.identity?.basic]).toEqual([200, identity]);
  });

  it.each(['good good', 'good"', 'go,od', '=', 'good=good'])(
    'that are no token by RFC 6750 are not judged: %s',
    async (given) => {
      contexts.length = 0;
      expect((await ask('bearer', bearer(given))).status).toBe(401);
      expect(contexts).toEqual([]);
    },
  );

  it('are judged by a function that knows the request', async () => {
    contexts.length = 0;
    const { headers } = await ask('bearer?x=1', { ...bearer('good'), 'x-more': 'more' });
    expect(headers.get('x-request-id')).toBe(contexts[0]?.request.id);
    expect(contexts).toMatchObject([
      { scopes: ['c'], request: { method: 'GET', path: '/bearer', headers: { 'x-more': 'more' } } },
    ]);
  });

  it('that cannot be judged are a failure of the server', async () => {
    expect((await ask('bearer', bearer('broken'))).status).toBe(500);
    expect(server.log.join()).toContain('the directory is gone');
    expect((await ask('bearer', bearer('verified'))).status).toBe(500);
    expect(server.log.join()).toContain(
      'AUTH_JWKS_URL or AUTH_SECRET must be set to verify tokens',
    );
  });
});

describe('at start', () => {
  const start = (required: string, given: AnySecurity, mocks = false) =>
    serveContract(text({ one: required }), mocks ? {} : handlers(['one']), {
      security: given,
      mocks,
    });
  const lineOf = (required: string, mark: string) =>
    text({ one: required })
      .split('\n')
      .findIndex((line) => line.includes(mark)) + 1;
  const refusal = (required: string, given: AnySecurity, mocks = false) =>
    start(required, given, mocks).then(
      async (running) => `started ${await running.stop()}`,
      (error) => String(error.message),
    );

  it.each([
    ['[{ query: [] }]', {}, false, '    query:', 5, 'no function for the security scheme "query"'],
    [
      '[{ digest: [] }]',
      {},
      true,
      '    digest:',
      5,
      'the security scheme "digest" is of the type http Digest, which is not supported',
    ],
    [
      '[{ bearer: [] }, { header: [] }]',
      { bearer: byPolicy, header: security.header },
      false,
      'security: [',
      7,
      'the policy asks only for credentials that are optional; expected {} in "security"',
    ],
  ])('%s is refused where it stands', async (required, given, mocks, mark, column, message) => {
    const line = lineOf(required, mark);
    const found = await refusal(required, given as AnySecurity, mocks);
    expect(found).toBe(`openapi.yaml:${line}:${column}: ${message}`);
  });

  it('mocks need no functions, and ask for credentials of any value', async () => {
    const mocked = await serveContract(
      text({ key: '[{ query: [], tls: [] }]', tls: '[{ tls: [] }]' }),
      {},
      { mocks: true },
    );
    const statuses = ['key', 'key?key=x', 'tls'].map(
      async (path) => (await ask(path, {}, mocked.url)).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
    await mocked.stop();
  });

  it('callers whose certificate nobody sees are told apart by their addresses', async () => {
    const mocked = await serveContract(
      text({ tls: '[{ tls: [] }]', none: '[]' }),
      handlers(['tls', 'none']),
      { mocks: true, env: { AUTH_SECRET: 'x'.repeat(32) } },
    );
    const client = async (path: string) => (await ask(path, {}, mocked.url)).json.client;
    expect(await client('none')).toEqual(expect.any(String));
    expect(await client('tls')).toBe(await client('none'));
    await mocked.stop();
  });

  it('callers are clients of their own only where functions or settings know them', async () => {
    const client = async (given: AnySecurity, env = {}) => {
      const running = await serveContract(
        text({ one: '[{}, { bearer: [] }]' }),
        handlers(['one']),
        { security: given, env },
      );
      const { json } = await ask('one', {}, running.url);
      await running.stop();
      return typeof json.client;
    };
    expect(await client({ bearer: byPolicy })).toBe('undefined');
    expect(await client({ bearer: token })).toBe('string');
    expect(await client({ bearer: byPolicy }, { AUTH_SECRET: 'x'.repeat(32) })).toBe('string');
  });
});
