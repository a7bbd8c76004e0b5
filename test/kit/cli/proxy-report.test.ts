// engines: sqlite
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type Breach,
  createBreaches,
  general,
  kindLine,
} from '../../../src/kit/cli/proxy/breaches.ts';
import { driftReport, reportLines, writeReport } from '../../../src/kit/cli/proxy/drift-report.ts';
import {
  decoded,
  readStart,
  take,
  transferCodings,
} from '../../../src/kit/cli/proxy/taken-body.ts';

const breach = (place: string, more: Partial<Breach> = {}): Breach => ({
  side: 'request',
  ...{ operation: 'getIt', place, message: 'is wrong' },
  ...more,
});

describe('breaches', () => {
  it('are counted by kind, once for an exchange', () => {
    const told: string[] = [];
    const breaches = createBreaches((kind) => told.push(`${kindLine(kind)} (${kind.example})`));
    const items = [
      breach('/body/1/a'),
      breach('/body/2/a'),
      breach('b', { message: 'x[1] and [22]' }),
    ];
    breaches.add(items, 'GET /1');
    breaches.add([breach('/body/3/a', { side: 'answer' }), breach('/body/4/a')], 'GET /2');
    expect(breaches.kinds().map(({ count, ...kind }) => `${count} ${kindLine(kind)}`)).toEqual([
      '2 request of getIt: /body/*/a is wrong',
      '1 request of getIt: b x[*] and [*]',
      '1 answer of getIt: /body/*/a is wrong',
    ]);
    expect(told).toEqual([
      'request of getIt: /body/*/a is wrong (GET /1)',
      'request of getIt: b x[*] and [*] (GET /1)',
      'answer of getIt: /body/*/a is wrong (GET /2)',
    ]);
    expect(breaches.further()).toBe(0);
  });

  it('are of another kind where the side, operation, place or message differs', () => {
    const breaches = createBreaches(() => {});
    const others = [
      { side: 'answer' },
      { operation: 'other' },
      { place: 'other' },
      { message: 'other' },
    ] as const;
    for (const more of [{}, ...others, {}]) breaches.add([breach('a', more)], 'GET /');
    expect(breaches.kinds().map(({ count }) => count)).toEqual([2, 1, 1, 1, 1]);
  });

  it('have so many kinds and no more', () => {
    const breaches = createBreaches(() => {});
    const all = Array.from({ length: 1002 }, (_, i) => breach(`p${i}`));
    breaches.add(all, 'a');
    breaches.add(all.slice(0, 1), 'a');
    expect([breaches.kinds().length, breaches.further()]).toEqual([1000, 2]);
    expect(breaches.kinds()[0]?.count).toBe(2);
  });

  it('have words of a length', () => {
    const breaches = createBreaches(() => {});
    breaches.add([breach('a', { message: 'b'.repeat(301) })], 'a');
    expect(breaches.kinds()[0]?.message).toBe('b'.repeat(300));
  });

  it.each([
    ['/planets/7/moons/12', '/planets/*/moons/*'],
    ['/planets/7?a=8', '/planets/*'],
    ['/planets/mars1', '/planets/mars1'],
    ['/a/0123456789abcdef', '/a/*'],
    ['/a/0123456789abcde', '/a/0123456789abcde'],
    ['/a/abcdefghijklmnopq', '/a/abcdefghijklmnopq'],
    ['/a/0123456789abcd.f', '/a/0123456789abcd.f'],
    ['/a/550e8400-e29b-41d4-a716-446655440000', '/a/*'],
    [`/${'a'.repeat(300)}`, `/${'a'.repeat(299)}`],
    ['/\ud800', '/\ufffd'],
  ])('are generalised: %s', (path, text) => {
    expect(general(path)).toBe(text);
  });
});

it('no breach moves the cursor of a terminal, or begins a line', () => {
  const breaches = createBreaches(() => {});
  const odd = 'a\u001b[31m\nb\u0007\u007f\u009b\u2028\u2029c';
  breaches.add([breach(`/${odd}`, { operation: odd, message: odd })], 'GET /a');
  const told = String.raw`a\u001b[31m\u000ab\u0007\u007f\u009b\u2028\u2029c`;
  expect(breaches.kinds()).toEqual([
    expect.objectContaining({ operation: told, place: `/${told}`, message: told }),
  ]);
});

describe('the report on drift', () => {
  const address = new URL('http://user@sky.test:81/v1?x=1');
  const traffic = {
    requests: 7,
    unread: 2,
    answers: new Map([
      ['b → 200', 3],
      ['a → <404>', 1],
    ]),
  };

  function reported(count: number) {
    const breaches = createBreaches(() => {});
    const all = Array.from({ length: count }, (_, i) =>
      breach(`p${i}<>`, i === 1 ? { side: 'answer' } : {}),
    );
    breaches.add(all, 'GET /<1>');
    return driftReport(address, breaches, traffic);
  }

  it('is for people and for tools', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drift-'));
    const report = reported(3);
    const file = join(folder, 'a/drift');
    expect(writeReport(report, `${file}.json`)).toBe(`${file}.html`);
    const page = readFileSync(`${file}.html`, 'utf8').replace(/<style>[\s\S]*<\/style>/, '');
    const data = readFileSync(`${file}.json`, 'utf8');
    rmSync(folder, { recursive: true });
    await expect(`${data}\n${page}`).toMatchFileSnapshot('expected/drift-report.txt');
    expect(reportLines(report)).toEqual([
      '7 requests; 2 bodies were too long to be checked',
      'Requests that break the contract: 2',
      '  1 × getIt: p0<> is wrong',
      '  1 × getIt: p2<> is wrong',
      'Answers that break the contract: 1',
      '  1 × getIt: p1<> is wrong',
    ]);
  });

  it('says that nothing broke the contracts, and that there is more than it has', () => {
    const kept = driftReport(
      address,
      createBreaches(() => {}),
      { ...traffic, unread: 0 },
    );
    expect(kept.isKept).toBe(true);
    expect(reportLines(kept)).toEqual(['7 requests: none broke the contracts']);
    const many = reported(1003);
    expect(many.sections.map(({ title }) => title)).toContain('Further');
    expect(reportLines(many).slice(-2)).toEqual(['Further: 1', '  3 × other kinds']);
  });
});

describe('a body that is passed on', () => {
  const MOST = 262_144;
  const stream = (...sizes: number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size, 1)));

  it('is looked at up to a length', async () => {
    const read = async (...sizes: number[]) => {
      const source = stream(...sizes);
      const taken = take(source);
      await once(source, 'end');
      const bytes = taken.whole();
      expect(bytes?.includes(0)).not.toBe(true);
      return bytes?.length;
    };
    expect(await read()).toBe(0);
    expect(await read(MOST - 1, 1)).toBe(MOST);
    expect(await read(MOST, 1)).toBe(undefined);
    expect(await read(MOST + 1, 1)).toBe(undefined);
  });

  it('is read until its end, or until it is too long', async () => {
    const started = async (...sizes: number[]) => {
      const { bytes, isWhole } = await readStart(stream(...sizes));
      return [bytes.length, isWhole];
    };
    expect(await started(3, 4)).toEqual([7, true]);
    expect(await started(MOST)).toEqual([MOST, true]);
    expect(await started(MOST, 1, 1)).toEqual([MOST + 1, false]);
    const cut = new Readable({ read() {} });
    const reading = readStart(cut);
    cut.destroy();
    await expect(reading).rejects.toThrow('the body was cut short');
    const failing = new Readable({ read() {} });
    const failed = readStart(failing);
    failing.destroy(new Error('a'));
    await expect(failed).rejects.toThrow('the body was cut short');
  });

  const text = Buffer.from('some text');

  it.each<[string, Buffer]>([
    ['identity', text],
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['', text],
    [' , ', text],
  ])('is decoded: %s', async (coding, bytes) => {
    expect(String(await decoded(bytes, { 'content-encoding': coding }))).toBe('some text');
    expect(String(await decoded(bytes, { 'transfer-encoding': `${coding}, chunked` }))).toBe(
      'some text',
    );
  });

  it('is not decoded where that cannot be done within bounds', async () => {
    const of = (bytes: Buffer | undefined, coding: string) =>
      decoded(bytes, { 'content-encoding': coding });
    expect(await of(text, 'gzip')).toBe('undecodable');
    expect(await of(gzipSync(text).subarray(0, -1), 'gzip')).toBe('undecodable');
    expect(await of(text, 'unknown')).toBe('undecodable');
    expect(await of(text, 'toString')).toBe('undecodable');
    expect(await of(undefined, '')).toBe('too long');
    expect(await of(undefined, 'gzip')).toBe('too long');
    expect(await of(Buffer.alloc(0), 'gzip')).toHaveLength(0);
    expect(await of(gzipSync(Buffer.alloc(MOST)), 'gzip')).toHaveLength(MOST);
    expect(await of(gzipSync(Buffer.alloc(MOST + 1)), 'gzip')).toBe('too long');
    const both = { 'content-encoding': 'gzip', 'transfer-encoding': 'br, chunked' };
    expect(String(await decoded(brotliCompressSync(gzipSync(text)), both))).toBe('some text');
    expect(transferCodings({ 'transfer-encoding': 'gzip, chunked' })).toEqual(['gzip']);
    expect(transferCodings({})).toEqual([]);
  });
});
