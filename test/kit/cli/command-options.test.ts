// engines: sqlite
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { diffCommand } from '../../../src/kit/cli/contract/diff-command.ts';
import { lintCommand } from '../../../src/kit/cli/contract/lint-command.ts';
import { parityCommand } from '../../../src/kit/cli/contract/parity-command.ts';
import { reviewCommand } from '../../../src/kit/cli/contract/review-command.ts';
import { coverageCommand } from '../../../src/kit/cli/coverage/coverage-command.ts';
import { generateCommand } from '../../../src/kit/cli/generate/generate-command.ts';
import { mockCommand } from '../../../src/kit/cli/mock/mock-command.ts';
import { contractFiles, namedText, outputTo } from '../../../src/kit/cli/project.ts';
import { sdkCommand } from '../../../src/kit/cli/sdk/sdk-command.ts';
import { testCommand } from '../../../src/kit/cli/test/test-command.ts';

const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'options-'));
beforeAll(() => {
  process.chdir(folder);
  writeFileSync('schema.graphql', 'type Query { a: Int }\n');
  mkdirSync('other');
  writeFileSync('other/openapi.yaml', 'openapi: 3.1.0\n');
  writeFileSync('broken.yaml', 'a: [1\nb: }\n');
  writeFileSync('broken.graphql', '\n{ a');
  writeFileSync('wrong.graphql', 'query A {\n  b\n}');
  writeFileSync('empty.yaml', '');
  const schemas = "components: { schemas: { A: { $ref: './a.yaml' } } }\n";
  const head = 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n';
  writeFileSync('several.yaml', head + schemas);
  writeFileSync('a.yaml', 'hello\n');
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

it.each([
  ['lint', lintCommand, ['a', 'b']],
  ['diff', diffCommand, ['a', 'b']],
  ['review', reviewCommand, ['a', 'b']],
  ['parity', parityCommand, ['b']],
  ['mock', mockCommand, ['b']],
] as const)('%s takes no more words than it says', async (_, { run }, words) => {
  await expect(run(words)).rejects.toThrow("does not take 'b'");
});

describe('a file to write is refused before the work', () => {
  it.each([
    ['a folder', 'other', 'other is a folder, expected a file'],
    ['within a file', 'schema.graphql/a', 'schema.graphql/a cannot be written: '],
  ])('where it is %s', async (_, output, message) => {
    for (const { run } of [diffCommand, reviewCommand]) {
      await expect(run(['no-such-base', '--output', output])).rejects.toThrow(message);
    }
    expect(() => outputTo(output)).toThrow(message);
  });
});

describe('a file that a command cannot read is told in one line, with its place', () => {
  const folderTold = 'other is a folder, expected a file';
  const noYaml = /^broken\.yaml:2:1: not YAML: .+; found "b: }"$/;
  const sdk = (operations: string) => ['--schema', 'schema.graphql', '--operations', operations];
  it.each([
    ['generate', ['none'], generateCommand, 'there is no file none'],
    ['generate', ['other'], generateCommand, folderTold],
    ['generate', ['broken.yaml'], generateCommand, noYaml],
    ['sdk', sdk('none'), sdkCommand, 'there is no file none'],
    ['sdk', sdk('other'), sdkCommand, folderTold],
    ['sdk', sdk('broken.graphql'), sdkCommand, /^broken\.graphql:2:4: Syntax Error: .+$/],
    ['sdk', sdk('wrong.graphql'), sdkCommand, /^wrong\.graphql:2:3: Cannot query field "b" .+$/],
    ['lint', ['--openapi', 'broken.yaml'], lintCommand, noYaml],
    ['lint', ['--openapi', 'empty.yaml'], lintCommand, /: empty\.yaml has no "openapi"/],
    ['lint', ['--openapi', 'several.yaml'], lintCommand, /^a\.yaml:1:1: found "hello", expected /],
    [
      'test',
      ['--schema', 'broken.graphql'],
      testCommand,
      /^broken\.graphql:2:4: Syntax Error: .+$/,
    ],
    [
      'review',
      ['other', '--openapi', 'other/openapi.yaml', '--exceptions', 'broken.yaml'],
      reviewCommand,
      noYaml,
    ],
    ['diff', ['broken.yaml', '--openapi', 'other/openapi.yaml'], diffCommand, noYaml],
  ] as const)('%s %j', async (_, args, { run }, message) => {
    const told = await run(args).catch((error) => error.message);
    if (typeof message === 'string') expect(told).toBe(message);
    else expect(told).toMatch(message);
  });

  it.each([
    ['a folder', 'other', folderTold],
    ['within a file', 'schema.graphql/a', 'schema.graphql/a cannot be written: '],
  ])('also one to write types to: %s', async (_, output, message) => {
    const contract = ['other/openapi.yaml', '--output', output];
    await expect(generateCommand.run(contract)).rejects.toThrow(message);
  });

  it('also one to compare types with', async () => {
    writeFileSync(
      'good.json',
      '{ "openapi": "3.1.0", "info": { "title": "A", "version": "1" }, "paths": {} }',
    );
    const args = ['good.json', '--check', '--output', 'other'];
    await expect(generateCommand.run(args)).rejects.toThrow(folderTold);
  });

  it.each(['{ x', '[1]', 'null', '{ "a": "1" }'])('also one with counts: %s', async (text) => {
    mkdirSync('counted/counts', { recursive: true });
    writeFileSync('counted/counts/1.json', text);
    await expect(coverageCommand.run(['--folder', 'counted'])).rejects.toThrow(
      /^counted\/counts\/1\.json is no JSON object of counts$/,
    );
  });
});

it('a file that an option names is there', () => {
  expect(namedText('schema.graphql')).toBe('type Query { a: Int }\n');
  expect(() => namedText('none')).toThrow('there is no file none');
  expect(() => namedText('other')).toThrow('other is a folder, expected a file');
});

it('the contracts of another folder are found there', () => {
  const other = join(folder, 'other');
  expect(contractFiles({}, other)).toEqual({ openapi: join(other, 'openapi.yaml') });
  mkdirSync('other/schema.graphql');
  expect(() => contractFiles({}, other)).toThrow(
    expect.objectContaining({ message: 'schema.graphql is a folder, expected a file' }),
  );
});

describe('accord mock', () => {
  /** What it says of options that it cannot serve with. */
  async function refusal(...args: string[]): Promise<string> {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const before = signals.map((signal) => process.listeners(signal));
    vi.stubEnv('LOG_LEVEL', 'silent').stubEnv('PORT', 'none');
    try {
      return await mockCommand.run(args).then(
        () => 'none',
        (error) => error.message,
      );
    } finally {
      vi.unstubAllEnvs();
      signals.forEach((signal, i) => {
        const others = process.listeners(signal).filter((each) => !before[i]?.includes(each));
        for (const each of others) process.off(signal, each);
      });
    }
  }

  it.each(['x', '-1', '1.5', '1234567890'])('takes no seed such as %j', async (seed) => {
    expect(await refusal(`--seed=${seed}`)).toBe('--seed takes a whole number');
  });

  it.each([
    ['none', []],
    ['0', ['--seed=0']],
    ['999999999', ['--seed=999999999']],
  ])('takes the seed %s, and the settings of a server', async (_, args) => {
    expect(await refusal(...args)).toMatch(/^PORT /);
  });

  it('takes the port and the address before the settings', async () => {
    expect(await refusal('--port=70000')).toMatch(/^PORT /);
    // No machine has an address of RFC 5737.
    expect(await refusal('--port=0', '--host=192.0.2.1')).toContain('EADDRNOTAVAIL');
  });
});
