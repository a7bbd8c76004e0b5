// slow: measures memory
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/api-server.ts';

// docs/security.md lists what is kept for what clients send, with its bound; these have no other test.
const server = useServer({ RESPONSE_SAMPLE: '1' });

describe('nothing is kept', () => {
  it('for each method that clients make up: one that HTTP does not know is no request', async () => {
    const { port } = new URL(server.url);
    for (let i = 0; i < 50; i++) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`MADEUP${i} /books HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
      socket.destroy();
    }
  });

  it('in the metrics for each path, id and name that clients make up', async () => {
    const series = async () => {
      const { text } = await server.api({ path: '/metrics' });
      return text.split('\n').map((line) => line.replace(/ [^ ]*$/, ''));
    };
    const ask = async (i: number) => {
      await server.api({ path: `/books${i}` });
      await server.api({ path: `/books/x${i}` });
      await server.api({ path: '/books', headers: { 'x-request-id': `id-${i}` } });
      await server.graphql(`query Q${i} { a${i}: __typename }`);
      await server.graphql(`{ nothing${i} }`);
    };
    await ask(0);
    await series();
    const before = await series();
    for (let i = 1; i < 50; i++) await ask(i);
    expect(await series()).toEqual(before);
  });
});

describe('tokens by ever new keys', async () => {
  const keys = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'known', alg: 'RS256' };
  let fetched = 0;
  const publisher = createServer((_, response) => {
    fetched++;
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  publisher.listen(0, '127.0.0.1');
  await once(publisher, 'listening');
  afterAll(() => publisher.close());
  const { port } = publisher.address() as AddressInfo;
  const guarded = useServer({
    AUTH_JWKS_URL: `http://127.0.0.1:${port}/keys`,
    AUTH_ISSUER: 'https://issuer.example',
    AUTH_AUDIENCE: 'accord',
  });

  it('do not make the server fetch the keys for each', async () => {
    const start = performance.now();
    for (let i = 0; i < 30; i++) {
      const token = await new SignJWT({ sub: 'someone' })
        .setProtectedHeader({ alg: 'RS256', kid: `new-${i}` })
        .setIssuer('https://issuer.example')
        .setAudience('accord')
        .setExpirationTime('1h')
        .sign(keys.privateKey);
      const headers = { authorization: `Bearer ${token}` };
      const json = { title: 'x', pages: 1 };
      const answer = await guarded.api({ method: 'POST', path: '/books', json, headers });
      expect(answer.status).toBe(401);
    }
    // Fetched first of all.
    expect(fetched).toBeLessThanOrEqual(1 + (performance.now() - start) / 1000);
  });
});
