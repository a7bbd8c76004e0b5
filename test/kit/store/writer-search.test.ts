import { afterEach, describe, expect, it } from 'vitest';
import { awaitWriter, findWriter } from '../../../src/kit/store/postgres/writer-search.ts';
import {
  fakeTimers,
  realTime,
  settlesAfter,
  shortSleeps,
  turns,
  until,
} from '../../support/fake-time.ts';
import {
  type Said,
  type Scripted,
  silence,
  startScripted,
} from '../../support/scripted-postgres.ts';

const started: Scripted[] = [];
afterEach(async () => {
  realTime();
  for (const { stop } of started.splice(0)) await stop();
});

/** A host whose sessions begin with `connect`, and that answers the question whether it is read-only. */
async function hostThat(isReadOnly: () => string, connect: () => Said | Promise<Said> = () => []) {
  const host = await startScripted(async (sql) => {
    if (sql === 'connect') return connect();
    const answer = isReadOnly();
    return answer === 'silent' ? silence : [{ is_read_only: answer }];
  });
  started.push(host);
  return host;
}
const writer = () => hostThat(() => 'off');
const standby = () => hostThat(() => 'on');
const refusing = (code: string) =>
  hostThat(
    () => 'on',
    () => code,
  );
const addressOf = (...hosts: readonly Scripted[]) =>
  `postgres://u:p@${hosts.map(({ host }) => host).join()}/d`;

describe('of the hosts of an address', () => {
  it('the one is taken that takes writes, wherever it stands', async () => {
    const [one, two] = [await writer(), await standby()];
    expect(await findWriter(addressOf(one, two))).toBe(one.address);
    expect(await findWriter(addressOf(two, one))).toBe(one.address);
    await until(() => one.open() + two.open() === 0);
  });

  it('one that is alone is not asked', async () => {
    const host = await standby();
    expect(await findWriter(host.address)).toBe(host.address);
    await turns(100);
    expect(host.sessions()).toBe(0);
  });

  it('none is taken where none takes writes, and a standby that lags is not blamed', async () => {
    const hosts = [await refusing('3D000'), await standby()];
    await expect(findWriter(addressOf(...hosts))).rejects.toThrow('this server takes no writes');
  });

  it('the first is blamed where all know no such user', async () => {
    const hosts = [await refusing('28P01'), await refusing('3D000')];
    await expect(findWriter(addressOf(...hosts))).rejects.toMatchObject({ code: '28P01' });
  });

  it.each<[string, () => Promise<Scripted>, string]>([
    [
      'connection',
      () =>
        hostThat(
          () => 'off',
          () => silence,
        ),
      'connect',
    ],
    ['answer', () => hostThat(() => 'silent'), 'transaction_read_only'],
  ])('each is given two seconds for its %s', async (_, start, part) => {
    const [one, two] = [await start(), await start()];
    fakeTimers();
    const finding = findWriter(addressOf(one, two));
    await until(() => [one, two].every((host) => host.sessionsWith(part).length > 0));
    expect(await settlesAfter(2000, finding)).toBe(true);
    realTime();
    await expect(finding).rejects.toThrow();
  });
});

describe('the first host to take writes', () => {
  const open = () => new AbortController();

  it('is waited for, each host asked four times a second, and then none is asked any more', async () => {
    let isReadOnly = 'on';
    const [one, two] = [await hostThat(() => isReadOnly), await standby()];
    const sleeps = shortSleeps();
    const waiting = awaitWriter([one.address, two.address], open().signal);
    await until(() => one.sessions() > 3 && two.sessions() > 3);
    expect(new Set(sleeps)).toEqual(new Set([250, 1000]));
    // One is waited for before each question but the first, and one for each goodbye.
    const waits = sleeps.filter((ms) => ms === 250).length;
    expect(waits).toBeGreaterThanOrEqual(one.sessions() + two.sessions() - 2);
    isReadOnly = 'off';
    expect(await waiting).toBe(one.address);
    const asked = two.sessions();
    await new Promise((resolve) => setTimeout(resolve, 300));
    // A question may have been on its way.
    expect(two.sessions()).toBeLessThanOrEqual(asked + 1);
    await until(() => one.open() + two.open() === 0);
  });

  it('is not waited for by one that closes', async () => {
    const host = await standby();
    shortSleeps();
    const closing = open();
    const waiting = awaitWriter([host.address], closing.signal);
    await until(() => host.sessions() > 1);
    closing.abort();
    await expect(waiting).rejects.toThrow();
    const asked = host.sessions();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(host.sessions()).toBeLessThanOrEqual(asked + 1);
  });
});
