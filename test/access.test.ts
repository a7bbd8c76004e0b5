import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { collections, samples } from './support/collections.ts';
import { type TestServer, useServer } from './support/server.ts';

const secret = 'a secret that only the two of us know';
const key = new TextEncoder().encode(secret);
const keys = await generateKeyPair('RS256');
const strangers = await generateKeyPair('RS256');
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' };

const publisher = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })));
publisher.listen(0, '127.0.0.1');
await once(publisher, 'listening');
afterAll(() => publisher.close());
const { port } = publisher.address() as AddressInfo;

type Header = { alg: string; kid?: string };
const sign = (header: Header, by: Parameters<SignJWT['sign']>[0], expires = '1h') =>
  new SignJWT({ sub: 'someone' }).setProtectedHeader(header).setExpirationTime(expires).sign(by);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const secretServer = useServer({ AUTH_SECRET: secret });
const jwksServer = useServer({ AUTH_JWKS_URL: `http://127.0.0.1:${port}/keys` });
const rs256 = { alg: 'RS256', kid: 'one' };

const settings: [string, TestServer, string, [string, string][]][] = [
  [
    'a shared secret',
    secretServer,
    await sign({ alg: 'HS256' }, key),
    [
      ['a token by another secret', await sign({ alg: 'HS256' }, new Uint8Array(32))],
      ['a token that has expired', await sign({ alg: 'HS256' }, key, '-1s')],
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
      ['a token by a stranger', await sign(rs256, strangers.privateKey)],
      ['a token that has expired', await sign(rs256, keys.privateKey, '-1s')],
      ['a token by an unknown key', await sign({ alg: 'RS256', kid: 'two' }, keys.privateKey)],
      ['a token by a shared secret', await sign({ alg: 'HS256' }, key)],
      ['a token that is none', 'a.b.c'],
    ],
  ],
];

describe.each(settings)('with %s', (_, { api, graphql }, token, refused) => {
  it.each(collections)('reads of /%s stay open, writes need a token', async (name) => {
    const path = `/${name}`;
    const { input: json } = samples[name];
    const writes = [
      { method: 'POST', path, json },
      { method: 'PUT', path: `${path}/1`, json },
      { method: 'DELETE', path: `${path}/1` },
    ];
    for (const write of writes) {
      const { status, headers, json: problem } = await api(write);
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(problem.type).toBe('urn:accord:problem:unauthenticated');
    }
    expect((await api({ path })).text).toBe('[]');
    const statuses = [];
    for (const write of writes) {
      statuses.push((await api({ ...write, headers: bearer(token) })).status);
    }
    expect(statuses).toEqual([201, 200, 204]);
    expect((await api({ path: `${path}/1` })).status).toBe(404);
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

describe('when the keys are out of reach', () => {
  const server = useServer({ AUTH_JWKS_URL: 'http://127.0.0.1:1/keys' });

  it('a write is 503: the token may well be good', async () => {
    const headers = bearer(await sign(rs256, keys.privateKey));
    const json = samples.books.input;
    const { status } = await server.api({ method: 'POST', path: '/books', json, headers });
    expect(status).toBe(503);
    expect((await server.api({ path: '/books', headers })).text).toBe('[]');
  });
});
