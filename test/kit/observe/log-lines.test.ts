// engines: sqlite
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLog, type LogLevel, printable } from '../../../src/kit/observe/log.ts';
import { readable } from '../../../src/kit/observe/log-form.ts';
import { serveContract } from '../../support/contract-server.ts';

afterEach(() => vi.useRealTimers());

function logged(level: LogLevel = 'info') {
  const lines: string[] = [];
  const log = createLog(level, (line) => lines.push(line));
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') };
}
const asked = { id: 'i', graphql: undefined, method: 'GET', path: '/x' };

describe('a line of the log', () => {
  it('has the time to the millisecond', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { log, last } = logged();
    for (const time of [
      ...['2026-01-02T03:04:05.007Z', '2026-01-02T03:04:05.999Z', '2026-01-02T03:04:06.000Z'],
      ...['2026-01-02T03:04:05.500Z', '2026-01-02T03:04:05.090Z', '2027-01-02T03:04:05.090Z'],
    ]) {
      vi.setSystemTime(new Date(time));
      log.info('now');
      expect(last().time).toBe(time);
    }
  });

  it('has the milliseconds of a request to two places', () => {
    const { log, last } = logged();
    for (const [ms, shown] of [
      [1.234, 1.23],
      [1.235001, 1.24],
      [0.004, 0],
      [20, 20],
    ] as const) {
      log.request?.(asked, { operation: 'a', status: 200, ms });
      expect(last().ms).toBe(shown);
    }
  });

  it('has what belongs to it, and nothing else', () => {
    const { log, last } = logged();
    log.info('Told', { docs: 'there' });
    expect(last()).toEqual({
      level: 'info',
      time: expect.any(String),
      pid: process.pid,
      docs: 'there',
      msg: 'Told',
    });
    const whole = { ...asked, graphql: 'Q', headers: ['secret'] };
    log.request?.(whole, { operation: 'a', status: 'aborted', ms: 1 });
    expect(last()).toEqual({
      ...{ level: 'info', time: expect.any(String), pid: process.pid, id: 'i', operation: 'a' },
      ...{ graphql: 'Q', method: 'GET', path: '/x', status: 'aborted', ms: 1 },
    });
    log.failure('It', 'why');
    expect(last()).toEqual({
      level: 'error',
      time: expect.any(String),
      pid: process.pid,
      cause: 'why',
      msg: 'It failed',
    });
    expect(log.lost()).toBe(0);
    expect(
      createLog(
        'info',
        () => {},
        () => 4,
      ).lost(),
    ).toBe(4);
  });

  it.each([
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), 'x'.repeat(200)],
    [`${'x'.repeat(199)}\n`, `${'x'.repeat(199)}?`],
    ['\u001f \u007e\u007f', '? ~?'],
    ['é\u0000\u001b[31m', '???[31m'],
  ])('has a client’s text without what controls a terminal: %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('has the first of a long stack, and the first five causes', () => {
    const { log, last } = logged();
    const error = (stack: string, cause?: unknown) =>
      Object.assign(new Error('x', cause === undefined ? {} : { cause }), { stack });
    log.failure('It', error('s'.repeat(3001)));
    expect(last().cause).toEqual({ stack: 's'.repeat(3000) });
    log.failure('It', 's'.repeat(3001));
    expect(last().cause).toBe('s'.repeat(3000));
    const causes = [7, 6, 5, 4, 3, 2, 1].reduce<Error | undefined>(
      (inner, n) => error(`e${n}`, inner),
      undefined,
    );
    log.failure('It', causes);
    const [e5] = [{ stack: 'e5' }];
    expect(last().cause).toEqual({
      stack: 'e1',
      cause: { stack: 'e2', cause: { stack: 'e3', cause: { stack: 'e4', cause: e5 } } },
    });
    log.failure('It', Object.assign(error('e'), { code: 7, stack: undefined }));
    expect(last().cause).toEqual({ stack: '', code: '7' });
    log.failure('It', error('e', 'a text'));
    expect(last().cause).toEqual({ stack: 'e', cause: 'a text' });
    log.failure('It', Object.create(null));
    expect(last().cause).toBe('a cause without a text');
  });
});

describe('a line for people', () => {
  const shown = (line: object) => {
    const texts: string[] = [];
    readable((text) => texts.push(text))(
      JSON.stringify({ time: '2026-01-02T03:04:05.678Z', level: 'info', pid: 1, ...line }),
    );
    return texts.join('');
  };
  const at = new Date('2026-01-02T03:04:05.678Z').toTimeString().slice(0, 8);

  it.each([
    [
      { id: 'i', operation: 'a', method: 'GET', path: '/x', status: 200, ms: 1.5 },
      `${at} GET /x 200 1.5 ms  a i\n`,
    ],
    [
      { id: 'i', operation: 'a', graphql: 'Q', method: 'POST', path: '/g', status: 200, ms: 2 },
      `${at} POST /g 200 2 ms  a Q i\n`,
    ],
    [{ msg: 'Hello' }, `${at} Hello\n`],
    [
      { msg: 'Hello', docs: 'there', longer_name: 1 },
      `${at} Hello\n  docs      there\n  longer_name 1\n`,
    ],
    [{ msg: 'It failed', request: 'r' }, `${at} It failed (r)\n`],
    [{ msg: 'It failed', request: 'r', cause: 'why' }, `${at} It failed (r)\n  why\n`],
    [
      {
        msg: 'It failed',
        cause: { stack: 'Error: a\n    at b', cause: { stack: 'c', cause: 'd' } },
      },
      `${at} It failed\n  Error: a\n      at b\n  c\n  d\n`,
    ],
    [{ msg: 'a\u001b[2J\u0007\u007f\u009f\u00a0é你\ud800' }, `${at} a?[2J???\u00a0é你\ud800\n`],
  ])('is short: %j', (line, text) => {
    expect(shown(line)).toBe(text);
  });
});

const contract = `
openapi: 3.1.0
info: { title: Paths, version: '1' }
paths: { /x: { get: { operationId: look, responses: { '200': { description: Seen. } } } } }`;

it('a request is of its operation, of the docs, of what the kit has at a known path, or of none', async () => {
  const server = await serveContract(contract, { look: () => ({ status: 200 }) });
  const names: Readonly<Record<string, string>> = {
    ...{ '/': 'docs', '/docs': 'docs', '/docs/': 'docs', '/docs/x': 'docs', '/docsx': 'none' },
    ...{ '/healthz': 'standard', '/readyz': 'standard', '/metrics': 'standard' },
    ...{ '/openapi.yaml': 'standard', '/openapi.json': 'standard', '/schema.graphql': 'standard' },
    ...{ '/x': 'look', '/y': 'none', '/healthz/': 'none' },
  };
  const operation = async (path: string, method = 'GET') => {
    const before = server.log.length;
    await (await fetch(server.url + path, { method, redirect: 'manual' })).arrayBuffer();
    while (server.log.length === before) await new Promise(setImmediate);
    return JSON.parse(server.log.at(-1) ?? '').operation;
  };
  for (const [path, name] of Object.entries(names))
    expect([path, await operation(path)]).toEqual([path, name]);
  // A path of the contract, with a method that it does not have.
  expect(await operation('/x', 'DELETE')).toBe('none');
  expect(await operation('/x', 'HEAD')).toBe('look');
  await server.stop();
});
