import { syncBuiltinESMExports } from 'node:module';
import timers, { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWriterPool, type WriterPool } from '../../../src/kit/store/postgres/writer-pool.ts';
import {
  fakeTimers,
  realTime,
  settlesAfter,
  soon,
  turns,
  until,
  waitsFor,
} from '../../support/fake-time.ts';
import {
  type Said,
  type Scripted,
  silence,
  startScripted,
} from '../../support/scripted-postgres.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  realTime();
  for (const end of ends.splice(0).reverse()) await end();
});

type State = { isReadOnly: boolean; connect: Said | Promise<Said>; work: Said | Promise<Said> };

/** A host that does as its state says. */
async function startHost(given: Partial<State> = {}): Promise<Scripted & { readonly is: State }> {
  const is: State = { isReadOnly: false, connect: [], work: [{ done: 'yes' }], ...given };
  const host = await startScripted((sql) => {
    if (sql === 'connect') return is.connect;
    if (sql.includes('read_only')) return [{ is_read_only: is.isReadOnly ? 'on' : 'off' }];
    return sql === 'work' ? is.work : [];
  });
  ends.push(host.stop);
  return { ...host, is };
}

function poolOf(address: string | readonly Scripted[], config = {}): WriterPool {
  const hosts = typeof address === 'string' ? [] : address.map(({ host }) => host);
  const url = typeof address === 'string' ? address : `postgres://u:p@${hosts.join()}/d`;
  const pool = createWriterPool(url, { max: 1, ...config });
  ends.push(pool.end);
  return pool;
}

const work = (client: PoolClient) => client.query('work').then(({ rows }) => rows[0]?.done);
const questions = (...hosts: readonly Scripted[]) =>
  hosts.flatMap((host) => host.sessionsWith('read_only')).length;
const unavailable = (reason: string) => ({
  ...{ code: 'unavailable' },
  cause: expect.objectContaining({ message: expect.stringContaining(reason) }),
});

describe('a pool of one host', () => {
  it('uses one connection again and again, and asks nothing else of it', async () => {
    const host = await startHost({ isReadOnly: true });
    const { use } = poolOf([host]);
    for (let i = 0; i < 3; i++) expect(await use(work)).toBe('yes');
    expect(host.asked.map(({ sql }) => sql)).toEqual(['connect', 'work', 'work', 'work']);
  });

  it('that is to take writes asks whether it does, and has no connection where it does not', async () => {
    const host = await startHost({ isReadOnly: true });
    const { use } = poolOf(`${host.address}?target_session_attrs=read-write`);
    await expect(use(work)).rejects.toMatchObject(unavailable('takes no writes'));
    host.is.isReadOnly = false;
    expect(await use(work)).toBe('yes');
  });

  it('drops a connection that gives no answer, or is read-only, and no other', async () => {
    const host = await startHost();
    const { use } = poolOf([host], { max: 1 });
    const usedAfter = async (said: Said | Promise<Said>, asking = work) => {
      host.is.work = said;
      await expect(use(asking)).rejects.toThrow();
      host.is.work = [{ done: 'yes' }];
      expect(await use(work)).toBe('yes');
      return host.sessions();
    };
    expect(await usedAfter('42P01')).toBe(1);
    expect(await usedAfter('25006')).toBe(2);
    expect(await usedAfter('57P01')).toBe(3);
    const query = { text: 'work', query_timeout: 30 };
    const impatient = (client: PoolClient) => client.query(query).then(({ rows }) => rows[0]);
    expect(await usedAfter(silence, impatient)).toBe(4);
    await sleep(30);
    // One host is not looked for.
    expect(questions(host)).toBe(0);
  });

  it('has room for others when no connection could be had, and when it is used no more', async () => {
    const host = await startHost({ connect: '53300' });
    const { use } = poolOf([host], { connectionTimeoutMillis: 1000 });
    for (let i = 0; i < 3; i++) {
      await expect(use(work)).rejects.toMatchObject(unavailable('refused with 53300'));
    }
    // Another try is for whoever asks.
    host.is.connect = '57P03';
    await expect(use(work)).rejects.toMatchObject(unavailable('refused with 57P03'));
    expect(host.sessions()).toBe(4);
    host.is.connect = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = use(() => promise);
    await expect(use(work)).rejects.toMatchObject(unavailable('all connections are in use'));
    resolve();
    await held;
    expect(await use(work)).toBe('yes');
  });

  it('waits two seconds for a connection where nothing else is said', async () => {
    const host = await startHost({ connect: silence });
    fakeTimers();
    const using = poolOf([host]).use(work);
    await until(() => host.sessions() > 0);
    expect(await settlesAfter(2000, using)).toBe(true);
    realTime();
    await expect(using).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is ended when its last connection is used no more', async () => {
    const host = await startHost();
    const { use, end } = poolOf([host]);
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = use((client) => promise.then(() => work(client)));
    await until(() => host.sessions() === 1);
    await turns(100);
    ends.pop();
    expect(await waitsFor(end(), resolve)).toBe(true);
    expect(await held).toBe('yes');
    expect(await soon(() => host.asked.at(-1)?.sql === 'goodbye')).toBe(true);
  });
});

describe('a pool of several hosts', () => {
  it('looks for the writer once, before it connects to any, and stays there', async () => {
    const [standby, writer] = [await startHost({ isReadOnly: true }), await startHost()];
    const { use } = poolOf([standby, writer]);
    expect(await Promise.all([1, 2, 3].map(() => use(work)))).toEqual(['yes', 'yes', 'yes']);
    for (let i = 0; i < 3; i++) expect(await use(work)).toBe('yes');
    expect(standby.sessions()).toBe(1);
    expect(new Set(writer.sessionsWith('work')).size).toBe(1);
    // One question for the search and one for the connection.
    expect(questions(writer)).toBe(2);
  });

  it('leaves no timer behind when the writer is found', async () => {
    const [standby, writer] = [await startHost({ isReadOnly: true }), await startHost()];
    const { use } = poolOf([standby, writer]);
    const sleeping = vi.spyOn(timers, 'setTimeout');
    syncBuiltinESMExports();
    expect(await use(work)).toBe('yes');
    const [, , options] = sleeping.mock.calls.find(([ms]) => ms === 2000) ?? [];
    expect(options?.signal?.aborted).toBe(true);
  });

  it('is unavailable while none takes writes, and when it is ended asks no more', async () => {
    const hosts = [await startHost({ isReadOnly: true }), await startHost({ isReadOnly: true })];
    const { use, end } = poolOf(hosts, { connectionTimeoutMillis: 100 });
    await expect(use(work)).rejects.toMatchObject(unavailable('none of 2 hosts takes writes'));
    ends.pop();
    await end();
    const before = questions(...hosts);
    await sleep(600);
    // A question may have been on its way to each.
    expect(questions(...hosts)).toBeLessThanOrEqual(before + 2);
  });

  it('goes over to another host in the use that finds the first gone', async () => {
    const [one, two] = [await startHost(), await startHost({ isReadOnly: true })];
    const { use } = poolOf([one, two]);
    expect(await use(work)).toBe('yes');
    two.is.isReadOnly = false;
    await one.stop();
    // The pool sees that its connection is closed.
    await turns(100);
    expect(await use(work)).toBe('yes');
    expect(two.sessionsWith('work')).toHaveLength(1);
  });

  it('looks for the writer once when several find it read-only, and drops what is connected', async () => {
    const [one, two] = [await startHost(), await startHost({ isReadOnly: true })];
    const { use } = poolOf([one, two], { max: 3 });
    const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const [late, ...both] = gates.map(({ promise }) =>
      use((client) => promise.then(() => work(client))),
    );
    await until(() => questions(one) === 4 && questions(two) === 1);
    Object.assign(one.is, { isReadOnly: true, work: '25006' });
    two.is.isReadOnly = false;
    const [last, ...first] = gates;
    for (const { resolve } of first) resolve();
    for (const outcome of await Promise.allSettled(both)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '25006' } });
    }
    expect(await use(work)).toBe('yes');
    expect(two.sessionsWith('work')).toHaveLength(1);
    const before = questions(two);
    expect(before).toBe(3);
    last?.resolve();
    await expect(late).rejects.toMatchObject({ code: '25006' });
    expect(await use(work)).toBe('yes');
    expect(questions(two)).toBe(before);
  });

  it('connects anew to a host that was read-only and takes writes again', async () => {
    const [one, two] = [await startHost(), await startHost({ isReadOnly: true })];
    const { use } = poolOf([one, two], { max: 2 });
    await Promise.all([use(work), use(work)]);
    const [first] = one.sessionsWith('work');
    one.is.work = '25006';
    await expect(use(work)).rejects.toMatchObject({ code: '25006' });
    one.is.work = [{ done: 'yes' }];
    expect(await use(work)).toBe('yes');
    expect(one.sessionsWith('work').at(-1)).toBeGreaterThan(Number(first) + 1);
  });

  it.each(['42P01', '40001', '57014'])(
    'does not look again when a statement fails with %s',
    async (code) => {
      const [one, two] = [await startHost(), await startHost({ isReadOnly: true })];
      const { use } = poolOf([one, two]);
      await use(work);
      await until(() => questions(one, two) === 3);
      one.is.work = code;
      await expect(use(work)).rejects.toMatchObject({ code });
      one.is.work = [{ done: 'yes' }];
      expect(await use(work)).toBe('yes');
      expect(questions(one, two)).toBe(3);
    },
  );

  it('does not look again where the writer refuses one more connection, or a password', async () => {
    const [one, two] = [await startHost(), await startHost({ isReadOnly: true })];
    const { use } = poolOf([one, two], { max: 2 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = use((client) => promise.then(() => work(client)));
    await until(() => questions(one) === 2 && questions(two) === 1);
    for (const code of ['53300', '28P01']) {
      one.is.connect = code;
      await expect(use(work)).rejects.toMatchObject(unavailable(`refused with ${code}`));
    }
    expect(questions(two)).toBe(1);
    resolve();
    expect(await held).toBe('yes');
  });

  it.each([false, true])(
    'looks again when all connections stay in use; another takes writes: %s',
    async (isMoved) => {
      const [one, two] = [await startHost(), await startHost({ isReadOnly: true })];
      const { use } = poolOf([one, two], { connectionTimeoutMillis: 1000 });
      const { promise, resolve } = Promise.withResolvers<void>();
      const held = use((client) => promise.then(() => work(client)));
      await until(() => questions(one) === 2);
      await until(() => questions(two) === 1);
      [one.is.isReadOnly, two.is.isReadOnly] = [isMoved, !isMoved];
      await expect(use(work)).rejects.toMatchObject(unavailable('all connections are in use'));
      await until(() => questions(isMoved ? two : one) === (isMoved ? 2 : 3));
      resolve();
      await held;
      expect(await use(work)).toBe('yes');
      expect(new Set(one.sessionsWith('work')).size).toBe(1);
      expect(two.sessionsWith('work')).toHaveLength(isMoved ? 1 : 0);
    },
  );
});
