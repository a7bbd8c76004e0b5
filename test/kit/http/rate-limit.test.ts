// engines: sqlite, postgres
import { Pool } from 'pg';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { useServer } from '../../support/api-server.ts';
import { createClient } from '../../support/client.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';
import { openLink } from '../../support/link.ts';

needPostgres();
const unlimited = useServer();
const limited = useServer({ RATE_LIMIT: '3/3600', PROXIES: '1' });
const exposed = useServer({ RATE_LIMIT: '3/3600' });
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

let clients = 0;
/** Asks as a client that nobody has seen before. */
function newClient() {
  const headers = { 'x-forwarded-for': `203.0.113.${++clients}` };
  return (path: string, method = 'GET', json?: unknown) =>
    limited.api({ path, method, headers, ...(json !== undefined && { json }) });
}

describe('without RATE_LIMIT', () => {
  it('nothing is counted', async () => {
    const { headers } = await unlimited.api({ path: '/books' });
    expect(headers.ratelimit).toBeUndefined();
    expect(headers['ratelimit-policy']).toBeUndefined();
  });
});

describe('RATE_LIMIT', () => {
  it('lets a client make so many requests, says what is left, and refuses the next', async () => {
    const get = newClient();
    const answers = [await get('/books'), await get('/books/1'), await get('/nowhere')];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
    expect(answers.map(({ headers }) => headers.ratelimit)).toEqual([
      expect.stringMatching(/^"default";r=2;t=3600$/),
      expect.stringMatching(/^"default";r=1;t=\d+$/),
      expect.stringMatching(/^"default";r=0;t=\d+$/),
    ]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"default";q=3;w=3600');
    const refused = await get('/books');
    expect(refused.status).toBe(429);
    expect(refused.json.type).toBe('urn:accord:problem:too-many-requests');
    expect(refused.headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
  });

  it('says to the second when its window is over, and then begins again', async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const get = newClient();
    const asked: unknown[][] = [];
    for (const ms of [0, 1, 1000, 1001, 3_598_999, 3_599_000, 3_599_999, 3_600_000]) {
      vi.setSystemTime(start + ms);
      const { status, headers } = await get('/books');
      const [, left, wait] = headers.ratelimit?.toString().match(/;r=(\d+);t=(\d+)$/) ?? [];
      asked.push([ms, status, left, wait, headers['retry-after']]);
    }
    expect(asked).toEqual([
      [0, 200, '2', '3600', undefined],
      [1, 200, '1', '3600', undefined],
      [1000, 200, '0', '3599', undefined],
      [1001, 429, '0', '3599', '3599'],
      [3_598_999, 429, '0', '2', '2'],
      [3_599_000, 429, '0', '1', '1'],
      [3_599_999, 429, '0', '1', '1'],
      [3_600_000, 200, '2', '3600', undefined],
    ]);
  });

  it('counts both protocols, and a refused write changes nothing', async () => {
    const ask = newClient();
    const before = (await unlimitedCount()).length;
    await ask('/graphql', 'POST', { query: '{ books { id } }' });
    await ask('/graphql', 'POST', { query: '{' });
    await ask('/books', 'POST', {});
    expect((await ask('/books', 'POST', { title: 'x', pages: 1 })).status).toBe(429);
    const query = 'mutation { addTodo(title: "x") { id } }';
    expect((await ask('/graphql', 'POST', { query })).status).toBe(429);
    expect((await unlimitedCount()).length).toBe(before);
    async function unlimitedCount() {
      return (await newClient()('/books')).json;
    }
  });

  it('does not hold for those who watch the server', async () => {
    const get = newClient();
    for (let i = 0; i < 5; i++) {
      expect((await get('/healthz')).status).toBe(200);
      expect((await get('/readyz')).status).toBe(200);
    }
    expect((await get('/books')).headers.ratelimit).toMatch(/;r=2;/);
  });

  it('is for each client by itself', async () => {
    const [one, other] = [newClient(), newClient()];
    for (let i = 0; i < 4; i++) await one('/books');
    expect((await one('/books')).status).toBe(429);
    expect((await other('/books')).status).toBe(200);
  });

  it('takes a network of IPv6 for one client', async () => {
    const from = (address: string) =>
      limited.api({ path: '/books', headers: { 'x-forwarded-for': address } });
    for (let i = 1; i < 4; i++) await from(`2001:db8:0:7::${i}`);
    expect((await from('2001:db8:0:7:1:2:3:4')).status).toBe(429);
    expect((await from('2001:db8:0:8::1')).status).toBe(200);
  });

  it('takes an address of IPv4 for the same however it is written', async () => {
    const from = (address: string) =>
      limited.api({ path: '/books', headers: { 'x-forwarded-for': address } });
    for (let i = 0; i < 3; i++) await from('::ffff:192.0.2.55');
    expect((await from('192.0.2.55')).status).toBe(429);
  });

  it('is not evaded by a port, brackets, a zone, zeros, capitals or a name that is no address', async () => {
    const statuses = async (...addresses: string[]) => {
      const found: number[] = [];
      for (const address of addresses) {
        const headers = { 'x-forwarded-for': address };
        found.push((await limited.api({ path: '/books', headers })).status);
      }
      return found;
    };
    const three = [200, 200, 200];
    expect(
      await statuses('192.0.2.7:5000', '192.0.2.7:5001', '192.0.2.7', '192.0.2.7:5002'),
    ).toEqual([...three, 429]);
    expect(
      await statuses(
        '[2001:db8:9::1]:443',
        '2001:0DB8:0009:0000::0001',
        '[2001:db8:9:0:1:2:3:4]',
        '2001:db8:9::2%eth0',
        '[2001:db8:9::3]:444',
      ),
    ).toEqual([...three, 429, 429]);
    expect(
      await statuses(
        '::ffff:198.51.100.4',
        '::FFFF:c633:6404',
        '[0:0:0:0:0:ffff:198.51.100.4]:80',
        '198.51.100.4',
      ),
    ).toEqual([...three, 429]);
    // Then the connection's own address counts.
    expect(await statuses('unknown', '', '192.000.002.007', '_hidden', '999.1.1.1:80')).toEqual([
      ...three,
      429,
      429,
    ]);
  });

  it('believes no name that the client gives itself', async () => {
    const from = (address: string) =>
      exposed.api({ path: '/books', headers: { 'x-forwarded-for': address } });
    for (let i = 0; i < 3; i++) await from(`198.51.100.${i}`);
    expect((await from('198.51.100.9')).status).toBe(429);
    // With a proxy in front the last name is the proxy's, those before it are the client's own.
    const spoofed = (own: string) =>
      limited.api({ path: '/books', headers: { 'x-forwarded-for': `${own}, 192.0.2.77` } });
    for (let i = 0; i < 3; i++) await spoofed(`198.51.100.${i}`);
    expect((await spoofed('198.51.100.9')).status).toBe(429);
  });
});

describe('several servers', () => {
  it('share the count through PostgreSQL', async ({ skip }) => {
    if (!inject('postgres')) skip('on PostgreSQL');
    const DATABASE_URL = await newDatabase();
    const config = readSettings({ PORT: '0', ...atOnce, DATABASE_URL, RATE_LIMIT: '4/3600' });
    const run = () => serve(api, { settings: config, log: createLog('silent', () => {}) });
    const servers = [await run(), await run()];
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) {
      for (const { url } of servers) {
        statuses.push((await (await createClient(url))({ path: '/books' })).status);
      }
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    const ended = vi.spyOn(Pool.prototype, 'end');
    for (const server of servers) await server.stop();
    const names = ended.mock.contexts.map((pool) => Object(pool).options.application_name);
    expect(names.filter((name) => name === 'accord rate limit')).toHaveLength(2);
  });

  it('count for themselves while PostgreSQL is away, and together when it is back', async ({
    skip,
  }) => {
    if (!inject('postgres')) skip('on PostgreSQL');
    const link = await openLink(await newDatabase());
    const settings = readSettings({
      ...{ PORT: '0', ...atOnce, DATABASE_URL: link.address, RATE_LIMIT: '3/3600' },
    });
    const { url, stop } = await serve(api, { settings, log: createLog('silent', () => {}) });
    const ask = async () => {
      const answer = await fetch(`${url}/greet/en`);
      await answer.arrayBuffer();
      return [answer.status, answer.headers.get('ratelimit')?.match(/;r=(\d+);/)?.[1]];
    };
    expect(await ask()).toEqual([200, '2']);
    await link.cut();
    const away = [await ask(), await ask(), await ask(), await ask()];
    expect(away).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
    await link.open();
    let back = await ask();
    while (back[0] === 429) back = await ask();
    // The one that was counted there before, and this.
    expect(back).toEqual([200, '1']);
    await stop();
    await link.cut();
  });
});
