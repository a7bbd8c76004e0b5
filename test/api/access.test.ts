// engines: sqlite, postgres
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { type TestServer, useServer } from '../support/api-server.ts';
import { collections, samples } from '../support/collections.ts';

const secret = 'a secret that only the two of us know';
const key = new TextEncoder().encode(secret);
const keys = await generateKeyPair('RS256');
const strangers = await generateKeyPair('RS256');
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' };

let fetched = 0;
const publisher = createServer((_, response) => {
  fetched++;
  response.end(JSON.stringify({ keys: [jwk] }));
});
publisher.listen(0, '127.0.0.1');
await once(publisher, 'listening');
afterAll(() => publisher.close());
const { port } = publisher.address() as AddressInfo;

const issuer = 'https://issuer.example/';
const audience = 'accord';
const proper = { sub: 'someone', iss: issuer, aud: audience };

const seconds = (from: number) => Math.floor(Date.now() / 1000) + from;
type Header = { alg: string; kid?: string };
const sign = (
  header: Header,
  by: Parameters<SignJWT['sign']>[0],
  claims: Record<string, unknown> = {},
) => new SignJWT({ ...proper, exp: seconds(3600), ...claims }).setProtectedHeader(header).sign(by);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const expected = { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience };
const secretServer = useServer({ AUTH_SECRET: secret, ...expected }, collections);
const jwksServer = useServer(
  { AUTH_JWKS_URL: `http://127.0.0.1:${port}/keys`, ...expected },
  collections,
);
const hs256 = { alg: 'HS256' };
const rs256 = { alg: 'RS256', kid: 'one' };

/** Tokens that are well signed, and still not for this server or not for now. */
async function misused(header: Header, by: Parameters<SignJWT['sign']>[0]) {
  const claims: [string, Record<string, unknown>][] = [
    ['that has expired', { exp: seconds(-60) }],
    ['that never expires', { exp: undefined }],
    ['that expires at a time that is none', { exp: 'tomorrow' }],
    ['that is not valid yet', { nbf: seconds(60) }],
    ['of another issuer', { iss: 'https://other.example/' }],
    ['without an issuer', { iss: undefined }],
    ['for another application', { aud: 'other' }],
    ['for other applications', { aud: ['other', 'another'] }],
    ['for nobody', { aud: undefined }],
  ];
  const tokens = claims.map(
    async ([what, claim]): Promise<[string, string]> => [
      `a token ${what}`,
      await sign(header, by, claim),
    ],
  );
  return Promise.all(tokens);
}

/** A token whose header names an extension that must be understood. */
const critical = [
  Buffer.from('{"alg":"HS256","crit":["x"],"x":1}').toString('base64url'),
  Buffer.from(JSON.stringify({ ...proper, exp: seconds(3600) })).toString('base64url'),
].join('.');
const signature = createHmac('sha256', key).update(critical).digest('base64url');

const settings: [string, TestServer, string, [string, string][]][] = [
  [
    'a shared secret',
    secretServer,
    await sign(hs256, key),
    [
      ...(await misused(hs256, key)),
      ['a token by another secret', await sign(hs256, new Uint8Array(32))],
      ['a token with an extension that must be understood', `${critical}.${signature}`],
      ['a token without a signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.'],
      ['a token by a key of another kind', await sign(rs256, keys.privateKey)],
      ['a token that is none', 'x'],
    ],
  ],
  [
    'published keys',
    jwksServer,
    await sign(rs256, keys.privateKey),
    [
      ...(await misused(rs256, keys.privateKey)),
      ['a token by a stranger', await sign(rs256, strangers.privateKey)],
      ['a token by an unknown key', await sign({ alg: 'RS256', kid: 'two' }, keys.privateKey)],
      ['a token by a shared secret', await sign(hs256, key)],
      ['a token that is none', 'a.b.c'],
    ],
  ],
];

describe.each(settings)('with %s', (_, server, token, refused) => {
  const { api, graphql } = server;

  it('one token at a time is taken, whatever is beside it', async () => {
    const json = JSON.stringify(samples.books.input);
    const query = JSON.stringify({ query: 'mutation { addTodo(title: "x") { id } }' });
    const status = async (path: string, body: string, ...authorization: string[]) => {
      const given = authorization.flatMap((each) => ['Authorization', each]);
      const length = ['Content-Length', String(body.length)];
      const headers = ['Host', 'x', 'Content-Type', 'application/json', ...length, ...given];
      const sent = request(server.url + path, { method: 'POST', headers, agent: false }).end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return [answer.statusCode, await text(answer)];
    };
    const good = `Bearer ${token}`;
    expect(await status('/books', json, good)).toEqual([201, expect.anything()]);
    for (const other of ['Basic x', good, '']) {
      expect(await status('/books', json, good, other)).toEqual([401, expect.anything()]);
      const [, answer] = await status('/graphql', query, good, other);
      expect(answer).toContain('UNAUTHENTICATED');
    }
  });

  it.each(collections)('reads of /%s stay open, writes need a token', async (name) => {
    const path = `/${name}`;
    const { input: json } = samples[name];
    const before = await api({ path });
    // Some are there for others to refer to.
    const one = `${path}/${before.json.length + 1}`;
    const writes = [
      { method: 'POST', path, json },
      { method: 'PUT', path: one, json },
      { method: 'DELETE', path: one },
    ];
    for (const write of writes) {
      const { status, headers, json: problem } = await api(write);
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(problem.type).toBe('urn:accord:problem:unauthenticated');
    }
    expect((await api({ path })).text).toBe(before.text);
    const statuses = [];
    for (const write of writes) {
      statuses.push((await api({ ...write, headers: bearer(token) })).status);
    }
    expect(statuses).toEqual([201, 200, 204]);
    expect((await api({ path: one })).status).toBe(404);
  });

  it.each(refused)('%s is refused by both protocols', async (_, bad) => {
    const headers = bearer(bad);
    const rest = await api({ method: 'POST', path: '/books', json: samples.books.input, headers });
    expect(rest.status).toBe(401);
    expect(rest.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    const { json } = await graphql('mutation { addTodo(title: "x") { id } }', {}, headers);
    expect(json.errors[0].extensions).toEqual({ code: 'UNAUTHENTICATED' });
  });

  it.each([
    'createUser(name: "x", email: "x@example.com") { id }',
    'createPost(userId: 1, title: "x", body: "") { id }',
    'addComment(postId: 1, body: "x") { body }',
    'addTodo(title: "x") { id }',
    'setTodoDone(id: 1, done: true) { id }',
  ])('the mutation %s needs a token', async (field) => {
    const { json } = await graphql(`mutation { ${field} }`);
    expect(json.errors[0].extensions).toEqual({ code: 'UNAUTHENTICATED' });
    expect((await graphql('{ users { id } todos { id } }')).json.data.todos).toEqual([]);
  });

  it("a user's e-mail address needs a token, the rest of the user does not", async () => {
    const headers = bearer(token);
    await graphql(
      'mutation { createUser(name: "Ada", email: "ada@example.com") { id } }',
      {},
      headers,
    );
    const open = await graphql('{ users { name posts { id } } }');
    expect(open.json).toEqual({ data: { users: [{ name: 'Ada', posts: [] }] } });
    const closed = await graphql('{ user(id: 1) { name email } }');
    expect(closed.json.data).toEqual({ user: null });
    expect(closed.json.errors[0].extensions).toEqual({ code: 'UNAUTHENTICATED' });
    const known = await graphql('{ user(id: 1) { email } }', {}, headers);
    expect(known.json).toEqual({ data: { user: { email: 'ada@example.com' } } });
  });

  it('a header of another scheme is no token', async () => {
    const headers = { authorization: 'Basic eDp5' };
    const { status } = await api({ method: 'DELETE', path: '/books/1', headers });
    expect(status).toBe(401);
  });
});

describe('a token', () => {
  const write = (on: TestServer, token: string, more: Record<string, string> = {}) =>
    on.api({
      method: 'POST',
      path: '/books',
      json: samples.books.input,
      headers: { ...bearer(token), ...more },
    });

  it('for several applications, this one among them, is taken', async () => {
    const token = await sign(rs256, keys.privateKey, { aud: ['other', audience] });
    expect((await write(jwksServer, token)).status).toBe(201);
  });

  it('is taken though the clock of its issuer is two seconds off', async () => {
    const expired = await sign(hs256, key, { exp: seconds(-2) });
    const early = await sign(hs256, key, { nbf: seconds(2) });
    expect((await write(secretServer, expired)).status).toBe(201);
    expect((await write(secretServer, early)).status).toBe(201);
  });

  it('by any of a hundred unknown keys makes the server fetch the keys once a second at most', async () => {
    await write(jwksServer, await sign(rs256, keys.privateKey));
    const before = fetched;
    const unknown = (i: number) => sign({ alg: 'RS256', kid: `unknown ${i}` }, keys.privateKey);
    const tokens = await Promise.all(Array.from({ length: 100 }, (_, i) => unknown(i)));
    const start = performance.now();
    const answers = await Promise.all(tokens.map((token) => write(jwksServer, token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(fetched - before).toBeLessThanOrEqual(1 + (performance.now() - start) / 1000);
  });

  it('of 100 KB is refused before it is read', async () => {
    const headers = bearer(await sign(hs256, key, { more: 'x'.repeat(100_000) }));
    const { status } = await fetch(`${secretServer.url}/books`, { method: 'POST', headers });
    expect(status).toBe(431);
  });

  it.each([undefined, '', 7])(
    'whose "sub" is %j writes, but has no Idempotency-Key',
    async (sub) => {
      const token = await sign(hs256, key, { sub });
      const stranger = await sign(hs256, key, { sub, jti: 'another' });
      const headers = { 'idempotency-key': `of nobody ${sub}`.replaceAll(' ', '-') };
      for (const each of [token, stranger]) {
        const { status, json } = await write(secretServer, each, headers);
        expect([status, json.errors?.[0].path]).toEqual([400, '/headers/idempotency-key']);
        expect((await write(secretServer, each)).status).toBe(201);
      }
    },
  );
});

describe('when the keys are out of reach', () => {
  const server = useServer({ AUTH_JWKS_URL: 'http://127.0.0.1:1/keys', ...expected });

  it('a write is 503: the token may well be good', async () => {
    const headers = bearer(await sign(rs256, keys.privateKey));
    const json = samples.books.input;
    const { status } = await server.api({ method: 'POST', path: '/books', json, headers });
    expect(status).toBe(503);
    expect((await server.api({ path: '/books', headers })).text).toBe('[]');
  });
});
