import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { step } from '../../../src/kit/store/database.ts';
import { connect } from '../../../src/kit/store/postgres/postgres-statements.ts';
import type { Reading, ReplicaOptions } from '../../../src/kit/store/replica-reading.ts';
import {
  fakeTimers,
  realTime,
  settlesAfter,
  soon,
  turns,
  until,
  waitsFor,
} from '../../support/fake-time.ts';
import { type Said, silence, startScripted } from '../../support/scripted-postgres.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  realTime();
  for (const end of ends.splice(0).reverse()) await end();
});

const first = ([column]: [unknown]) => column;

type Given = {
  readonly poolSize?: number;
  readonly parameters?: string;
  readonly isReady?: boolean;
  readonly replicas?: ReplicaOptions | undefined;
};

/** Connects to a host of PostgreSQL that answers as the script says. */
async function connected(
  script: (sql: string) => Said | Promise<Said>,
  { poolSize = 2, parameters = '', isReady = true, replicas }: Given = {},
) {
  const host = await startScripted((sql) => (sql === 'connect' ? [] : script(sql)));
  ends.push(host.stop);
  const onStatement = vi.fn();
  const open = connect(`${host.address}${parameters}`, {
    ...{ poolSize, onStatement, listTimeout: 10_000, isReady: () => isReady, replicas },
  });
  ends.push(open.close);
  const statements = () => host.asked.filter(({ sql }) => !/^(connect|goodbye)$/.test(sql));
  return {
    ...{ ...open, host, onStatement },
    asked: () => statements().map(({ sql }) => sql),
    names: () => statements().map(({ name }) => name),
  };
}

describe('a statement', () => {
  it('is given up by the server after five seconds, and by nobody before the tables are there', async () => {
    const { db, ping, host } = await connected(() => [{ x: '1' }]);
    expect(await db.read('SELECT 1', first)()).toEqual(['1']);
    await ping();
    expect(host.asked[0]?.name).toMatch(/ statement_timeout 5000 /);
    const early = await connected(() => [{ x: '1' }], { isReady: false });
    for (const asking of [early.db.read('SELECT 1', first)(), early.ping()]) {
      await expect(asking).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(early.host.sessions()).toBe(0);
  });

  it.each<['read' | 'write', code: string, times: number]>([
    ...(['40001', '40P01', '25006', '57P01', '08006'] as const).map(
      (code): ['read', string, number] => ['read', code, 2],
    ),
    ...(['57014', '53300', '42P01', '23514', '28000'] as const).map(
      (code): ['read', string, number] => ['read', code, 1],
    ),
    ...(['40001', '40P01', '25006'] as const).map((code): ['write', string, number] => [
      'write',
      code,
      2,
    ]),
    ...(['57P01', '08006', '57014', '53300', '42P01', '23505'] as const).map(
      (code): ['write', string, number] => ['write', code, 1],
    ),
  ])('that %ss and fails with %s is asked %i times', async (kind, code, times) => {
    const { db, onStatement, asked } = await connected(() => code);
    await expect(db[kind]('SELECT 1', first)()).rejects.toThrow();
    expect(onStatement).toHaveBeenCalledTimes(times);
    expect(asked()).toEqual(Array(times).fill('SELECT 1'));
  });

  it('is waited for when the store is closed', async () => {
    const { promise, resolve } = Promise.withResolvers<Said>();
    const { db, close, asked } = await connected(() => promise);
    const reading = db.read('SELECT 1', first)();
    await until(() => asked().length > 0);
    ends.pop();
    expect(await waitsFor(close(), () => resolve([{ x: '1' }]))).toBe(true);
    expect(await reading).toEqual(['1']);
  });

  it('that fails once and then does not is answered', async () => {
    const said: Said[] = ['40001', [{ x: 'a' }]];
    const { db } = await connected(() => said.shift() ?? []);
    expect(await db.write('UPDATE x', first)()).toEqual(['a']);
  });
});

describe('lists that look at every record', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ])('have of %i connections %i at a time', async (poolSize, most) => {
    const { db } = await connected(() => [], { poolSize });
    const { enter, longest } = db.scans;
    expect(longest).toBe(10_000);
    const entered = vi.fn();
    const entering = Array.from({ length: poolSize + 1 }, () =>
      enter(Number.POSITIVE_INFINITY).then((leave) => {
        entered();
        return leave;
      }),
    );
    await turns(10);
    expect(entered).toHaveBeenCalledTimes(most);
    // Each that leaves makes room for the next.
    for (const each of entering) (await each)();
    expect(entered).toHaveBeenCalledTimes(poolSize + 1);
  });
});

describe('a host that does not answer is given up', () => {
  type Db = Awaited<ReturnType<typeof connected>>;
  it.each<[string, (open: Db) => unknown, silentAt: string, ms: number]>([
    ['by a read after six seconds', ({ db }) => db.read('SELECT 2', first)(), 'SELECT 2', 6000],
    ['by a write after six seconds', ({ db }) => db.write('UPDATE x', first)(), 'UPDATE x', 6000],
    ['by BEGIN after six seconds', ({ db }) => db.writeAll(remove), 'BEGIN', 6000],
    ['by a step after six seconds', ({ db }) => db.writeAll(remove), 'DELETE', 6000],
    ['by COMMIT after six seconds', ({ db }) => db.writeAll(remove), 'COMMIT', 6000],
    ['by ROLLBACK after six seconds', ({ db }) => db.writeAll(refused), 'ROLLBACK', 6000],
    ['by a ping after a second', ({ ping }) => ping(), 'SELECT 1', 1000],
  ])('%s, and is asked nothing more', async (name, ask, silentAt, ms) => {
    fakeTimers();
    const open = await connected((sql) => {
      if (sql === silentAt) return silence;
      return sql === 'REFUSED' ? '23514' : [];
    });
    const outcome = Promise.resolve(ask(open)).catch((error: unknown) => error);
    await until(() => open.asked().includes(silentAt));
    expect(await settlesAfter(ms, outcome)).toBe(true);
    realTime();
    expect(open.asked().at(-1)).toBe(silentAt);
    const error = Object(await outcome);
    expect(error.code).toBe('unavailable');
    // Of a write it is not known whether it was made.
    expect(error.detail?.includes('Look before you try again') ?? false).toBe(
      !/read|ping/.test(name),
    );
    open.host.cut();
  });
  const remove = () => step('DELETE', first)();
  const refused = () => step('REFUSED', first)();
});

describe('with replicas', () => {
  // The writer is asked for its position now and then.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));

  const replicas = (url: string, reading?: Reading) => {
    const told = { onRead: vi.fn(), onLost: vi.fn(), onBack: vi.fn() };
    return { url, lag: 600_000, current: () => reading, ...told };
  };
  // Nobody listens there.
  const nowhere = 'postgres://u:p@127.0.0.1:1/d';

  it.each([
    ['', nowhere, true],
    ['?prepared_statements=off', nowhere, false],
    ['', `${nowhere}?prepared_statements=off`, false],
    ['', undefined, true],
    ['?prepared_statements=off', undefined, false],
  ])('statements of %j and %s have names: %s', async (parameters, url, hasNames) => {
    const open = await connected(() => [{ x: '1' }], {
      parameters,
      replicas: url === undefined ? undefined : replicas(url),
    });
    for (const sql of ['SELECT 1', 'SELECT 2', 'SELECT 1']) await open.db.read(sql, first)();
    const [one, two, again] = open.names();
    expect(one).toMatch(hasNames ? /^[0-9a-f]{32}$/ : /^$/);
    expect(again).toBe(one);
    expect(two !== one).toBe(hasNames);
  });

  it('each read of one row is a statement of its own, without them those of a turn are one', async () => {
    for (const given of [replicas(nowhere), undefined]) {
      const { db, asked } = await connected(() => [{ x: '1' }], { replicas: given });
      const read = db.readOne('SELECT $1', ['text'], first);
      expect(await Promise.all([read('a'), read('a')])).toEqual(['1', '1']);
      expect(asked()).toHaveLength(given ? 2 : 1);
      if (given) expect(given.onRead.mock.calls).toEqual([['writer'], ['writer']]);
    }
  });

  it('reads are theirs as far as they may be, and both are left when the store is closed', async () => {
    const said: { rows: Said } = { rows: [{ x: 'replica' }] };
    const replica = await startScripted((sql) =>
      sql.includes('recovery') ? [{ lsn: '0/5' }] : said.rows,
    );
    ends.push(replica.stop);
    const reading = { mayLag: true, least: '', onWrite: vi.fn() };
    const given = replicas(replica.address, reading);
    const open = await connected(() => [{ x: '0/1' }], { replicas: given });
    const read = open.db.read('SELECT 1', first);
    while ((await read())[0] !== 'replica') {
      reading.mayLag = true;
      await vi.advanceTimersByTimeAsync(500);
      await turns(10);
    }
    expect(given.onRead).toHaveBeenLastCalledWith('replica');
    expect(await open.db.readOne('SELECT 2', [], first)()).toBe('replica');
    said.rows = '57014';
    await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
    said.rows = '42P01';
    expect(await read()).toEqual(['0/1']);
    expect(given.onRead).toHaveBeenLastCalledWith('writer');
    ends.pop();
    await open.close();
    for (const { sessionsWith } of [replica, open.host]) {
      const [session] = sessionsWith('SELECT 1');
      expect(await soon(() => sessionsWith('goodbye').includes(Number(session)))).toBe(true);
    }
  });

  it('a request is told the position of each write and of each transaction, and of no read', async () => {
    const reading = { mayLag: false, least: '', onWrite: vi.fn() };
    const positions = ['0/1', '0/2', '1/3'];
    const script = (sql: string) =>
      sql.includes('wal_insert') ? [{ lsn: positions.shift() ?? null }] : [{ id: '7' }];
    const { db } = await connected(script, { replicas: replicas(nowhere, reading) });
    expect(await db.read('SELECT 1', first)()).toEqual(['7']);
    expect(await db.write('UPDATE x', first)()).toEqual(['7']);
    expect(await db.insert('t', { sql: '(a) VALUES ($1)', plain: [] })('a')).toBe('7');
    expect(await db.writeAll(() => step('DELETE', first)())).toEqual(['7']);
    expect(reading.onWrite.mock.calls).toEqual([
      ['0000000000000001'],
      ['0000000000000002'],
      ['0000000100000003'],
    ]);
  });

  it('the position is asked for without waiting for the answer to the write', async () => {
    const { promise, resolve } = Promise.withResolvers<Said>();
    const reading = { mayLag: false, least: '', onWrite: vi.fn() };
    const script = (sql: string) => (sql === 'UPDATE x' ? promise : [{ lsn: '0/1' }]);
    const { db, asked } = await connected(script, { replicas: replicas(nowhere, reading) });
    const sending = vi.spyOn(Socket.prototype, 'write');
    const writing = db.write('UPDATE x', first)();
    await until(() => asked().length > 0);
    expect(
      await soon(() => sending.mock.calls.some(([sent]) => String(sent).includes('wal_insert'))),
    ).toBe(true);
    resolve([{ x: '1' }]);
    expect(await writing).toEqual(['1']);
    expect(reading.onWrite).toHaveBeenCalledTimes(1);
  });

  it('a write that fails has no position, and one whose position is not known fails', async () => {
    const reading = { mayLag: false, least: '', onWrite: vi.fn() };
    let fails = 'UPDATE x';
    const script = (sql: string): Said => (sql.includes(fails) ? '42P01' : [{ lsn: '0/1' }]);
    const { db } = await connected(script, { replicas: replicas(nowhere, reading) });
    for (const part of ['UPDATE x', 'wal_insert']) {
      fails = part;
      await expect(db.write('UPDATE x', first)()).rejects.toThrow('refused with 42P01');
    }
    expect(reading.onWrite).not.toHaveBeenCalled();
  });
});
