// long: starts Redocly
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Contracts, workingContracts } from '../../src/kit/cli/contract/contract-texts.ts';
import type { Finding } from '../../src/kit/cli/contract/finding.ts';
import { createPatternCheck } from '../../src/kit/cli/contract/linear-pattern.ts';
import { lintContracts } from '../../src/kit/cli/contract/lint.ts';
import { lintSettings } from '../../src/kit/cli/contract/lint-settings.ts';
import { projectSettings } from '../../src/kit/cli/project.ts';

const contracts = await workingContracts();

type Fault = readonly [rule: RegExp, key: 'openapi' | 'sdl', from: string | RegExp, to: string];

/** What our own rules find. */
const faults: readonly Fault[] = [
  [/must have a summary/, 'openapi', 'summary: List the books', 'summary: List'],
  [
    /integer without the format int32 or int64/,
    'openapi',
    'type: integer, format: int32, minimum: 1, maximum: 1000',
    'type: integer, minimum: 1, maximum: 1000',
  ],
  [/must document 405/, 'openapi', / {8}"405": .*\n/, ''],
  [
    /must document 401/,
    'openapi',
    /security: \[\{}, (.*\n[\s\S]*?) {8}"401": .*\n/,
    'security: [$1',
  ],
  [
    /must document 403/,
    'openapi',
    'security: [{}, { bearer: [] }]',
    'security: [{ bearer: [write] }]',
  ],
  [/must document 413/, 'openapi', / {8}"413": .*\n/, ''],
  [/must document 503/, 'openapi', / {8}"503": .*\n/, ''],
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
  [/has no description/, 'sdl', '"How many pages the book has."', ''],
  [/is not named like/, 'sdl', '  pages: Int!', '  page_count: Int!'],
  [
    /takes text without @bounds/,
    'sdl',
    'name: String! @bounds(minLength: 1, maxLength: 200)',
    'name: String!',
  ],
];

/** What Redocly's rules find. */
const redoclyFaults: readonly Fault[] = [
  [/security-defined/, 'openapi', '      security: []\n', ''],
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
];

function broken([, key, from, to]: Fault, given = contracts): Contracts {
  const text = given[key].replace(from, to);
  expect(text).not.toBe(given[key]);
  return { ...given, [key]: text };
}

// Patterns are the same in every test, and some take half a second.
const check = createPatternCheck();
const lint = (given: Contracts) =>
  lintContracts(given, lintSettings(projectSettings().lint), check);
const messagesOn = async (given: Contracts) =>
  (await lint(given)).map(({ rule, message }) => `${rule} ${message}`);

describe('npx accord lint', () => {
  it('finds nothing in the contracts as they are', async () => {
    expect(await lint(contracts)).toEqual([]);
  });

  it.each(faults)('finds what breaks the rule %s', async (...fault) => {
    const messages = await messagesOn(broken(fault));
    expect(messages).toEqual(expect.arrayContaining([expect.stringMatching(fault[0])]));
  });

  it('finds what breaks the rules of Redocly', async () => {
    const all = redoclyFaults.reduce((given, fault) => broken(fault, given), contracts);
    const messages = await messagesOn(all);
    for (const [rule] of redoclyFaults) {
      expect(messages).toEqual(expect.arrayContaining([expect.stringMatching(rule)]));
    }
  });
});

describe('a pattern that is not shown to match in linear time', () => {
  const schema = (text: string) => `components: { schemas: { X: ${text} } }`;
  const parameter = (text: string) =>
    `components: { parameters: { X: { name: x, in: query, schema: ${text} } } }`;
  const header = (text: string) => `components: { headers: { X: { schema: ${text} } } }`;
  const patternFindings = async (openapi: string): Promise<Finding[]> =>
    (await lint({ ...contracts, openapi })).filter(({ rule }) => rule === 'linear-pattern');
  const ambiguous = "{ type: string, maxLength: 9, pattern: '^(a|a)*$' }";

  it.each([
    ['in a schema', schema(ambiguous), '#/components/schemas/X'],
    ['in a parameter', parameter(ambiguous), '#/components/parameters/X/schema'],
    ['in a header', header(ambiguous), '#/components/headers/X/schema'],
    [
      'in a property called example',
      schema(`{ properties: { example: ${ambiguous} } }`),
      '#/components/schemas/X/properties/example',
    ],
    [
      'as a name of patternProperties',
      schema("{ patternProperties: { '^(a|a)*$': {} } }"),
      '#/components/schemas/X',
    ],
  ])(
    '%s is refused with its place, the pattern and an attack text',
    async (_, components, place) => {
      const [finding, ...others] = await patternFindings(
        `openapi: 3.1.0\npaths: {}\n${components}`,
      );
      expect(finding?.place).toBe(place);
      expect(finding?.message).toMatch(/the pattern \^\(a\|a\)\*\$ may take exponential time/);
      expect(finding?.message).toMatch(/; an attack text is .*'a+'\.repeat\(\d+\)/);
      expect(others).toEqual([]);
    },
  );

  it.each([
    ['^[0-9]+a*a*$', /may take .* time; an attack text is /],
    ['(a+)b', /may take .* time; an attack text is /],
    ['^(?=a)a*$', /is not shown to match in linear time/],
    ['^[a-z]+(-[a-z]+)*$', undefined],
  ])('%s is judged by what it can cost', async (pattern, expected) => {
    const openapi = `openapi: 3.1.0\npaths: {}\n${schema(`{ type: string, maxLength: 9, pattern: '${pattern}' }`)}`;
    const messages = (await patternFindings(openapi)).map(({ message }) => message);
    expect(messages).toEqual(expected ? [expect.stringMatching(expected)] : []);
  });

  it('is refused in the argument of a directive of the SDL', async () => {
    const sdl = `${contracts.sdl}
      "Text of a form."
      directive @form(
        "A regular expression."
        pattern: String!
      ) on SCALAR
      "A word."
      scalar Word @form(pattern: "^(a|a)*$")`;
    expect(await lint({ ...contracts, sdl })).toEqual([
      {
        rule: 'sdl-linear-pattern',
        severity: 'error',
        at: expect.stringMatching(/^schema\.graphql:\d+:\d+$/),
        place: '@form(pattern:)',
        message: expect.stringMatching(/may take .* time; an attack text is /),
      },
    ]);
  });

  it('makes the command fail on a folder with such a contract', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lint-'));
    const program = fileURLToPath(new URL('../../src/kit/cli/accord.ts', import.meta.url));
    const run = (openapi: string) => {
      writeFileSync(join(folder, 'openapi.yaml'), openapi);
      writeFileSync(join(folder, 'schema.graphql'), contracts.sdl);
      return execFileSync(process.execPath, [program, 'lint', folder], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    };
    try {
      expect(run(contracts.openapi)).toMatch(/^0 errors and 0 warnings/);
      const ambiguous = contracts.openapi
        .replace('"^[!-~]+$"', '"^([!-~]+)+$"')
        .replace(/ {6}security: \[\]\n/, '');
      expect(() => run(ambiguous)).toThrow(
        expect.objectContaining({
          status: 1,
          stdout: expect.stringMatching(
            /security-defined[\s\S]*openapi\.yaml:\d+:\d+: error linear-pattern: the pattern \^\(\[!-~\]\+\)\+\$ may take exponential time; an attack text is '!.*\n.*IdempotencyKey\/schema\n/,
          ),
        }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
