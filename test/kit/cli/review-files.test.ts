// engines: sqlite
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Change } from '../../../src/kit/cli/review/change.ts';
import { createAcceptance, readExceptions } from '../../../src/kit/cli/review/exceptions.ts';
import { readUsage } from '../../../src/kit/cli/review/usage.ts';
import { versionOf } from '../../../src/kit/cli/review/version.ts';

const folder = mkdtempSync(join(tmpdir(), 'review-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('the version that changes ask for', () => {
  const of = (level: Change['level'], isWording = false) => ({ level, isWording }) as Change;
  const [breaking, safe, words] = [of('breaking'), of('safe'), of('safe', true)];

  it.each([
    [[], '1.2.3', '1.2.3', 'none', true, '1.2.3'],
    [[words], '1.2.3', '1.2.3', 'patch', false, '1.2.4'],
    [[words], '1.2.3', '1.2.4', 'patch', true, '1.2.4'],
    [[words, safe], '1.2.3', '1.2.4', 'minor', false, '1.3.0'],
    [[safe], '1.2.3', '1.3.0', 'minor', true, '1.3.0'],
    [[safe, breaking, words], '1.2.3', '1.9.9', 'major', false, '2.0.0'],
    [[breaking], '1.2.3', '2.0.0', 'major', true, '2.0.0'],
    [[breaking], '1.2.3', '0.9.0', 'major', false, '2.0.0'],
    [[breaking], 'v1.2.3', 'v2.0.0', 'major', true, 'v2.0.0'],
    [[breaking], '0.2.3', '0.3.0', 'minor', true, '0.3.0'],
    [[breaking], 'v0.2.3', 'v0.2.4', 'minor', false, 'v0.3.0'],
    [[breaking], '10.2.3', '10.3.0', 'major', false, '11.0.0'],
    [[safe], '1.2.3', '1.2.3-rc.1', 'minor', false, '1.3.0'],
    [[safe], '1', '2', 'minor', true, undefined],
    [[safe], '1.2', '1.3', 'minor', true, undefined],
    [[safe], '1.2.3', '2026-01-01', 'minor', false, '1.3.0'],
    [[safe], '2026-01-01', '1.2.3', 'minor', false, undefined],
    [[breaking], '2026-01-01', '2026-01-01', 'major', false, undefined],
    [[breaking], '2026-01-01', '2026-01-02', 'major', true, undefined],
    [[breaking], '', '', 'major', false, undefined],
    [[safe], '', '', 'minor', true, undefined],
    [[safe], '', '1.0.0', 'minor', false, undefined],
  ] as const)('%#: %s to %s', (changes, from, to, asks, isMet, due) => {
    const given = changes.map((each) => ({ ...each }));
    expect(versionOf(given, from, to)).toEqual({ from, to, asks, isMet, due });
  });
});

describe('what people have accepted', () => {
  const line = (more: string) => `- { place: '#/a', reason: R., owner: O, ${more} }\n`;

  it('is read from a file', () => {
    const text = `${line('expires: 2027-01-31')}${line("expires: '2027-02-01', change: x")}`;
    const of = { place: '#/a', reason: 'R.', owner: 'O' };
    expect(readExceptions(written('good.yaml', text))).toEqual([
      { ...of, change: '', expires: '2027-01-31' },
      { ...of, change: 'x', expires: '2027-02-01' },
    ]);
    expect(readExceptions(written('empty.yaml', ''))).toEqual([]);
    const [old] = readExceptions(
      written('old.yaml', `%YAML 1.1\n---\n${line('expires: 2027-01-31')}`),
    );
    expect(old?.expires).toBe('2027-01-31');
  });

  it.each([
    ['a: 1', 'is no list of exceptions'],
    ['a: [', 'bad.yaml:1:5: not YAML: Flow sequence in block collection'],
    ['- 7', 'exception 1: has no members; it has place, change, reason, owner, expires'],
    ['- { until: 2027-01-31 }', 'exception 1: there is no until; it has place'],
    [line('expires: soon'), 'exception 1: expires is a day such as 2027-01-31'],
    [line('expires: 2027-13-31'), 'exception 1: expires is a day such as 2027-01-31'],
    [line('expires: 2027-02-31'), 'exception 1: expires is a day such as 2027-01-31'],
    [line("expires: '2027-1-31'"), 'exception 1: expires is a day such as 2027-01-31'],
    [line('expires: 2027-01-31') + line('change: a'), 'exception 2: expires is a day'],
    ["- { place: ' ', reason: a, owner: b }", 'exception 1: place is missing'],
    ['- { place: a, reason: 7, owner: b }', 'exception 1: reason is missing'],
    ['- { place: a, reason: a }', 'exception 1: owner is missing'],
  ])('is refused where it is %s', (text, message) => {
    expect(() => readExceptions(written('bad.yaml', text))).toThrow(message);
  });

  it('has to be there where it is named', () => {
    expect(() => readExceptions('none.yaml')).toThrow('there is no file none.yaml');
    expect(readExceptions(undefined)).toEqual([]);
  });

  it('is in review-exceptions.yaml where none is named', () => {
    const home = process.cwd();
    written('review-exceptions.yaml', line('expires: 2027-01-31'));
    process.chdir(folder);
    try {
      expect(readExceptions(undefined)).toMatchObject([{ place: '#/a', owner: 'O' }]);
    } finally {
      process.chdir(home);
    }
  });

  it('counts until its last day, at its place and below', () => {
    const exception = { place: '#/a', change: 'x', reason: '', owner: '', expires: '2027-01-31' };
    const isAccepted = (place: string, rule: string, today = '2027-01-31', more = {}) =>
      createAcceptance([{ ...exception, ...more }], today)(place, rule) !== undefined;
    expect(isAccepted('#/a', 'x')).toBe(true);
    expect(isAccepted('#/a', 'x', '2027-02-01')).toBe(false);
    expect(isAccepted('#/a', 'y')).toBe(false);
    expect(isAccepted('#/a', 'y', '2027-01-31', { change: '' })).toBe(true);
    expect(isAccepted('#/a/b', 'x')).toBe(true);
    expect(isAccepted('#/ab', 'x')).toBe(false);
    expect(isAccepted('#/b/a', 'x')).toBe(false);
    expect(isAccepted('Planet.name', 'x', '2027-01-31', { place: 'Planet' })).toBe(true);
    expect(isAccepted('Planets', 'x', '2027-01-31', { place: 'Planet' })).toBe(false);
  });
});

describe('how often something is used', () => {
  it('is read from JSON', () => {
    const text = ' { "a": 3, "b": { "count": 4, "last": "2026-11-01" }, "c": { "count": 5 } }';
    expect([...readUsage(written('usage.json', text))]).toEqual([
      ['a', { count: 3, last: '' }],
      ['b', { count: 4, last: '2026-11-01' }],
      ['c', { count: 5, last: '' }],
    ]);
    expect(() => readUsage(written('bad.json', '{ "a": { "last": 1 } }'))).toThrow(
      'a has no count',
    );
  });

  it('is read from metrics, where a deprecated operation counts once', () => {
    const text = `# HELP accord_requests_total Requests.
accord_requests_total{operation="listPlanets",status="200"} 3
accord_requests_total{operation="listPlanets",status="400"} 4
accord_rest_deprecated_use_total{operation="listPlanets"} 7
accord_rest_deprecated_use_total{part="getPlanet query a"} 2
accord_graphql_deprecated_use_total{part="Planet.mass"} 5
accord_other_total{operation="x"} 9
`;
    expect([...readUsage(written('metrics.txt', text))]).toEqual([
      ['listPlanets', { count: 7, last: '' }],
      ['getPlanet query a', { count: 2, last: '' }],
      ['Planet.mass', { count: 5, last: '' }],
    ]);
  });

  it('is nothing where a server has answered nothing, and refused where it is something else', () => {
    const declared = '# TYPE accord_requests_total counter\n';
    expect(readUsage(written('declared.txt', declared))).toEqual(new Map());
    expect(() => readUsage(written('other.txt', 'accord\n'))).toThrow(
      'other.txt is neither a copy of /metrics nor a JSON object',
    );
    expect(() => readUsage(written('broken.json', '{ "a" 1 }'))).toThrow('broken.json: ');
  });

  it('is not known without a file, and refused where there is none', () => {
    expect(readUsage(undefined)).toEqual(new Map());
    expect(() => readUsage('none.txt')).toThrow('there is no file none.txt');
  });
});
