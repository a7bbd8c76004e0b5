import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import timers from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSession } from '../../../src/kit/store/postgres/session.ts';
import { createSidePool } from '../../../src/kit/store/postgres/side-pool.ts';
import { currentPosition, replayedPosition } from '../../../src/kit/store/postgres/wal-position.ts';
import {
  fakeTimers,
  realTime,
  settlesAfter,
  shortSleeps,
  turns,
  until,
} from '../../support/fake-time.ts';
import { type Said, silence, startScripted } from '../../support/scripted-postgres.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  realTime();
  for (const end of ends.splice(0).reverse()) await end();
});

async function hostThat(script: (sql: string) => Said | Promise<Said>) {
  const host = await startScripted(script);
  ends.push(host.stop);
  return host;
}

async function sessionWith(script: (sql: string) => Said | Promise<Said>) {
  const host = await hostThat(script);
  const { client, end } = createSession({ connectionString: host.address });
  await client.connect();
  ends.push(end);
  return { host, client, end };
}

describe('a session', () => {
  it('says goodbye, is closed, and leaves no timer behind', async () => {
    const { host, end } = await sessionWith(() => []);
    const sleeps = shortSleeps();
    await end();
    expect(sleeps).toEqual([1000]);
    const [, , options] = vi.mocked(timers.setTimeout).mock.lastCall ?? [];
    expect(options?.signal?.aborted).toBe(true);
    await until(() => host.open() === 0);
    expect(host.asked.map(({ sql }) => sql)).toEqual(['connect', 'goodbye']);
  });

  it('with a host that neither answers nor ends it is closed after a second', async () => {
    const sockets: Socket[] = [];
    const server = createServer({ allowHalfOpen: true }, (socket) => sockets.push(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => server.close());
    // A server that listens on a port has an address of this kind.
    const { port } = server.address() as AddressInfo;
    const { client, end } = createSession({ connectionString: `postgres://u@127.0.0.1:${port}/d` });
    client.connect().catch(() => {});
    await until(() => sockets.length === 1);
    const sleeps = shortSleeps();
    await end();
    expect(sleeps).toEqual([1000]);
    // What it writes now nobody takes.
    sockets[0]?.on('error', () => {});
    while (!sockets[0]?.destroyed) {
      sockets[0]?.write('x');
      await turns(1);
    }
  });

  it('that is cut off ends nothing else', async () => {
    const { host, client } = await sessionWith(() => []);
    const ended = Promise.withResolvers<void>();
    client.on('end', ended.resolve);
    host.cut();
    await ended.promise;
    await turns(10);
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });
});

describe('a position in the log', () => {
  it.each([
    ['0/0', '0000000000000000'],
    ['0/1A', '000000000000001A'],
    ['16/B374D848', '00000016B374D848'],
    ['FFFFFFFF/FFFFFFFF', 'FFFFFFFFFFFFFFFF'],
  ])('%s has 16 digits', async (lsn, position) => {
    const { client } = await sessionWith(() => [{ lsn }]);
    expect(await currentPosition(client)).toBe(position);
    expect(await replayedPosition(client, 1000)).toBe(position);
  });

  it('of a server that is no replica is none', async () => {
    const { client } = await sessionWith(() => [{ lsn: null }]);
    expect(await replayedPosition(client, 1000)).toBeUndefined();
  });

  it.each([
    ['the writer', currentPosition],
    ['a replica', replayedPosition],
  ] as const)('of %s is waited for as long as is said', async (_, ask) => {
    const { host, client } = await sessionWith((sql) => (sql === 'connect' ? [] : silence));
    fakeTimers();
    const asking = ask(client, 700);
    await until(() => host.asked.length > 1);
    expect(await settlesAfter(700, asking)).toBe(true);
    realTime();
    await expect(asking).rejects.toThrow('timeout');
  });
});

describe('a side pool', () => {
  const pool = (address: string) => {
    const { query, end } = createSidePool(address, 'aside');
    ends.push(end);
    return query;
  };

  it.each([
    ['', 'counted'],
    ['?prepared_statements=off', ''],
  ])(
    'prepares a statement under its name, unless the address says otherwise: %s',
    async (parameters, name) => {
      const host = await hostThat(() => [{ one: '1' }]);
      const query = pool(host.address + parameters);
      const { rows } = await query({ name: 'counted', text: 'SELECT 1', values: [] });
      expect(rows).toEqual([{ one: '1' }]);
      await query({ text: 'SELECT 2' });
      expect(host.asked.map((each) => [each.sql, each.name]).slice(1)).toEqual([
        ['SELECT 1', name],
        ['SELECT 2', ''],
      ]);
    },
  );

  it('has at most four connections', async () => {
    const { promise, resolve } = Promise.withResolvers<Said>();
    const host = await hostThat((sql) => (sql === 'SELECT 1' ? promise : []));
    const query = pool(host.address);
    const all = Array.from({ length: 6 }, () => query({ text: 'SELECT 1' }));
    await until(() => host.sessionsWith('SELECT 1').length >= 4);
    await turns(200);
    expect(host.sessions()).toBe(4);
    resolve([]);
    await Promise.all(all);
    expect(host.sessions()).toBe(4);
  });

  it.each(['connect', 'SELECT 1'])('waits a second for an answer to %s', async (part) => {
    const host = await hostThat((sql) => (sql === part ? silence : []));
    fakeTimers();
    const asking = pool(host.address)({ text: 'SELECT 1' });
    await until(() => host.sessionsWith(part).length > 0);
    expect(await settlesAfter(1000, asking)).toBe(true);
    realTime();
    await expect(asking).rejects.toThrow();
  });
});
