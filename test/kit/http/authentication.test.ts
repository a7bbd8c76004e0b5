// slow: waits until the publisher of the keys has taken too long
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccess, createVerifyJwt } from '../../../src/kit/http/authentication.ts';
import { currentClient, withinContext } from '../../../src/kit/request-context.ts';

const secret = 'a secret that only the two of us know';
const shared = new TextEncoder().encode(secret);
const keys = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'P-521': generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  ed25519: generateKeyPairSync('ed25519'),
};

const published = Object.entries(keys).map(([kid, { publicKey }]) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
}));
const own = { ...keys.rsa.privateKey.export({ format: 'jwk' }), kid: 'rsa' };
const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
type Pair = ReturnType<typeof pair>;
const pairs: [Pair, Pair, ...Pair[]] = [pair(), pair(), ...Array.from({ length: 7 }, pair)];
let current: readonly object[] = [];
let fetched = 0;
let isAway = false;
const publisher = createServer(({ url }, response) => {
  if (url === '/current') {
    fetched += 1;
    response.end(JSON.stringify({ keys: current }));
  } else if (url === '/keys') response.end(JSON.stringify({ keys: published }));
  else if (url === '/none') response.end('{}');
  else if (url === '/failing') response.writeHead(500).end();
  else if (url === '/odd') response.end(JSON.stringify({ keys: [null, 7, 'x', [], ...published] }));
  else if (url === '/marked') response.end(`\uFEFF${JSON.stringify({ keys: published })}`);
  else if (url === '/private') response.end(JSON.stringify({ keys: [own] }));
  else if (url === '/large') response.end(JSON.stringify({ keys: published }).padEnd(1_048_576));
  else if (url === '/too-large')
    response.end(JSON.stringify({ keys: published }).padEnd(1_048_577));
  else if (url === '/away') {
    fetched += 1;
    response.writeHead(isAway ? 500 : 200).end(JSON.stringify({ keys: published }));
  }
});
publisher.listen(0, '127.0.0.1');
await once(publisher, 'listening');
afterAll(() => {
  publisher.close();
  publisher.closeAllConnections();
});
const { port } = publisher.address() as AddressInfo;
const at = (path: string) => ({ jwksUrl: `http://127.0.0.1:${port}${path}` });

const now = Date.UTC(2030, 0, 1) / 1000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const sign = (
  claims: Record<string, unknown>,
  key: KeyObject | Uint8Array = shared,
  header: { alg: string; kid?: string } = { alg: 'HS256' },
) => new SignJWT({ exp: now + 60, ...claims }).setProtectedHeader(header).sign(key);
const verify = createVerifyJwt({ secret });

// Asked for at once: the library gives up after five seconds.
const late = createVerifyJwt(at('/silent'))(
  await new SignJWT({ exp: now })
    .setProtectedHeader({ alg: 'RS256', kid: 'rsa' })
    .sign(keys.rsa.privateKey),
).then(
  () => 'verified',
  (error) => error.code,
);

describe('a token', () => {
  it.each(['HS256', 'HS384', 'HS512'])('may be signed with a secret by %s', async (alg) => {
    // As long as the longest hash.
    const long = 'x'.repeat(64);
    const token = await sign({ sub: 'me' }, new TextEncoder().encode(long), { alg });
    expect(await createVerifyJwt({ secret: long })(token)).toMatchObject({ subject: 'me' });
    expect(await createVerifyJwt(at('/keys'))(token)).toBeUndefined();
  });

  const byKeys = createVerifyJwt(at('/keys'));
  it.each([
    ['RS256', 'rsa'],
    ['RS384', 'rsa'],
    ['RS512', 'rsa'],
    ['PS256', 'rsa'],
    ['PS384', 'rsa'],
    ['PS512', 'rsa'],
    ['ES256', 'P-256'],
    ['ES384', 'P-384'],
    ['ES512', 'P-521'],
    ['EdDSA', 'ed25519'],
    ['Ed25519', 'ed25519'],
  ] as const)('may be signed with a published key by %s', async (alg, kid) => {
    const token = await sign({ sub: 'me' }, keys[kid].privateKey, { alg, kid });
    expect(await byKeys(token)).toMatchObject({ subject: 'me' });
    expect(await verify(token)).toBeUndefined();
  });

  it.each([
    [{ exp: now - 4 }, true],
    [{ exp: now - 5 }, false],
    [{ exp: undefined }, false],
    [{ exp: now + 0.5 }, true],
    [{ exp: now - 5.5 }, false],
    [{ exp: 253_402_300_799 }, true],
    [{ exp: 253_402_300_799.5 }, false],
    [{ exp: 253_402_300_800 }, false],
    [{ exp: 1e300 }, false],
    [{ nbf: now + 5 }, true],
    [{ nbf: now + 6 }, false],
    [{ iss: 'anybody', aud: 'anything' }, true],
  ])('with %j is good: %s', async (claims, isGood) => {
    expect((await verify(await sign(claims))) !== undefined).toBe(isGood);
  });

  it.each<[Record<string, string>, Record<string, unknown>, boolean]>([
    [{ issuer: 'i' }, { iss: 'i' }, true],
    [{ issuer: 'i' }, { iss: 'j' }, false],
    [{ issuer: 'i' }, {}, false],
    [{ audience: 'a' }, { aud: 'a' }, true],
    [{ audience: 'a' }, { aud: ['b', 'a'] }, true],
    [{ audience: 'a' }, { aud: 'b' }, false],
    [{ audience: 'a' }, {}, false],
  ])('is held to %j: %j is %s', async (expected, claims, isGood) => {
    const given = await createVerifyJwt({ secret, ...expected })(await sign(claims));
    expect(given !== undefined).toBe(isGood);
  });

  it.each([
    [{ sub: 'me' }, 'me', []],
    [{ sub: '' }, undefined, []],
    [{ sub: 7 }, undefined, []],
    [{}, undefined, []],
    [{ scope: 'read write' }, undefined, ['read', 'write']],
    [{ scope: ' read  write ' }, undefined, ['read', 'write']],
    [{ scope: '' }, undefined, []],
    [{ scp: ['read', 'write'] }, undefined, ['read', 'write']],
    [{ scp: ['read', '', 7, null] }, undefined, ['read']],
    [{ scp: 'read' }, undefined, ['read']],
    [{ scope: 'read', scp: ['write'] }, undefined, ['read']],
    [{ scope: 7 }, undefined, []],
    [{ scope: { read: true } }, undefined, []],
  ])('with %j is of %s with the scopes %j', async (claims, subject, scopes) => {
    const exp = now + 60;
    const expected = { subject, scopes, claims: { exp, ...claims } };
    expect(await verify(await sign(claims))).toEqual(expected);
  });

  it.each(['/odd', '/marked', '/large'])('is good by a key among those of %s', async (path) => {
    const token = await sign({}, keys.rsa.privateKey, { alg: 'RS256', kid: 'rsa' });
    expect(await createVerifyJwt(at(path))(token)).toBeDefined();
  });

  it.each([
    ['/failing', 'the key server has answered with 500'],
    ['/none', 'the key server has sent no key set'],
    ['/too-large', 'the key server has sent more than 1048576 bytes'],
    ['/private', 'JSON Web Key Set members must be public keys'],
    ['/closed', 'fetch failed'],
  ])('is not judged where the keys are out of reach: %s: %s', async (path, message) => {
    const token = await sign({}, keys.rsa.privateKey, { alg: 'RS256', kid: 'rsa' });
    const from = path === '/closed' ? { jwksUrl: 'http://127.0.0.1:1/' } : at(path);
    const refused = createVerifyJwt(from)(token);
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', cause: { message } });
  });

  it('is not judged where the keys do not come', async () => {
    expect(await late).toBe('unavailable');
  });
});

type Name = keyof typeof keys;
const publish = (...names: Name[]) => {
  current = published.filter(({ kid }) => names.some((name) => name === kid));
};

describe('a key that was published just now', () => {
  const by = async (isGood: typeof verify, kid: Name, alg: string) =>
    (await isGood(await sign({ sub: kid }, keys[kid].privateKey, { alg, kid })))?.subject;

  it('is found a second after the last fetch', async () => {
    const isGood = createVerifyJwt(at('/current'));
    fetched = 0;
    publish('P-256');
    expect([await by(isGood, 'P-256', 'ES256'), fetched]).toEqual(['P-256', 1]);
    publish('P-384');
    vi.setSystemTime(now * 1000 + 999);
    expect([await by(isGood, 'P-384', 'ES384'), fetched]).toEqual([undefined, 1]);
    expect([await by(isGood, 'P-256', 'ES256'), fetched]).toEqual(['P-256', 1]);
    vi.setSystemTime(now * 1000 + 1000);
    expect([await by(isGood, 'P-384', 'ES384'), fetched]).toEqual(['P-384', 2]);
    // It is published no longer.
    expect([await by(isGood, 'P-256', 'ES256'), fetched]).toEqual([undefined, 2]);
  });

  it.each([{}, { kid: 'same' }])('is found where tokens name it by %j', async (named) => {
    const isGood = createVerifyJwt(at('/current'));
    const [first, second] = pairs;
    const token = await sign({ sub: 'me' }, second.privateKey, { alg: 'ES256', ...named });
    fetched = 0;
    current = [{ ...first.publicKey.export({ format: 'jwk' }), ...named }];
    expect([await isGood(token), fetched]).toEqual([undefined, 1]);
    current = [...current, { ...second.publicKey.export({ format: 'jwk' }), ...named }];
    vi.setSystemTime(now * 1000 + 999);
    expect([await isGood(token), fetched]).toEqual([undefined, 1]);
    vi.setSystemTime(now * 1000 + 1000);
    expect(await isGood(token)).toMatchObject({ subject: 'me' });
    expect(fetched).toBe(2);
  });

  it('costs one fetch a second, however many tokens are signed with others', async () => {
    const isGood = createVerifyJwt(at('/current'));
    const strange = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const bad = await Promise.all(
      ['P-256', 'unknown', 'other'].map((kid) => sign({}, strange, { alg: 'ES256', kid })),
    );
    fetched = 0;
    publish('P-256');
    for (let second = 0; second < 5; second++) {
      vi.setSystemTime((now + second) * 1000);
      const flood = Array.from({ length: 100 }, () => bad).flat();
      expect(new Set(await Promise.all(flood.map(isGood)))).toEqual(new Set([undefined]));
      expect([await by(isGood, 'P-256', 'ES256'), fetched]).toEqual(['P-256', second + 1]);
    }
  });

  it('is not looked for where a token is refused for what it says', async () => {
    const isGood = createVerifyJwt(at('/current'));
    const token = (exp: number) =>
      sign({ exp }, keys['P-256'].privateKey, { alg: 'ES256', kid: 'P-256' });
    fetched = 0;
    publish('P-256');
    expect(await isGood(await token(now + 60))).toBeDefined();
    vi.setSystemTime((now + 1) * 1000);
    expect([await isGood(await token(now - 5)), fetched]).toEqual([undefined, 1]);
  });

  it('is not judged where the publisher has failed since', async () => {
    let clock = 5000;
    const running = vi.spyOn(performance, 'now').mockImplementation(() => clock);
    const isGood = createVerifyJwt(at('/away'));
    const strange = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const token = await sign({}, strange, { alg: 'ES256', kid: 'P-256' });
    expect(await isGood(token)).toBeUndefined();
    isAway = true;
    vi.setSystemTime((now + 1) * 1000);
    await expect(isGood(token)).rejects.toMatchObject({ code: 'unavailable' });
    isAway = false;
    clock += 1000;
    expect(await isGood(token)).toBeUndefined();
    running.mockRestore();
  });
});

describe('keys that a token does not tell apart', () => {
  it.each([{}, { kid: 'same' }])('are tried up to the eighth: all of %j', async (named) => {
    current = pairs.map(({ publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), ...named }));
    const isGood = createVerifyJwt(at('/current'));
    const header = { alg: 'ES256', ...named };
    const good = await Promise.all(
      pairs.map(async ({ privateKey }) => isGood(await sign({}, privateKey, header))),
    );
    expect(good.map((each) => each !== undefined)).toEqual([...Array(8).fill(true), false]);
  });

  it('are told apart by what they are for, and by whether they can be used at all', async () => {
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    current = [
      ...pairs.map(({ publicKey }) => publicKey.export({ format: 'jwk' })),
      small.export({ format: 'jwk' }),
      { kty: 'RSA', n: '!', e: 'AQAB' },
      { ...keys.rsa.publicKey.export({ format: 'jwk' }), use: 'enc' },
      keys.rsa.publicKey.export({ format: 'jwk' }),
    ];
    const isGood = createVerifyJwt(at('/current'));
    const by = (claims: object) => sign({ ...claims }, keys.rsa.privateKey, { alg: 'RS256' });
    fetched = 0;
    expect(await isGood(await by({ sub: 'me' }))).toMatchObject({ subject: 'me' });
    vi.setSystemTime((now + 1) * 1000);
    expect(await isGood(await by({ exp: now - 5 }))).toBeUndefined();
    // One of them has signed it.
    expect(fetched).toBe(1);
  });
});

it('a publisher that fails is asked once a second, and keys that are known are good meanwhile', async () => {
  let clock = 5000;
  const running = vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const verify = createVerifyJwt(at('/away'));
  const by = async (kid: string) =>
    verify(await sign({}, keys.rsa.privateKey, { alg: 'RS256', kid })).then(
      (jwt) => jwt !== undefined,
      (error) => error.code,
    );
  fetched = 0;
  expect([await by('rsa'), fetched]).toEqual([true, 1]);
  isAway = true;
  vi.setSystemTime((now + 31) * 1000);
  expect([await by('unknown'), fetched]).toEqual(['unavailable', 2]);
  clock += 999;
  const all = ['unknown', 'other', 'unknown', 'rsa'].map(by);
  const refused = Array(3).fill('unavailable');
  expect([await Promise.all(all), fetched]).toEqual([[...refused, true], 2]);
  clock += 1;
  expect([await by('unknown'), fetched]).toEqual(['unavailable', 3]);
  isAway = false;
  clock += 1000;
  expect([await by('unknown'), fetched]).toEqual([false, 4]);
  running.mockRestore();
});

describe('a token in another spelling is not good', () => {
  const spelled: [string, (token: string) => string][] = [
    ['padded', (token) => `${token}=`],
    ['padded in its header', (token) => token.replace('.', '=.')],
    ['padded in its claims', (token) => token.replace(/\.(?=[^.]*$)/, '=.')],
    ['with a tab', (token) => `${token.slice(0, -4)}\t${token.slice(-4)}`],
    ['with a part more', (token) => `${token}.`],
    // 32 bytes leave two bits of the last character without a meaning.
    ['with its last bits set', (token) => token.slice(0, -1) + following(token.slice(-1))],
  ];
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const following = (character: string) => alphabet.charAt(alphabet.indexOf(character) + 1);

  it.each(spelled)('%s', async (_, spelling) => {
    const token = await sign({ sub: 'me' });
    expect(await verify(token)).toBeDefined();
    expect(await verify(spelling(token))).toBeUndefined();
    const access = createAccess<string>({ secret }, (_, authenticate) => authenticate());
    const authorization = [`Bearer ${spelling(token)}`];
    await expect(access({ headersDistinct: { authorization } })('read')).rejects.toMatchObject({
      code: 'unauthenticated',
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    });
  });
});

describe('a caller', () => {
  const access = createAccess<string>({ secret }, (_, authenticate) => authenticate());
  const sent = (...authorization: string[]) => ({ headersDistinct: { authorization } });
  const callerOf = async (claims: Record<string, unknown>) =>
    access(sent(`Bearer ${await sign(claims)}`))('read');

  it('is known by issuer and subject', async () => {
    const claims = [{ sub: 'a' }, { sub: 'b' }, { sub: 'a', iss: 'x' }, { sub: 'a', iss: 'y' }];
    const callers = await Promise.all(claims.map(callerOf));
    expect(new Set(callers).size).toBe(4);
    expect(await callerOf({ sub: 'a', iss: 'x', jti: 'another' })).toBe(callers[2]);
    expect(await Promise.all([{}, { sub: '' }, { sub: 7 }].map(callerOf))).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it('is known by a token after any number of spaces', async () => {
    const token = await sign({ sub: 'a' });
    const once = await access(sent(`Bearer ${token}`))('read');
    expect(once).toBeDefined();
    expect(await access(sent(`Bearer   ${token}`))('read')).toBe(once);
  });

  it('becomes the client that its request is counted for', async () => {
    const authorize = access(sent(`bearer ${await sign({ sub: 'a' })}`));
    const told = new Promise<unknown[]>((resolve) => {
      withinContext({ client: '192.0.2.1', reading: undefined }, async () => {
        resolve([currentClient(), await authorize('read'), currentClient()]);
      });
    });
    const [before, caller, after] = await told;
    expect(before).toBe('192.0.2.1');
    expect(after).toBe(caller);
  });

  it('is nobody where tokens are not verified, whatever is sent', async () => {
    const asked: string[] = [];
    const open = createAccess<string>(undefined, (action, authenticate) => {
      asked.push(action);
      return authenticate();
    });
    expect(await open({ headersDistinct: {} })('read')).toBe('');
    expect(await open(sent('Bearer x'))('write')).toBe('');
    expect(asked).toEqual(['read', 'write']);
  });

  it('is asked for a token, or told that it is not good', async () => {
    const challenge = async (...given: string[]) => {
      const refusal = await access(sent(...given))('read').catch((error) => error);
      return [refusal.code, refusal.headers['WWW-Authenticate']];
    };
    const good = `Bearer ${await sign({ sub: 'a' })}`;
    const none = [
      [],
      [''],
      ['Basic x'],
      ['Bearer'],
      ['Bearer a b'],
      [good, good],
      [good, 'Basic x'],
    ];
    for (const given of none) {
      expect(await challenge(...given)).toEqual(['unauthenticated', 'Bearer']);
    }
    const invalid = 'Bearer error="invalid_token"';
    expect(await challenge('Bearer x')).toEqual(['unauthenticated', invalid]);
  });
});
