// engines: sqlite
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const program = new URL('test/support/sdk-retries.py', root).pathname;
const runtime = new URL('src/kit/cli/sdk/python', root).pathname;

type Question = readonly [name: string, ...given: unknown[]];
type Row = readonly [question: Question, answer: unknown];

/** Both clients, the plain one and the asynchronous one, come to the same. */
const both = (question: Question, told: unknown): Row => [question, [told, told]];

const unheard = [
  ['any', 'keyed'],
  ['any', 'keyed'],
];
const refusedForNow = [
  ['any', 'keyed', 'versioned'],
  ['any', 'keyed', 'versioned'],
];
const never = [[], []];
const repeated: Row[] = [
  // Of the first attempt, and where an earlier one may have been carried out.
  [['repeatable', null], unheard],
  ...[408, 502, 504].map((status): Row => [['repeatable', status], unheard]),
  ...[429, 503].map((status): Row => [['repeatable', status], refusedForNow]),
  [
    ['repeatable', 409],
    [[], ['keyed']],
  ],
  ...[200, 400, 404, 412, 500, 501, 505].map((status): Row => [['repeatable', status], never]),
  [['uncertain', null], true],
  ...[408, 502, 504].map((status): Row => [['uncertain', status], true]),
  ...[200, 409, 429, 500, 503].map((status): Row => [['uncertain', status], false]),
];

const delay = (
  attempt: number,
  retryAfter: string | null,
  most: number,
  seconds: number | null,
): Row => [['delay', 'any', 503, retryAfter, attempt, false, most], seconds];
const waited: Row[] = [
  // It doubles from 0.2 s up to 8 s, of which chance takes all here.
  ...[delay(1, null, 60, 0.2), delay(2, null, 60, 0.4), delay(3, null, 60, 0.8)],
  ...[delay(6, null, 60, 6.4), delay(7, null, 60, 8), delay(20, null, 60, 8)],
  ...[delay(1, null, 0.2, 0.2), delay(1, null, 0.19, null)],
  ...[delay(1, '7', 60, 7), delay(9, '0', 60, 0), delay(1, '60', 60, 60), delay(1, '61', 60, null)],
  ...[delay(1, 'soon', 60, 0.2), delay(1, 'Sun, 15 Nov 2026 12:00:09 GMT', 60, 9)],
  [['seconds', null], null],
  [['seconds', ' 12 '], 12],
  [['seconds', 'Sun, 15 Nov 2026 12:01:01 GMT'], 61],
  [['seconds', 'Sun, 15 Nov 2026 11:00:00 GMT'], 0],
  [['seconds', 'soon'], null],
];

const of = <T>(count: number, each: T) => Array.from({ length: count }, () => each);
const busy = (count: number) => of(count, [503, '0']);
const get = (planned: unknown[], settings = {}, options = {}): Question => [
  'talk',
  'GET',
  planned,
  settings,
  options,
];
const call = (method: string, planned: unknown[]): Question => ['talk', method, planned, {}, {}];
const refused = (status: number) => ['ApiError', `it was answered with ${status}`];
/** Status and data or the error, the pauses, the timeout of each attempt, and the keys that were sent. */
const called: Row[] = [
  both(get([[200]]), [200, 'a', [], [30], 0]),
  // Three times, unless the client or the call says otherwise.
  both(get([...busy(3), [200]]), [200, 'a', of(3, 0), of(4, 30), 0]),
  both(get(busy(4)), [...refused(503), of(3, 0), of(4, 30), 0]),
  both(get(busy(2), { retries: 1 }), [...refused(503), [0], [30, 30], 0]),
  both(get(busy(1), { retries: 1 }, { retries: 0 }), [...refused(503), [], [30], 0]),
  // After a minute at most, unless the client says otherwise.
  both(get([[503, '60'], [200]]), [200, 'a', [60], [30, 30], 0]),
  both(get([[503, '61']]), [...refused(503), [], [30], 0]),
  both(get([[503, '61'], [200]], { max_delay: 61 }), [200, 'a', [61], [30, 30], 0]),
  both(get([['lost'], ['lost'], [200]]), [200, 'a', [0.2, 0.4], of(3, 30), 0]),
  both(get([['lost']], { retries: 0 }), [
    ...['ApiConnectionError', 'it got no answer: it was cut'],
    ...[[], [30], 0],
  ]),
  both(get([['late']], { retries: 0 }), [
    ...['ApiTimeoutError', 'it got no answer: none within 30.0 s'],
    ...[[], [30], 0],
  ]),
  both(get([['late'], [200]], { timeout: 7 }, { timeout: 2 }), [200, 'a', [0.2], [2, 2], 0]),
  both(get([[200]], { timeout: 7 }), [200, 'a', [], [7], 0]),
  // A delete that was carried out unheard finds nothing when it is sent again.
  both(call('DELETE', [[502, '0'], [404]]), [404, null, [0], [30, 30], 0]),
  both(call('DELETE', [['lost'], [404]]), [404, null, [0.2], [30, 30], 0]),
  both(call('DELETE', [[503, '0'], [404]]), [...refused(404), [0], [30, 30], 0]),
  both(call('DELETE', [[404]]), [...refused(404), [], [30], 0]),
  both(call('GET', [[502, '0'], [404]]), [...refused(404), [0], [30, 30], 0]),
  // With one key, also while its twin is on its way.
  both(call('POST', [[504, '0'], [409, '0'], [200]]), [200, 'a', [0, 0], of(3, 30), 1]),
  both(call('POST', [[409]]), [...refused(409), [], [30], 1]),
  both(call('PATCH', [[503, '0']]), [...refused(503), [], [30], 0]),
];

const updated: Row[] = [
  both(['update', 0, 412], [['1 changed', '"1"'], 1, 1]),
  both(['update', 9, 412], [['10 changed', '"10"'], 10, 10]),
  both(['update', 10, 412], [412, 10, 10]),
  both(['update', 1, 409], [409, 1, 1]),
];

// One process answers all questions. A developer may be without Python, whoever checks a change may not.
const groups: Record<string, Row[]> = { repeated, waited, called, updated };
const questions = Object.entries(groups).map(([name, rows]) => [
  name,
  rows.map(([asked]) => asked),
]);
const { stdout, stderr, error } = spawnSync('python3', [program], {
  encoding: 'utf8',
  env: { ...process.env, PYTHONPATH: runtime, PYTHONDONTWRITEBYTECODE: '1' },
  input: JSON.stringify(Object.fromEntries(questions)),
});

describe.skipIf(error && process.env.CI !== 'true')('the SDK for Python', () => {
  it.each([
    ['sends again what may be sent again', 'repeated'],
    ['waits as it is told, longer each time else', 'waited'],
    ['retries a call within its bounds', 'called'],
    ['updates while somebody else is faster, ten times', 'updated'],
  ])('%s', (_, name) => {
    expect(stderr).toBe('');
    const answers = JSON.parse(stdout)[name];
    const rows = groups[name] ?? [];
    expect(rows.map(([question], i) => [question, answers[i]])).toEqual(rows);
  });
});
