import type { PoolClient } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createReplicaHost,
  type ReplicaHost,
} from '../../../src/kit/store/postgres/replica-host.ts';
import {
  endlessSleeps,
  fakeTimers,
  realTime,
  settlesAfter,
  shortSleeps,
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

const tell = { lost: vi.fn(), back: vi.fn() };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  realTime();
  for (const end of ends.splice(0).reverse()) await end();
  tell.lost.mockClear();
  tell.back.mockClear();
});

type State = { lsn: string | null; connect: Said | Promise<Said>; work: Said | Promise<Said> };
type Replica = Scripted & { readonly is: State };

/** A server that has replayed as far as its state says; one without a position takes writes. */
async function startReplica(given: Partial<State> = {}, port = 0): Promise<Replica> {
  const is: State = { lsn: '0/5', connect: [], work: [{ done: 'yes' }], ...given };
  const script = (sql: string) => {
    if (sql === 'connect') return is.connect;
    if (sql === 'work') return is.work;
    return is.lsn === 'silent' ? silence : [{ lsn: is.lsn }];
  };
  const host = await startScripted(script, port);
  ends.push(host.stop);
  return { ...host, is };
}

function hostOf({ address }: Scripted): ReplicaHost {
  const host = createReplicaHost(address, { max: 1 }, tell);
  ends.push(host.end);
  return host;
}

const at = (position: number) => position.toString(16).toUpperCase().padStart(16, '0');
const found = (host: ReplicaHost) => until(() => host.mayHave(''));
const work = async (client: PoolClient) => (await client.query('work')).rows[0]?.done;
const questions = (replica: Scripted) => replica.sessionsWith('pg_is_in_recovery').length;

describe('a replica', () => {
  let now = 5000;
  beforeEach(() => {
    now = 5000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });

  it('answers where it has come as far, and says how far that is once a second', async () => {
    const replica = await startReplica();
    const host = hostOf(replica);
    await found(host);
    expect(questions(replica)).toBe(1);
    const asked = async (least: number, after: number) => {
      now += after;
      return [await host.use(at(least), work), questions(replica)];
    };
    expect(await asked(5, 0)).toEqual([{ value: 'yes' }, 2]);
    expect(await asked(5, 999)).toEqual([{ value: 'yes' }, 2]);
    expect(await asked(5, 1)).toEqual([{ value: 'yes' }, 3]);
    replica.is.lsn = '0/6';
    expect(await asked(4, 1)).toEqual([{ value: 'yes' }, 3]);
    expect(await asked(6, 0)).toEqual([{ value: 'yes' }, 4]);
    expect(await asked(7, 0)).toEqual([undefined, 5]);
    expect(new Set(replica.sessionsWith('work')).size).toBe(1);
  });

  it('that is behind is not asked for a tenth of a second', async () => {
    const replica = await startReplica();
    const host = hostOf(replica);
    await found(host);
    expect(await host.use(at(6), work)).toBeUndefined();
    expect(replica.sessionsWith('work')).toEqual([]);
    const worthIt = (after: number) => {
      now += after;
      return [at(5), at(6)].map(host.mayHave);
    };
    expect(worthIt(0)).toEqual([true, false]);
    expect(worthIt(99)).toEqual([true, false]);
    expect(worthIt(1)).toEqual([true, true]);
  });
});

describe('a replica whose statement', () => {
  it.each([
    ['fails is kept, and somebody else is to answer', '42P01', true],
    ['is refused a connection is kept', '53300', true],
    ['is cut off is left, and looked for', '57P01', false],
  ])('%s', async (_, code, isKept) => {
    const replica = await startReplica();
    const host = hostOf(replica);
    await found(host);
    if (code === '53300') replica.is.connect = code;
    else replica.is.work = code;
    expect(await host.use(at(1), work)).toBeUndefined();
    expect(host.mayHave('')).toBe(isKept);
    Object.assign(replica.is, { work: [{ done: 'yes' }], connect: [] });
    await found(host);
    expect(await host.use(at(1), work)).toEqual({ value: 'yes' });
    expect(tell.lost).not.toHaveBeenCalled();
  });

  it('is cut off for several at once is left, and looked for once', async () => {
    const { promise, resolve } = Promise.withResolvers<Said>();
    const replica = await startReplica({ work: promise });
    const host = createReplicaHost(replica.address, { max: 2 }, tell);
    ends.push(host.end);
    await found(host);
    const both = [1, 2].map(() => host.use(at(1), work));
    await until(() => replica.sessionsWith('work').length === 2);
    resolve('57P01');
    expect(await Promise.all(both)).toEqual([undefined, undefined]);
    replica.is.work = [{ done: 'yes' }];
    await found(host);
    expect(await host.use(at(1), work)).toEqual({ value: 'yes' });
    await turns(100);
    // It was found twice, and has had three connections.
    expect(questions(replica)).toBe(5);
  });

  it('takes too long fails, and it is kept', async () => {
    const replica = await startReplica({ work: '57014' });
    const host = hostOf(replica);
    await found(host);
    for (let i = 0; i < 2; i++) {
      await expect(host.use(at(1), work)).rejects.toMatchObject({ code: '57014' });
    }
    expect(host.mayHave('')).toBe(true);
    expect(new Set(replica.sessionsWith('work')).size).toBe(1);
  });

  it('waits for a connection for a second is somebody else’s, and it is kept', async () => {
    const replica = await startReplica();
    const host = hostOf(replica);
    await found(host);
    const { promise, resolve } = Promise.withResolvers<string>();
    const held = host.use(at(1), () => promise);
    expect(await host.use(at(1), work)).toBeUndefined();
    expect(host.mayHave('')).toBe(true);
    resolve('held');
    expect(await held).toEqual({ value: 'held' });
  });

  it('finds it promoted is somebody else’s, and it is left', async () => {
    const replica = await startReplica();
    const host = hostOf(replica);
    await found(host);
    replica.is.lsn = null;
    expect(await host.use(at(1), work)).toBeUndefined();
    expect(host.mayHave('')).toBe(false);
    expect(replica.sessionsWith('work')).toEqual([]);
    await until(() => questions(replica) === 3);
    expect(host.mayHave('')).toBe(false);
  });
});

describe('a host', () => {
  it('that takes writes is not asked, until it is a replica', async () => {
    const replica = await startReplica({ lsn: null });
    const sleeps = shortSleeps();
    const host = hostOf(replica);
    await until(() => questions(replica) > 3);
    expect(host.mayHave('')).toBe(false);
    expect(await host.use(at(1), work)).toBeUndefined();
    expect(new Set(sleeps)).toEqual(new Set([1000]));
    replica.is.lsn = '0/1';
    await found(host);
    expect(await host.use(at(1), work)).toEqual({ value: 'yes' });
    for (const told of [tell.lost, tell.back]) expect(told).not.toHaveBeenCalled();
  });

  it('is looked for once a second', async () => {
    const replica = await startReplica({ lsn: null });
    const sleeps = endlessSleeps();
    hostOf(replica);
    // One for the end of the session, one for the next.
    await until(() => sleeps.length === 2);
    await turns(1000);
    expect(sleeps).toEqual([1000, 1000]);
    expect(replica.sessions()).toBe(1);
  });

  it('that nobody listens on is told of once, and once when it is back', async () => {
    const before = await startReplica();
    await before.stop();
    const sleeps = shortSleeps();
    const host = hostOf(before);
    await until(() => sleeps.length > 8);
    expect(tell.lost.mock.calls).toEqual([[expect.objectContaining({ code: 'ECONNREFUSED' })]]);
    expect(host.mayHave('')).toBe(false);
    expect(tell.back).not.toHaveBeenCalled();
    const replica = await startReplica({}, Number(before.host.split(':')[1]));
    await found(host);
    expect(await host.use(at(1), work)).toEqual({ value: 'yes' });
    await replica.stop();
    while (tell.lost.mock.calls.length < 2) await host.use(at(1), work).then(() => turns(1));
    expect(tell.back).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Partial<State>]>([
    ['connect', { connect: silence }],
    ['pg_is_in_recovery', { lsn: 'silent' }],
  ])('that does not answer to %s is lost after a second', async (part, state) => {
    const replica = await startReplica(state);
    fakeTimers();
    const lost = new Promise((resolve) => tell.lost.mockImplementationOnce(resolve));
    hostOf(replica);
    await until(() => replica.sessionsWith(part).length > 0);
    expect(await settlesAfter(1000, lost)).toBe(true);
  });

  it('is not looked for any more when it is closed', async () => {
    const replica = await startReplica({ lsn: null });
    shortSleeps();
    const host = hostOf(replica);
    await until(() => replica.sessions() > 2);
    await host.end();
    const before = replica.sessions();
    await new Promise((resolve) => setTimeout(resolve, 300));
    // One may have been on its way.
    expect(replica.sessions()).toBeLessThanOrEqual(before + 1);
  });

  it('says goodbye when it is closed and its last connection is used no more', async () => {
    const replica = await startReplica();
    const host = hostOf(replica);
    await found(host);
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = host.use(at(1), (client) => promise.then(() => work(client)));
    await until(() => questions(replica) === 2);
    await turns(100);
    ends.pop();
    expect(await waitsFor(host.end(), resolve)).toBe(true);
    expect(await held).toEqual({ value: 'yes' });
    const [session] = replica.sessionsWith('work');
    expect(await soon(() => replica.sessionsWith('goodbye').includes(Number(session)))).toBe(true);
  });

  it.each(['found', 'lost'])(
    'that is %s while it is closed is not used, and not told of',
    async (outcome) => {
      const { promise, resolve } = Promise.withResolvers<Said>();
      const replica = await startReplica({ connect: promise });
      const host = hostOf(replica);
      await until(() => replica.sessions() === 1);
      await host.end();
      if (outcome === 'lost') replica.cut();
      resolve([]);
      await until(() => replica.open() === 0);
      await turns(100);
      expect(host.mayHave('')).toBe(false);
      expect(tell.lost).not.toHaveBeenCalled();
    },
  );
});
