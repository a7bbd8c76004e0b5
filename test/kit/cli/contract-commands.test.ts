// engines: sqlite
// slow: starts servers for each review
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Command } from '../../../src/kit/cli/command.ts';
import { diffCommand } from '../../../src/kit/cli/contract/diff-command.ts';
import { lintCommand } from '../../../src/kit/cli/contract/lint-command.ts';
import { parityCommand } from '../../../src/kit/cli/contract/parity-command.ts';
import { reviewCommand } from '../../../src/kit/cli/contract/review-command.ts';
import { coverageCommand } from '../../../src/kit/cli/coverage/coverage-command.ts';
import { diffContracts } from '../../../src/kit/cli/review/diff.ts';
import { diffText, verdictLine } from '../../../src/kit/cli/review/diff-text.ts';

const home = process.cwd();
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** What a command prints, and whether all is well. */
async function run(command: Command, ...args: string[]) {
  let text = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    return { isWell: await command.run(args), text };
  } finally {
    spy.mockRestore();
  }
}

const openapi = (version: string, more = '') => `openapi: 3.1.0
info: { title: Sky, version: ${version}, license: { name: MIT, identifier: MIT } }
servers: [{ url: 'https://sky.test' }]
paths:
  /planets:
    get:
      operationId: listPlanets
      summary: List them
      security: []
      responses:
        '200': { description: All., content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } }
        default: { description: A fault. }
components:
  schemas:
    Planet: { type: object, required: [name], properties: { name: { type: string${more} } } }
`;
const sdl = 'type Query { planets: Planet }\ntype Planet { name: String! }\n';

describe('accord lint', () => {
  it('counts errors and warnings', async () => {
    write('openapi.yaml', openapi('1.0.0'));
    const settings = (lint: object) => {
      const none = { 'operation-4xx-response': 'off: it takes nothing' };
      write('package.json', JSON.stringify({ accord: { lint: { ...none, ...lint } } }));
    };
    settings({});
    expect(await run(lintCommand)).toEqual({
      isWell: true,
      text: '0 errors and 0 warnings in openapi.yaml\n',
    });
    settings({ 'schema-bounds': 'error', 'closed-object': 'warning' });
    const found = await run(lintCommand);
    expect([found.isWell, found.text.replaceAll(/:\d+:\d+:/g, ':')]).toEqual([
      false,
      `openapi.yaml: error schema-bounds: string without bounds
  #/components/schemas/Planet/properties/name
openapi.yaml: warning closed-object: must refuse unknown properties
  #/components/schemas/Planet
1 error and 1 warning in openapi.yaml
`,
    ]);
    settings({
      'schema-bounds': 'warning',
      'closed-object': 'warning',
      'operation-one-tag': 'error',
      'operation-description-words': 'error',
    });
    write('schema.graphql', sdl);
    const { isWell, text } = await run(lintCommand);
    expect([isWell, text.split('\n').at(-2)]).toEqual([
      false,
      '2 errors and 2 warnings in openapi.yaml and schema.graphql',
    ]);
    const other = await run(lintCommand, folder, '--schema', 'schema.graphql');
    expect(other).toEqual({ isWell: true, text: '0 errors and 0 warnings in schema.graphql\n' });
  });
});

it('accord parity fails where the contracts contradict each other', async () => {
  write('openapi.yaml', openapi('1.0.0'));
  write('schema.graphql', sdl);
  expect(await run(parityCommand)).toEqual({
    isWell: true,
    text: '0 differences, 0 without a reason\n',
  });
  write('schema.graphql', sdl.replace('String!', 'Int!'));
  const told =
    'Planet.name is string and Int\n  CONTRADICTION\n1 differences, 1 without a reason\n';
  expect(await run(parityCommand)).toEqual({ isWell: false, text: told });
});

describe('accord diff', () => {
  beforeEach(() => {
    write('old/openapi.yaml', openapi('1.0.0'));
    write('openapi.yaml', openapi('1.0.0', ', maxLength: 3'));
  });

  it('lists the changes with one verdict, as text or as data', async () => {
    const safe = await run(diffCommand, 'old');
    expect(safe).toEqual({
      isWell: true,
      text: `old → the working tree

safe      OpenAPI  name of Planet has at most 3 characters in answers from now on (before: no such limit).
                   #/components/schemas/Planet/properties/name

SAFE: 1 change, which ask for a minor version; 1.0.0 → 1.0.0 does not say so: 1.1.0 is due.
`,
    });
    const json = await run(diffCommand, 'old', '--format', 'json');
    expect(JSON.parse(json.text)).toMatchObject({
      from: 'old',
      to: 'the working tree',
      level: 'safe',
    });
    expect(await run(diffCommand, 'openapi.yaml')).toEqual({
      isWell: true,
      text: 'openapi.yaml → the working tree\n\nNothing has changed.\n',
    });
    await expect(run(diffCommand, 'old', '--format', 'xml')).rejects.toThrow(
      '--format takes text, json, not xml',
    );
  });

  it('writes them to a file, and fails where the version does not say what breaks', async () => {
    write('openapi.yaml', openapi('1.1.0').replace('required: [name], ', ''));
    const line =
      'BREAKING: 1 change, which ask for a major version; 1.0.0 → 1.1.0 does not say so: 2.0.0 is due.\n';
    expect(await run(diffCommand, 'old', '--output', 'a/b/diff.txt')).toEqual({
      isWell: false,
      text: line,
    });
    expect(readFileSync('a/b/diff.txt', 'utf8')).toContain(line);
    write('openapi.yaml', openapi('2.0.0').replace('required: [name], ', ''));
    const { isWell, text } = await run(diffCommand, 'old');
    expect([isWell, text.split('\n').at(-2)]).toEqual([
      true,
      'BREAKING: 1 change, which ask for a major version; 1.0.0 → 2.0.0 says so.',
    ]);
  });

  it('says where there is no version, or none that can be due', async () => {
    const before = { name: 'a', openapi: '', sdl: 'type Query { a: Int b: Int }' };
    const diff = await diffContracts(before, {
      ...before,
      name: 'b',
      sdl: 'type Query { c: Int }',
    });
    expect(verdictLine(diff)).toBe('BREAKING: 3 changes; there is no version to say so.');
    const dated = {
      ...diff,
      version: { from: 'x', to: 'x', asks: 'major', isMet: false, due: undefined },
    } as const;
    expect(diffText(dated, 'text')).toContain('x → x does not say so.\n');
  });
});

describe('accord review', () => {
  it('writes a file of each format, and says what the verdict is', async () => {
    write('docs/released/openapi.yaml', openapi('1.0.0'));
    write('openapi.yaml', openapi('1.1.0', ', maxLength: 3'));
    const endings = { html: 'html', markdown: 'md', json: 'json', junit: 'xml', sarif: 'sarif' };
    for (const [format, ending] of Object.entries(endings)) {
      const file = `artefacts/review.${ending}`;
      const given = format === 'html' ? [] : ['--format', format];
      expect(await run(reviewCommand, ...given)).toEqual({
        isWell: true,
        text: `SAFE: version 1.0.0 → 1.1.0 is right for it; no client notices.\n${file}\n`,
      });
      expect(existsSync(file)).toBe(true);
    }
    write('openapi.yaml', openapi('1.0.0').replace('required: [name], ', ''));
    const exceptions = [
      '--exceptions',
      'mine.yaml',
      '--usage',
      'usage.json',
      '--output',
      'out/r.html',
    ];
    write('mine.yaml', "- { place: '#/components', reason: R., owner: O, expires: 2999-01-01 }\n");
    write('usage.json', '{ "listPlanets": 7 }');
    const { isWell, text } = await run(reviewCommand, ...exceptions);
    expect([isWell, text]).toEqual([
      false,
      'BREAKING: 1 change breaks clients; the version is still 1.0.0, and 1.1.0 is due.\nout/r.html\n',
    ]);
    expect(readFileSync('out/r.html', 'utf8')).toContain('Accepted by O until 2999-01-01');
    await expect(run(reviewCommand, '--format', 'pdf')).rejects.toThrow(
      '--format takes html, markdown, json, junit, sarif, not pdf',
    );
  });
});

describe('accord coverage', () => {
  it('adds up what was counted, and fails where something never was', async () => {
    write('openapi.yaml', openapi('1.0.0'));
    write('schema.graphql', sdl);
    const none = await run(coverageCommand, '--folder', 'a');
    expect([none.isWell, none.text.split('\n')[0]]).toEqual([
      false,
      `There are no counts in ${join(process.cwd(), 'a/counts')}: servers under test write them.`,
    ]);
    write('a/counts/1.json', '{ "listPlanets → 200": 1, "GraphQL Query.planets": 2 }');
    write('a/counts/2.json', '{ "listPlanets → 200": 4, "GraphQL Planet.name": 1 }');
    const some = await run(coverageCommand, '--folder', 'a');
    expect(some).toEqual({
      isWell: false,
      text: `Operation and status: 1 of 2
  never: listPlanets → default
Parameter: 0 of 0
Property: 0 of 1
  never: Planet.name
Enum value and error code: 0 of 0
GraphQL field: 2 of 2
GraphQL argument: 0 of 0
a/report.html
`,
    });
    const report = JSON.parse(readFileSync('a/report.json', 'utf8'));
    expect(report.sections[0].parts[0]).toEqual({ name: 'listPlanets → 200', count: 5 });
    write('a/counts/3.json', '{ "listPlanets → default": 1 }');
    expect((await run(coverageCommand, '--folder', 'a')).isWell).toBe(true);
    expect((await run(coverageCommand, '--folder', 'a', '--schema', 'schema.graphql')).isWell).toBe(
      true,
    );
    expect(readFileSync('a/report.html', 'utf8')).toContain('GraphQL Planet.name');
  });

  it('runs tests whose servers count into its folder, after it has emptied that', async () => {
    write('schema.graphql', sdl);
    write('a/counts/old.json', '{ "GraphQL Query.planets": 1, "GraphQL Planet.name": 1 }');
    const script = `const { mkdirSync, writeFileSync } = require('node:fs'); const at = process.env.CONTRACT_COVERAGE; mkdirSync(at, { recursive: true }); writeFileSync(at + '/new.json', '{ "GraphQL Planet.name": 1 }')`;
    const node = [process.execPath, '-e'];
    const { isWell, text } = await run(coverageCommand, '--folder', 'a', '--', ...node, script);
    expect([isWell, text]).toEqual([
      false,
      expect.stringContaining('GraphQL field: 1 of 2\n  never: GraphQL Query.planets\n'),
    ]);
    await expect(
      run(coverageCommand, '--folder', 'a', '--', ...node, 'process.exit(3)'),
    ).rejects.toThrow('process.exit(3) failed');
    await expect(run(coverageCommand, '--', 'no-such-program')).rejects.toThrow(
      'cannot run no-such-program: ',
    );
  });
});
