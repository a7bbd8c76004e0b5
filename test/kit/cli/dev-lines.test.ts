// engines: sqlite
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { contractFaults } from '../../../src/kit/cli/dev/contract-faults.ts';
import { errorLines } from '../../../src/kit/cli/dev/missing.ts';

const folder = mkdtempSync(join(tmpdir(), 'dev-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('accord dev says of the contracts', () => {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const openapi = file(
    'openapi.yaml',
    'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n',
  );
  const schema = file('schema.graphql', 'type Query { a: Int }\n');

  it('nothing where they are right', async () => {
    expect(await contractFaults({ openapi, schema }, folder)).toEqual([]);
    expect(await contractFaults({ openapi }, folder)).toEqual([]);
    expect(await contractFaults({ schema }, folder)).toEqual([]);
  });

  it('which of them are gone', async () => {
    const none = { openapi: join(folder, 'a.yaml'), schema: join(folder, 'b/c.graphql') };
    expect(await contractFaults(none, folder)).toEqual(['a.yaml is gone', 'b/c.graphql is gone']);
    expect(await contractFaults({ openapi, schema: none.schema }, folder)).toEqual([
      'b/c.graphql is gone',
    ]);
  });

  it('what is wrong in each', async () => {
    const wrong = {
      openapi: file('wrong.yaml', 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths: 7\n'),
      schema: file('wrong.graphql', 'type Query {\n  a: Nope\n}\n'),
    };
    expect(await contractFaults(wrong, folder)).toEqual([
      expect.stringMatching(/^wrong\.yaml:3:8: /),
      expect.stringMatching(/^wrong\.graphql:2:6: Unknown type/),
    ]);
    expect(await contractFaults({ openapi, schema: wrong.schema }, folder)).toHaveLength(1);
  });
});

describe('accord dev says of a compile error', () => {
  const source = ts.createSourceFile('/root/src/a.ts', '\ntwo\nthree\n', ts.ScriptTarget.Latest);
  const lines = (
    messageText: string | ts.DiagnosticMessageChain,
    file: ts.SourceFile | undefined = source,
    start?: number,
  ) => errorLines({ category: 1, code: 7, file, start, length: 1, messageText }, '/root');

  it.each([
    [
      "Property 'a' is missing in type '{}' but required in type 'Handlers<operations>'.",
      ['no handler for a'],
    ],
    [
      "Property 'a' is missing in type '{}' but required in type 'QueryResolvers'.",
      ['no resolver for a'],
    ],
    ["Property 'a' is missing in type '{}' but required in type 'Planet'.", ['Planet lacks a']],
    [
      `Property 'a' is missing in type '{}' but required in type '${'x'.repeat(40)}'.`,
      [`${'x'.repeat(40)} lacks a`],
    ],
    [
      `Property 'a' is missing in type '{}' but required in type '${'x'.repeat(41)}'.`,
      [`${'x'.repeat(40)}… lacks a`],
    ],
    [
      "Type '{}' is missing the following properties from type 'Handlers': a, b",
      ['no handler for a', 'no handler for b'],
    ],
    [
      "Type '{}' is missing the following properties from type 'Handlers': a, b, c, d, and 2 more.",
      [
        'no handler for a',
        'no handler for b',
        'no handler for c',
        'no handler for d',
        'no handler for 2 more',
      ],
    ],
    ["Type 'a' is not assignable.\n  And so on.", ["Type 'a' is not assignable."]],
  ])('%s', (text, messages) => {
    expect(lines(text)).toEqual(messages.map((message) => `src/a.ts:1 ${message}`));
  });

  it('the line, or the settings where it is in no file', () => {
    expect(lines('No.', source, 4)).toEqual(['src/a.ts:2 No.']);
    expect(
      errorLines(
        {
          category: 1,
          code: 7,
          file: undefined,
          start: undefined,
          length: undefined,
          messageText: 'No.',
        },
        '/root',
      ),
    ).toEqual(['tsconfig.json No.']);
  });
});

it('accord dev needs a contract and a program', () => {
  const accord = new URL('../../../src/kit/cli/accord.ts', import.meta.url).pathname;
  const run = (cwd: string) => {
    const { status, stderr } = spawnSync(process.execPath, [accord, 'dev'], {
      cwd,
      encoding: 'utf8',
    });
    return [status, stderr];
  };
  const empty = mkdtempSync(join(tmpdir(), 'dev-empty-'));
  expect(run(empty)).toEqual([
    2,
    expect.stringContaining('there is no openapi.yaml and no schema.graphql'),
  ]);
  writeFileSync(join(empty, 'schema.graphql'), 'type Query { a: Int }\n');
  expect(run(empty)).toEqual([
    2,
    expect.stringMatching(/^accord dev: there is no src\/main\.ts in /),
  ]);
  rmSync(empty, { recursive: true });
});
