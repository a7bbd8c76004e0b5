// engines: sqlite
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import { currentClient } from '../../../src/kit/request-context.ts';
import type { AnyHandlers } from '../../../src/kit/rest/handler.ts';
import { type AnySecurity, byPolicy, jwtBearer } from '../../../src/kit/rest/security.ts';
import { sendRaw } from '../../../tools/support/raw-http.ts';
import { type Client, createClient } from '../../support/client.ts';
import { serveContract } from '../../support/contract-server.ts';

const schemes = `
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: session }
    basic: { type: http, scheme: Basic }
    bearer: { type: http, scheme: bearer }
    oauth: { type: oauth2, flows: {} }
    oidc: { type: openIdConnect, openIdConnectUrl: 'https://example.com/' }
    constructor: { type: apiKey, in: header, name: constructor }
    __proto__: { type: apiKey, in: header, name: __proto__ }`;

/** Paths by name, each with its security; the root asks for the key in the header. */
const paths: Readonly<Record<string, string>> = {
  root: '',
  none: '[]',
  optional: '[{}, { bearer: [] }]',
  header: '[{ header: [] }]',
  query: '[{ query: [] }]',
  cookie: '[{ cookie: [] }]',
  basic: '[{ basic: [] }]',
  bearer: '[{ bearer: [] }]',
  oauth: '[{ oauth: [read, write] }]',
  oidc: '[{ oidc: [] }]',
  both: '[{ header: [], basic: [] }]',
  either: '[{ header: [] }, { basic: [] }]',
  constructor: '[{ constructor: [] }]',
  proto: '[{ __proto__: [] }]',
};

const text = (security = paths, declared = schemes) => `openapi: 3.1.0
info: { title: Keys "and" locks, version: 1.0.0 }
security: [{ header: [] }]
paths:${Object.entries(security)
  .map(
    ([name, required]) => `
  /${name}:
    post:
      operationId: ${name}
      ${required ? `security: ${required}` : ''}
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [a] } } }
      responses:
        '200': { description: Who calls., content: { application/json: { schema: {} } } }
        default: { description: A problem., content: { application/problem+json: { schema: {} } } }`,
  )
  .join('')}
components:
  securitySchemes:${declared}
`;

const key = (given: string) => (given === 'good' ? { key: given } : undefined);
const token = (given: string, { scopes }: { readonly scopes: readonly string[] }) => {
  if (given === 'down') throw new ApiError('unavailable');
  if (given === 'weak') throw new ApiError('forbidden');
  return given === 'good' ? { token: given, scopes } : undefined;
};

const security = {
  header: key,
  query: key,
  cookie: key,
  basic: async ({
    username,
    password,
  }: {
    readonly username: string;
    readonly password: string;
  }) => (password === 'pass:word' ? { name: username } : undefined),
  bearer: token,
  oauth: token,
  oidc: token,
  constructor: key,
  ['__proto__']: key,
} satisfies AnySecurity;

const handlers = (names: readonly string[]): AnyHandlers =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (_: unknown, { identity }: { readonly identity: unknown }) => ({
        status: 200,
        headers: { 'X-Client': currentClient() },
        body: identity,
      }),
    ]),
  );

type Asked = { readonly url: string; stop(): Promise<void> };
let server: Asked;
let api: Client;
beforeAll(async () => {
  const running = await serveContract(text(), handlers(Object.keys(paths)), { security });
  api = await createClient(running.url, running.contract);
  server = running;
});
afterAll(() => server.stop());

type Headers = Readonly<Record<string, string>>;
const ask = async (path: string, headers: Headers = {}, body: unknown = { a: 1 }) => {
  const reply = await api({ method: 'POST', path, json: body, headers });
  return [reply.status, reply.status === 200 ? reply.json : reply.headers['www-authenticate']];
};
const basic = (given: string) => ({
  authorization: `Basic ${Buffer.from(given).toString('base64')}`,
});
const bearer = (given: string) => ({ authorization: `Bearer ${given}` });
const realm = 'realm="Keys \\"and\\" locks"';

describe('a security scheme', () => {
  it.each([
    ['root', { 'x-key': 'good' }, { header: { key: 'good' } }],
    ['header', { 'x-key': 'good' }, { header: { key: 'good' } }],
    ['query?key=good', {}, { query: { key: 'good' } }],
    ['cookie', { cookie: 'a=b; session=good; c=d' }, { cookie: { key: 'good' } }],
    ['basic', basic('someone:pass:word'), { basic: { name: 'someone' } }],
    ['basic', basic('Zoë:pass:word'), { basic: { name: 'Zoë' } }],
    ['basic', basic(':pass:word'), { basic: { name: '' } }],
    ['bearer', bearer('good'), { bearer: { token: 'good', scopes: [] } }],
    ['bearer', { authorization: 'bEARER good' }, { bearer: { token: 'good', scopes: [] } }],
    ['oauth', bearer('good'), { oauth: { token: 'good', scopes: ['read', 'write'] } }],
    ['oidc', bearer('good'), { oidc: { token: 'good', scopes: [] } }],
    ['constructor', { constructor: 'good' }, { constructor: { key: 'good' } }],
    [
      'both',
      { 'x-key': 'good', ...basic('a:pass:word') },
      { header: { key: 'good' }, basic: { name: 'a' } },
    ],
    ['either', { 'x-key': 'good' }, { header: { key: 'good' } }],
    ['either', basic('a:pass:word'), { basic: { name: 'a' } }],
    ['either', { 'x-key': 'bad', ...basic('a:pass:word') }, { basic: { name: 'a' } }],
    ['none', {}, {}],
    ['none', bearer('bad'), {}],
    ['optional', {}, {}],
    ['optional', bearer('bad'), {}],
    ['optional', bearer('good'), { bearer: { token: 'good', scopes: [] } }],
  ])('admits POST /%s with %j', async (path, headers, identity) => {
    expect(await ask(`/${path}`, headers)).toEqual([200, identity]);
  });

  it('makes of callers at one address clients that take turns', async () => {
    const clientOf = async (path: string, headers: Headers) => {
      const reply = await api({ method: 'POST', path, json: { a: 1 }, headers });
      return reply.headers['x-client'];
    };
    const anonymous = await clientOf('/none', {});
    const someone = await clientOf('/basic', basic('someone:pass:word'));
    expect(await clientOf('/optional', bearer('bad'))).toBe(anonymous);
    expect(await clientOf('/basic', basic('someone:pass:word'))).toBe(someone);
    const others = await Promise.all([
      clientOf('/basic', basic('another:pass:word')),
      clientOf('/header', { 'x-key': 'good' }),
    ]);
    expect(new Set([anonymous, someone, ...others]).size).toBe(4);
  });

  const apiKey = (place: string, name: string) => `ApiKey ${realm}, in="${place}", name="${name}"`;
  const basicChallenge = `Basic ${realm}, charset="UTF-8"`;
  it.each([
    ['root', {}, apiKey('header', 'X-Key')],
    ['header', {}, apiKey('header', 'X-Key')],
    ['header', { 'x-key': '' }, apiKey('header', 'X-Key')],
    ['header', { 'x-key': 'bad' }, apiKey('header', 'X-Key')],
    ['header?X-Key=good', {}, apiKey('header', 'X-Key')],
    ['header', { cookie: 'X-Key=good' }, apiKey('header', 'X-Key')],
    ['query', { key: 'good' }, apiKey('query', 'key')],
    ['query?key=', {}, apiKey('query', 'key')],
    ['query?KEY=good', {}, apiKey('query', 'key')],
    ['cookie', { session: 'good' }, apiKey('cookie', 'session')],
    ['cookie', { cookie: 'asession=good; session' }, apiKey('cookie', 'session')],
    ['basic', {}, basicChallenge],
    ['basic', bearer('good'), basicChallenge],
    ['basic', basic('someone'), basicChallenge],
    ['basic', basic('someone:wrong'), basicChallenge],
    ['basic', { authorization: 'Basic' }, basicChallenge],
    ['basic', { authorization: 'Basic ????' }, basicChallenge],
    ['basic', { authorization: 'Basic YTpiY' }, basicChallenge],
    ['basic', { authorization: 'Basic YTpi YTpi' }, basicChallenge],
    [
      'basic',
      { authorization: `Basic ${Buffer.from([97, 58, 255]).toString('base64')}` },
      basicChallenge,
    ],
    ['basic', basic('a\u0000:pass:word'), basicChallenge],
    ['bearer', {}, `Bearer ${realm}`],
    ['bearer', basic('a:pass:word'), `Bearer ${realm}`],
    ['bearer', bearer('bad'), `Bearer ${realm}, error="invalid_token"`],
    ['bearer', bearer('good good'), `Bearer ${realm}, error="invalid_token"`],
    ['oauth', {}, `Bearer ${realm}, scope="read write"`],
    ['both', { 'x-key': 'good' }, `${apiKey('header', 'X-Key')}, ${basicChallenge}`],
    [
      'both',
      { 'x-key': 'good', ...basic('a:b') },
      `${apiKey('header', 'X-Key')}, ${basicChallenge}`,
    ],
    ['either', {}, `${apiKey('header', 'X-Key')}, ${basicChallenge}`],
    ['constructor', {}, apiKey('header', 'constructor')],
    ['proto', {}, apiKey('header', '__proto__')],
  ])('refuses POST /%s with %j: 401', async (path, headers: Headers, challenge) => {
    expect(await ask(`/${path}`, headers)).toEqual([401, challenge]);
  });

  it('is asked before the request is looked at', async () => {
    expect((await ask('/header', {}, { wrong: 1 }))[0]).toBe(401);
    expect((await ask('/header', { 'x-key': 'good' }, { wrong: 1 }))[0]).toBe(400);
    expect((await ask('/header?unknown=1'))[0]).toBe(401);
  });

  it('answers 403 with what is missing', async () => {
    const challenge = `Bearer ${realm}, scope="read write", error="insufficient_scope"`;
    expect(await ask('/oauth', bearer('weak'))).toEqual([403, challenge]);
    expect((await ask('/optional', bearer('weak')))[0]).toBe(200);
  });

  it('that cannot decide admits nobody', async () => {
    expect((await ask('/bearer', bearer('down')))[0]).toBe(503);
    expect((await ask('/optional', bearer('down')))[0]).toBe(503);
  });

  it.each([
    ['basic', 'Authorization: Basic YTpwYXNzOndvcmQ=', '/headers/authorization'],
    ['bearer', 'Authorization: Bearer good', '/headers/authorization'],
    ['header', 'X-Key: good', '/headers/x-key'],
    ['cookie', 'Cookie: session=good', '/cookies/session'],
  ])('of /%s refuses credentials that are given twice', async (path, line, place) => {
    const body =
      'Content-Type: application/json\r\nContent-Length: 7\r\nConnection: close\r\n\r\n{"a":1}';
    const send = (lines: string) =>
      sendRaw(server.url, `POST /${path} HTTP/1.1\r\nHost: x\r\n${lines}\r\n${body}`);
    expect(await send(line)).toMatch(/^HTTP\/1\.1 200 /);
    const twice = await send(`${line}\r\n${line}`);
    expect(twice).toMatch(/^HTTP\/1\.1 400 /);
    const errors = [{ path: place, message: 'is given more than once' }];
    expect(JSON.parse(twice.slice(twice.indexOf('{'))).errors).toEqual(errors);
  });

  it('refuses a key that is given twice in the query', async () => {
    const twice = { method: 'POST', path: '/query?key=good&key=good', json: { a: 1 } };
    const { status, json } = await api(twice);
    const errors = [{ path: '/query/key', message: 'is given more than once' }];
    expect([status, json.errors]).toEqual([400, errors]);
  });

  it.each(['header', 'bearer', 'cookie'])('of /%s refuses 100 KB: 431', async (path) => {
    const long = 'x'.repeat(100_000);
    const lines = [`X-Key: ${long}`, `Authorization: Bearer ${long}`, `Cookie: session=${long}`];
    const line = lines[['header', 'bearer', 'cookie'].indexOf(path)];
    const answer = await sendRaw(
      server.url,
      `POST /${path} HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('does not hide a method that is not there', async () => {
    const reply = await api({ method: 'DELETE', path: '/header' });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
  });
});

describe('at start', () => {
  const start = (given: AnySecurity, required = '[{ bearer: [] }]', declared = schemes) =>
    serveContract(text({ one: required }, declared), handlers(['one']), { security: given });
  const refusal = (given: AnySecurity, required?: string, declared?: string) =>
    start(given, required, declared).then(
      async (running) => `started ${await running.stop()}`,
      (error) => String(error.message),
    );

  it('each scheme that is required has a function', async () => {
    expect(await refusal({})).toMatch(
      /^openapi\.yaml:\d+:5: no function for the security scheme "bearer"$/,
    );
    expect(await refusal({}, '[{ __proto__: [] }]')).toContain('"__proto__"');
    expect(await refusal({}, '[{ constructor: [] }]')).toContain('"constructor"');
  });

  it('each function has a scheme', async () => {
    expect(await refusal({ bearer: token, beerer: token })).toBe(
      'no security scheme for the function beerer',
    );
  });

  it.each([
    ['{ type: mutualTLS }', 'mutualTLS'],
    ['{ type: http, scheme: digest }', 'http digest'],
  ])('%s is refused by name', async (scheme, type) => {
    const found = await refusal({ it: token }, '[{ it: [] }]', `\n    it: ${scheme}`);
    expect(found).toMatch(/^openapi\.yaml:\d+:5: /);
    expect(found).toContain(`"it" is of the type ${type}, which is not supported`);
  });

  it('a scheme that is not declared is refused where it is required', async () => {
    expect(await refusal({}, '[{ toString: [] }]')).toMatch(
      /^openapi\.yaml:\d+:17: found the security scheme "toString", which is not declared/,
    );
  });

  it('the policy may take on only what is optional', async () => {
    expect(await refusal({ bearer: byPolicy })).toContain('expected {} in "security"');
    await (await start({ bearer: byPolicy }, '[{}, { bearer: [] }]')).stop();
  });

  it('the kit verifies tokens only with settings', async () => {
    expect(await refusal({ bearer: jwtBearer })).toContain('AUTH_JWKS_URL or AUTH_SECRET');
  });
});

it('credentials are asked for in the fast lane too', async () => {
  const running = await serveContract(text(), handlers(Object.keys(paths)), {
    security,
    fastLane: true,
  });
  const client = await createClient(running.url, running.contract);
  const status = async (headers: Headers) =>
    (await client({ method: 'POST', path: '/header', json: { a: 1 }, headers })).status;
  expect([await status({}), await status({ 'x-key': 'good' })]).toEqual([401, 200]);
  await running.stop();
});

it('a function that gives false or null admits nobody', async () => {
  const given = { header: () => false, query: () => null };
  const running = await serveContract(
    text({ one: '[{ header: [] }, { query: [] }]' }),
    handlers(['one']),
    { security: given },
  );
  const client = await createClient(running.url, running.contract);
  const headers = { 'x-key': 'good' };
  const reply = await client({ method: 'POST', path: '/one?key=good', json: { a: 1 }, headers });
  expect(reply.status).toBe(401);
  await running.stop();
});

it('jwtBearer verifies tokens and their scopes by the settings', async () => {
  const secret = 'a secret that only the two of us know';
  const sign = (claims: Record<string, unknown>, by = secret) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(by));
  const running = await serveContract(text({ one: '[{ oauth: [read] }]' }), handlers(['one']), {
    security: { oauth: jwtBearer },
    env: { AUTH_SECRET: secret },
  });
  const client = await createClient(running.url, running.contract);
  const status = async (given: string) => {
    const headers = bearer(given);
    const reply = await client({ method: 'POST', path: '/one', json: { a: 1 }, headers });
    return reply.status === 200 ? reply.json.oauth.subject : reply.status;
  };
  expect(await status(await sign({ sub: 'me', scope: 'write read' }))).toBe('me');
  expect(await status(await sign({ sub: 'me', scp: ['read'] }))).toBe('me');
  expect(await status(await sign({ sub: 'me', scope: 'reading' }))).toBe(403);
  expect(await status(await sign({ sub: 'me' }))).toBe(403);
  expect(await status(await sign({ sub: 'me', scope: 'read' }, `another ${secret}`))).toBe(401);
  await running.stop();
});

it('credentials are asked for before GraphQL as well', async () => {
  const given = { path: '/graphql', method: 'POST', json: { query: '{ word }', a: 1 } };
  const running = await serveContract(
    text({ graphql: '[{ header: [] }]' }),
    {},
    { security, graphql: 'type Query { word: String }', resolvers: { Query: { word: () => 'x' } } },
  );
  const client = await createClient(running.url, running.contract);
  expect((await client(given)).status).toBe(401);
  const admitted = await client({ ...given, headers: { 'x-key': 'good' } });
  expect(admitted.json).toEqual({ data: { word: 'x' } });
  await running.stop();
});
