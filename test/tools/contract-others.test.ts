// long: starts a process for each command
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../src/kit/cli/accord.ts', import.meta.url));
const commands = ['lint', 'diff', 'parity', 'review', 'coverage'];
const ofThisApi = /\b(books?|tasks?|greet\w*|todos?)\b/i;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder with some files, far from this repository. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'others-'));
  folders.push(folder);
  write(folder, files);
  return folder;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

type Ended = { readonly code: unknown; readonly out: string; readonly err: string };

function accord(cwd: string, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd, maxBuffer: 2 ** 28 }, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    );
  });
}

const foreign = (path: string) =>
  readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), 'utf8');

const sdl = `
type Query { planet(id: ID!): Planet, search(text: String!): [Planet!]! }
type Planet { id: ID!, name: String!, moons: Int }
`;
const severalFiles = {
  'openapi.yaml': `openapi: 3.1.0
info: { title: Sky, version: 1.0.0 }
paths:
  /planets:
    $ref: paths/planets.yaml
`,
  'paths/planets.yaml': `get:
  operationId: listPlanets
  responses:
    '200':
      description: All planets.
      content:
        application/json:
          schema: { type: array, items: { $ref: '../schemas.yaml#/Planet' } }
`,
  'schemas.yaml': 'Planet: { type: object, properties: { name: { type: string } } }\n',
};

/** Contracts as they were, the options that name them, and what changes. */
const contracts = [
  {
    name: 'galaxy',
    files: { 'api.json': foreign('@scalar/galaxy/dist/latest.json') },
    options: ['--openapi', 'api.json'],
    change: ['api.json', '"/me"', '"/self"'],
  },
  {
    name: 'train-travel',
    files: { 'train.yaml': foreign('@readme/oas-examples/3.1/yaml/train-travel.yaml') },
    options: ['--openapi', 'train.yaml'],
    change: ['train.yaml', '  /trips:', '  /journeys:'],
  },
  {
    name: 'petstore',
    files: { 'pets.json': foreign('@readme/oas-examples/3.0/json/petstore.json') },
    options: ['--openapi', 'pets.json'],
    change: ['pets.json', '"/store/inventory"', '"/store/stock"'],
  },
  {
    name: 'an SDL alone',
    files: { 'api.graphql': sdl },
    options: ['--schema', 'api.graphql'],
    change: ['api.graphql', 'name: String!', 'name: String'],
  },
  {
    name: 'a contract of several files',
    files: severalFiles,
    options: [],
    change: ['schemas.yaml', 'type: string', 'type: integer'],
  },
] as const;

describe.each(contracts)('on $name', ({ files, options, change: [file, from, to] }) => {
  const before = project(files);
  const folder = project(files);
  const text = readFileSync(join(folder, file), 'utf8');
  write(folder, { [file]: text.replace(from, to) });

  it.each(commands)('accord %s does not crash and names nothing of this API', async (command) => {
    expect(text).toContain(from);
    const base = command === 'diff' || command === 'review' ? [before] : [];
    const { code, out, err } = await accord(folder, command, ...base, ...options);
    expect(err).toBe('');
    expect([0, 1]).toContain(code);
    expect(out).not.toMatch(ofThisApi);
    if (command === 'diff') expect(out).toMatch(/^BREAKING: /m);
    if (command !== 'review') return;
    expect(readFileSync(join(folder, 'artefacts/review.html'), 'utf8')).not.toMatch(ofThisApi);
  });
});

describe('accord lint', () => {
  const openapi = `openapi: 3.1.0
info: { title: Sky, version: 1.0.0, license: { name: MIT, identifier: MIT } }
servers: [{ url: 'https://sky.test' }]
paths:
  /planets:
    get:
      operationId: listPlanets
      summary: Lists them
      responses: { '200': { description: All. }, default: { description: A fault. } }
`;
  const settings = (lint: object) => ({ 'package.json': JSON.stringify({ accord: { lint } }) });
  const linted = (lint: object) =>
    accord(project({ 'openapi.yaml': openapi, ...settings(lint) }), 'lint');

  it('tells the place, the severity and the rule of each finding, and fails on errors only', async () => {
    const { code, out } = await linted({});
    expect(out).toContain(
      'openapi.yaml:6:5: warning security-defined: Every operation should have security defined on it or on the root level.',
    );
    expect(out).toMatch(/^0 errors and \d+ warnings? in openapi\.yaml$/m);
    expect(code).toBe(0);
    const strict = await linted({ 'security-defined': 'error' });
    expect(strict.out).toMatch(/^1 error and /m);
    expect(strict.code).toBe(1);
  });

  it.each([
    ['everywhere', 'off: a gateway checks it'],
    ['at a place', { '#/paths/~1planets': 'off: a gateway checks it' }],
  ])('switches a rule off %s with a reason', async (_, value) => {
    const { code, out } = await linted({ '*': 'warning', 'security-defined': value });
    expect(out).not.toContain('security-defined');
    expect(out).toContain('operation-one-tag');
    expect(code).toBe(0);
  });

  it.each([
    ['without a reason', { 'security-defined': 'off' }, /is off without a reason/],
    ['without a reason at a place', { 'schema-bounds': { '#': 'off:' } }, /without a reason/],
    ['that is not there', { 'no-such-rule': 'error' }, /there is no rule no-such-rule/],
    ['with another value', { 'schema-bounds': 'loud' }, /takes "error", "warning" or/],
  ])('refuses a rule %s', async (_, lint, message) => {
    const { code, err } = await linted(lint);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it('finds an SDL that is not valid, with its place', async () => {
    const { code, out } = await accord(
      project({ 'api.graphql': 'type Query { a: Nope }\n' }),
      ...['lint', '--schema', 'api.graphql'],
    );
    expect(out).toMatch(/^api\.graphql:1:17: error sdl-valid: Unknown type/);
    expect(code).toBe(1);
  });
});

describe('what accord diff compares with', () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  const changed = { 'schemas.yaml': severalFiles['schemas.yaml'].replace('string', 'integer') };

  it('is a folder, a git revision or a file', async () => {
    const folder = project(severalFiles);
    git(folder, 'init', '--quiet');
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '--message', 'first');
    write(folder, changed);
    const before = project(severalFiles);
    for (const base of [[before], [join(before, 'openapi.yaml')], ['HEAD'], []]) {
      const { code, out, err } = await accord(folder, 'diff', ...base);
      expect([code, err], out).toEqual([1, '']);
      expect(out).toMatch(/^BREAKING: 1 change/m);
    }
    write(folder, { 'docs/released/openapi.yaml': 'openapi: 3.1.0\npaths: {}\n' });
    expect((await accord(folder, 'diff')).out).toMatch(/^docs\/released → /);
  });

  it('has to be there', async () => {
    const folder = project(severalFiles);
    expect(await accord(folder, 'diff')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/there is no docs\/released and no git revision/),
    });
    expect(await accord(folder, 'diff', 'v9')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/there is no folder, no file and no git revision v9/),
    });
  });

  it('may lack one of the contracts', async () => {
    const folder = project({ ...severalFiles, 'schema.graphql': sdl });
    const before = project(severalFiles);
    const come = await accord(folder, 'diff', before);
    expect(come.out).toMatch(/^safe +GraphQL {2}The whole GraphQL contract is new\.$/m);
    expect(come.code).toBe(0);
    for (const command of ['diff', 'review']) {
      const gone = await accord(before, command, folder);
      expect([gone.code, gone.out]).toEqual([1, expect.stringMatching(/^BREAKING/m)]);
    }
    // Who names one contract compares that one.
    const one = await accord(before, 'diff', folder, '--openapi', 'openapi.yaml');
    expect([one.code, one.out]).toEqual([0, expect.stringMatching(/Nothing has changed/)]);
  });
});

describe('accord review', () => {
  const changed = { 'schemas.yaml': severalFiles['schemas.yaml'].replace('string', 'integer') };
  const entry = (lines: string) => ({
    'review-exceptions.yaml': `- place: "#/components"\n${lines}`,
  });
  const accepted = '  reason: Nobody reads it.\n  owner: Ada\n  expires: 2999-01-31\n';

  it('fails where something is left to decide, and not where people have accepted it', async () => {
    const before = project(severalFiles);
    const open = project({ ...severalFiles, ...changed });
    const { code, out } = await accord(open, 'review', before, '--format', 'markdown');
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^BREAKING: .*; the version is still 1\.0\.0, and 2\.0\.0 is due\.\n/),
    ]);
    expect(readFileSync(join(open, 'artefacts/review.md'), 'utf8')).toContain('`name` of `Planet`');
    write(open, {
      ...entry(accepted),
      'openapi.yaml': severalFiles['openapi.yaml'].replace('1.0.0', '1.1.0'),
    });
    const second = await accord(open, 'review', before);
    expect([second.code, second.out]).toEqual([0, expect.stringMatching(/^BREAKING, ACCEPTED: /)]);
  });

  it.each([
    ['a format that it does not have', {}, ['--format', 'pdf'], /--format takes html, markdown/],
    [
      'an exception without a reason',
      entry('  owner: Ada\n'),
      [],
      /exception 1: reason is missing/,
    ],
    ['an exception without an end', entry('  owner: A\n  reason: B\n'), [], /expires is a day/],
    ['an exception with another member', entry('  until: 2027\n'), [], /there is no until/],
    ['a usage report that is not there', {}, ['--usage', 'no.txt'], /there is no file no\.txt/],
    ['a folder as a usage report', {}, ['--usage', '.'], /\. is a folder, expected a file/],
    [
      'a usage report that is none',
      { 'a.txt': 'once' },
      ['--usage', 'a.txt'],
      /a\.txt is neither a copy of \/metrics nor a JSON object/,
    ],
    ['half a usage report', { 'a.json': '{"a": 1' }, ['--usage', 'a.json'], /a\.json: .*JSON/],
    ['exceptions that are not there', {}, ['--exceptions', 'no'], /there is no file no/],
    ['a folder as exceptions', {}, ['--exceptions', '.'], /\. is a folder, expected a file/],
    [
      'exceptions that are no YAML',
      { 'a.yaml': '- place: "b' },
      ['--exceptions', 'a.yaml'],
      /a\.yaml:1:12: not YAML: Missing closing "quote/,
    ],
    ['a folder as its output', {}, ['--output', '.'], /\. is a folder, expected a file/],
    [
      'an output below a file',
      { 'a.txt': '' },
      ['--output', 'a.txt/b'],
      /a\.txt\/b cannot be written: EEXIST/,
    ],
  ])('refuses %s', async (_, files, options, message) => {
    const folder = project({ ...severalFiles, ...files });
    const { code, err } = await accord(folder, 'review', folder, ...options);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe.each(commands)('accord %s', (command) => {
  it('has an example in its help', async () => {
    const { code, out } = await accord(tmpdir(), command, '--help');
    expect(out).toMatch(/^Example:\n {2}accord /m);
    expect(out).toContain(`\n  accord ${command} `);
    expect(code).toBe(0);
  });

  it.each([['--nope'], ['--openapi', 'nowhere.yaml']])('refuses %s %s', async (...args) => {
    const { code, out, err } = await accord(tmpdir(), command, ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(new RegExp(`^accord ${command}: .*\\nSee: accord ${command} --help\\n$`));
  });
});
