import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWriterPool } from '../../../src/kit/store/postgres/writer-pool.ts';
import { endlessSleeps, realTime, until } from '../../support/fake-time.ts';
import { type Said, startScripted } from '../../support/scripted-postgres.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  realTime();
  for (const end of ends.splice(0).reverse()) await end();
});

type State = { isReadOnly: boolean; connect: () => Said | Promise<Said>; work: Said };

/** A host that tells its name, and takes connections and writes as its state says. */
async function startHost(name: string, given: Partial<State> = {}) {
  const is: State = { isReadOnly: false, connect: () => [], work: [{ name }], ...given };
  const host = await startScripted((sql) => {
    if (sql === 'connect') return is.connect();
    if (sql.includes('read_only')) return [{ is_read_only: is.isReadOnly ? 'on' : 'off' }];
    return is.work;
  });
  ends.push(host.stop);
  return { ...host, is };
}

type Host = Awaited<ReturnType<typeof startHost>>;

/** Of several hosts, the name of the one that answers, and the end of their pool. */
function poolOf(...hosts: readonly Host[]) {
  const url = `postgres://u:p@${hosts.map(({ host }) => host).join()}/d`;
  const pool = createWriterPool(url, { max: 1 });
  ends.push(pool.end);
  const ask = () => pool.use((client) => client.query('work').then(({ rows }) => rows[0]?.name));
  return { ask, end: pool.end };
}

describe('a use that finds its host gone', () => {
  it.each([
    [1999, 'goes over to another'],
    [2000, 'is refused'],
  ])('when %i ms of two seconds have passed %s', async (passed, outcome) => {
    let now = 500;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const [one, two] = [await startHost('one'), await startHost('two', { isReadOnly: true })];
    const { ask } = poolOf(one, two);
    expect(await ask()).toBe('one');
    endlessSleeps();
    two.is.isReadOnly = false;
    one.is.connect = () => {
      now = 500 + passed;
      return '57P03';
    };
    one.is.work = '57P01';
    await expect(ask()).rejects.toThrow('refused with 57P01');
    const asking = ask();
    if (outcome === 'is refused') {
      await expect(asking).rejects.toMatchObject({ code: 'unavailable' });
    } else expect(await asking).toBe('two');
  });
});

describe('a pool that is ended while the writer is looked for', () => {
  it('has no connection to it any more', async () => {
    const { promise, resolve } = Promise.withResolvers<Said>();
    const one = await startHost('one', { isReadOnly: true });
    const two = await startHost('two', { connect: () => promise });
    const { ask, end } = poolOf(one, two);
    const asking = ask();
    await until(() => two.sessions() === 1);
    ends.pop();
    await end();
    resolve([]);
    await expect(asking).rejects.toMatchObject({ code: 'unavailable' });
    expect(two.sessionsWith('work')).toEqual([]);
    await until(() => one.open() + two.open() === 0);
  });
});
