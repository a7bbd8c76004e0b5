import type { PoolClient } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReplicaReads } from '../../../src/kit/store/postgres/replica-reads.ts';
import type { Reading } from '../../../src/kit/store/replica-reading.ts';
import { realTime, soon, turns, until, waitsFor } from '../../support/fake-time.ts';
import { type Scripted, startScripted } from '../../support/scripted-postgres.ts';

const told = { onRead: vi.fn(), onLost: vi.fn(), onBack: vi.fn() };
const writerAt = vi.fn<() => Promise<string>>();
const ends: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  writerAt.mockReset().mockResolvedValue(at(1));
  for (const each of Object.values(told)) each.mockClear();
});
afterEach(async () => {
  realTime();
  for (const end of ends.splice(0).reverse()) await end();
});

const at = (position: number) => String(position).padStart(16, '0');
const request = (least = ''): Reading => ({ mayLag: true, least, onWrite: () => {} });

/** Replicas that have come as far as 5, and the reads of requests from them or the writer. */
async function started(lag = 4000, names = ['a', 'b']) {
  const hosts: Scripted[] = [];
  for (const name of names) {
    const script = (sql: string) => [sql === 'work' ? { name } : { lsn: '0/5' }];
    const host = await startScripted(script);
    ends.push(host.stop);
    hosts.push(host);
  }
  let current: Reading | undefined;
  const url = `postgres://u:p@${hosts.map(({ host }) => host).join()}/d`;
  const options = { url, lag, current: () => current, ...told };
  const reads = createReplicaReads(options, { max: 2 }, writerAt);
  ends.push(reads.end);
  const work = async (client: PoolClient): Promise<string> =>
    (await client.query('work')).rows[0]?.name;
  const read = async (reading?: Reading, fromReplica = work): Promise<string> => {
    await turns(1);
    current = reading;
    return reads.read(fromReplica, async () => 'writer');
  };
  /** Resolves when all replicas were asked, which they are in turn. */
  const inUse = async () => {
    const answers = new Set<string>();
    while (names.some((name) => !answers.has(name))) answers.add(await read(request()));
  };
  return { read, inUse, hosts, end: reads.end };
}

describe('the reads of a request', () => {
  it('are answered by one replica, and requests by each in turn', async () => {
    const { read, inUse } = await started();
    await inUse();
    const answers: string[] = [];
    for (let i = 0; i < 6; i++) {
      const reading = request();
      const own = new Set([await read(reading), await read(reading), await read(reading)]);
      expect(own.size).toBe(1);
      answers.push(...own);
    }
    expect(['ababab', 'bababa']).toContain(answers.join(''));
    expect(told.onRead.mock.lastCall).toEqual(['replica']);
  });

  it('are answered by those in turn that are left', async () => {
    const { read, inUse, hosts } = await started(4000, ['a', 'b', 'c']);
    await inUse();
    await hosts[1]?.stop();
    while (told.onLost.mock.calls.length === 0) await read(request());
    const answers: string[] = [];
    for (let i = 0; i < 6; i++) answers.push(await read(request()));
    expect(['acacac', 'cacaca']).toContain(answers.join(''));
  });

  it('are the writer’s where there is no request, or it does not let a replica answer', async () => {
    const { read, inUse } = await started();
    await inUse();
    told.onRead.mockClear();
    expect(await read()).toBe('writer');
    expect(await read({ ...request(), mayLag: false })).toBe('writer');
    expect(told.onRead.mock.calls).toEqual([['writer'], ['writer']]);
  });

  it.each<[string, request: number, writer: number, lag: number]>([
    ['it has seen more than they have', 6, 1, 4000],
    ['they lag more than the bound', 1, 6, 100],
  ])('are the writer’s where %s, and stay so', async (_, own, writer, lag) => {
    const { read, inUse } = await started(lag);
    await inUse();
    writerAt.mockResolvedValue(at(writer));
    const reading = request(at(own));
    // Earlier positions of the writer are forgotten after the bound.
    while ((await read(reading)) !== 'writer') Object.assign(reading, request(at(own)));
    writerAt.mockResolvedValue(at(1));
    reading.least = '';
    while ((await read(request())) === 'writer') await turns(1);
    expect(await read(reading)).toBe('writer');
    expect(reading.mayLag).toBe(false);
  });

  it('are a replica’s where it has come exactly as far', async () => {
    const { read, inUse } = await started();
    await inUse();
    writerAt.mockResolvedValue(at(5));
    for (let i = 0; i < 4; i++) expect(['a', 'b']).toContain(await read(request(at(5))));
  });

  it('are the writer’s where it is not known how far that is', async () => {
    writerAt.mockRejectedValue(new Error('away'));
    const { read, hosts } = await started(100);
    await until(() => writerAt.mock.calls.length > 3);
    expect(await read(request())).toBe('writer');
    expect(hosts.flatMap(({ sessionsWith }) => sessionsWith('work'))).toEqual([]);
  });
});

it('a replica that is lost is told of by its address, and so is that it is back', async () => {
  const { read, inUse, hosts } = await started();
  await inUse();
  const [lost] = hosts;
  await lost?.stop();
  while (told.onLost.mock.calls.length === 0) await read(request());
  expect(told.onLost.mock.calls).toEqual([[lost?.address, expect.any(Error)]]);
  const back = await startScripted(
    (sql) => [sql === 'work' ? { name: 'a' } : { lsn: '0/5' }],
    Number(lost?.host.split(':')[1]),
  );
  ends.push(back.stop);
  await until(() => told.onBack.mock.calls.length > 0);
  expect(told.onBack.mock.calls).toEqual([[lost?.address]]);
});

it('when it is ended the writer is not asked any more, and the replicas are left', async () => {
  const { read, inUse, hosts, end } = await started(100);
  await inUse();
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = vi.fn(() => promise);
  while (asked.mock.calls.length === 0)
    void (await Promise.race([read(request(), asked), turns(50)]));
  ends.pop();
  expect(await waitsFor(end(), () => resolve('held'))).toBe(true);
  for (const { sessionsWith } of hosts) {
    const [session] = sessionsWith('work');
    expect(await soon(() => sessionsWith('goodbye').includes(Number(session)))).toBe(true);
  }
  const before = writerAt.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(writerAt).toHaveBeenCalledTimes(before);
});
