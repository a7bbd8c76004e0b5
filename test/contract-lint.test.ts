import { describe, expect, it } from 'vitest';
import { type Contracts, workingContracts } from '../tools/contract/contracts.ts';
import { lintContracts } from '../tools/contract/lint.ts';

const contracts = workingContracts();

type Fault = readonly [rule: RegExp, key: 'openapi' | 'sdl', from: string | RegExp, to: string];

const faults: readonly Fault[] = [
  [/must have a summary/, 'openapi', 'summary: List the books', 'summary: List'],
  [/must document 405/, 'openapi', / {8}"405": .*\n/, ''],
  [/string without bounds/, 'openapi', /( {4}Title:\n(?: {6}.*\n)*?) {6}maxLength: .*\n/, '$1'],
  [
    /must refuse unknown/,
    'openapi',
    /( {4}Book:\n[\s\S]*?)additionalProperties: false/,
    '$1additionalProperties: true',
  ],
  [
    /a body without an example/,
    'openapi',
    /( {14}schema: .*BookList" }\n) {14}examples:\n.*\n/,
    '$1',
  ],
  [
    /no-invalid-media-type-examples/,
    'openapi',
    'value: { id: 2, title: Invisible Cities',
    'value: { id: two, title: Invisible Cities',
  ],
  [
    /no-ambiguous-paths/,
    'openapi',
    '  /greet/{lang}:',
    '  /{kind}/hello:\n    get: { responses: {} }\n  /greet/{lang}:',
  ],
  [
    /no-unused-components/,
    'openapi',
    '  headers:\n    ContractDigest:',
    '  headers:\n    Unused: { description: Nobody has it., schema: { type: string, maxLength: 1 } }\n    ContractDigest:',
  ],
  [/has no description/, 'sdl', '"How many pages the book has."', ''],
  [/is not named like/, 'sdl', '  pages: Int!', '  page_count: Int!'],
  [
    /takes text without @bounds/,
    'sdl',
    'name: String! @bounds(minLength: 1, maxLength: 200)',
    'name: String!',
  ],
];

describe('npm run contract -- lint', () => {
  it('finds nothing in the contracts as they are', () => {
    expect(lintContracts(contracts)).toEqual([]);
  });

  it.each(faults)('finds what breaks the rule %s', (rule, key, from, to) => {
    const broken: Contracts = { ...contracts, [key]: contracts[key].replace(from, to) };
    expect(broken[key]).not.toBe(contracts[key]);
    const messages = lintContracts(broken).map(({ message }) => message);
    expect(messages).toEqual(expect.arrayContaining([expect.stringMatching(rule)]));
  });
});
