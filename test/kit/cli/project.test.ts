// engines: sqlite
// slow: starts git
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { command, WrongUse } from '../../../src/kit/cli/command.ts';
import { baseContracts } from '../../../src/kit/cli/contract/base-contracts.ts';
import {
  contractsOf,
  shownFile,
  workingContracts,
} from '../../../src/kit/cli/contract/contract-texts.ts';
import {
  apiFile,
  contractFiles,
  possibleFiles,
  projectApi,
  projectSettings,
} from '../../../src/kit/cli/project.ts';

const home = process.cwd();
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'project-'));
  process.chdir(folder);
  // As the system names it, without links.
  folder = process.cwd();
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const openapi = (version: string) =>
  `openapi: 3.1.0\ninfo: { title: A, version: ${version} }\npaths: {}\n`;
const sdl = 'type Query { a: Int }\n';
const settings = (accord: object) => write('package.json', JSON.stringify({ accord }));

describe('the contracts of a project', () => {
  it('are openapi.yaml and schema.graphql, or one of them', () => {
    expect(() => contractFiles({})).toThrow(
      `there is no openapi.yaml and no schema.graphql in ${folder}: name them by --openapi and --schema`,
    );
    const first = write('openapi.yaml', openapi('1.0.0'));
    expect(contractFiles({})).toEqual({ openapi: first });
    const second = write('schema.graphql', sdl);
    expect(contractFiles({})).toEqual({ openapi: first, schema: second });
    rmSync(first);
    expect(contractFiles({})).toEqual({ schema: second });
    mkdirSync(first);
    expect(() => contractFiles({})).toThrow('openapi.yaml is a folder, expected a file');
  });

  it('are those that package.json names, and those that are given before them', () => {
    write('openapi.yaml', openapi('1.0.0'));
    write('schema.graphql', sdl);
    settings({ openapi: 'api.yaml', schema: 7 });
    expect(() => contractFiles({})).toThrow(
      'accord.schema in package.json must be the name of a file',
    );
    settings({ openapi: 'api.yaml' });
    expect(() => contractFiles({})).toThrow('there is no file api.yaml');
    expect(possibleFiles({})).toEqual({ openapi: join(folder, 'api.yaml') });
    const api = write('api.yaml', openapi('1.0.0'));
    expect(contractFiles({})).toEqual({ openapi: api });
    expect(contractFiles({ schema: 'schema.graphql' })).toEqual({
      schema: join(folder, 'schema.graphql'),
    });
    expect(() => contractFiles({ schema: 'none.graphql' })).toThrow(
      'there is no file none.graphql',
    );
    settings({ schema: 'schema.graphql' });
    expect(contractFiles({})).toEqual({ schema: join(folder, 'schema.graphql') });
    settings({});
    expect(possibleFiles({})).toEqual({
      openapi: join(folder, 'openapi.yaml'),
      schema: join(folder, 'schema.graphql'),
    });
  });

  it('have settings, and a module that exports the API', async () => {
    expect([projectSettings(), apiFile(folder)]).toEqual([{}, undefined]);
    settings({ api: 'src/api.mjs', lint: {} });
    expect(projectSettings()).toEqual({ api: 'src/api.mjs', lint: {} });
    expect(apiFile(folder)).toBe(join(folder, 'src/api.mjs'));
    write('src/api.mjs', 'export const api = { mine: true };\n');
    expect(await projectApi()).toEqual({ mine: true });
    settings({ api: 'src/other.mjs' });
    write('src/other.mjs', 'export const other = 1;\n');
    await expect(projectApi()).rejects.toThrow('src/other.mjs exports no `api`');
    settings({});
    write('openapi.yaml', openapi('1.0.0'));
    expect(await projectApi()).toMatchObject({ openapi: expect.any(URL), lenient: true });
    expect(await projectApi()).not.toHaveProperty('graphql');
    write('schema.graphql', sdl);
    expect(await projectApi({ schema: 'schema.graphql' })).not.toHaveProperty('openapi');
  });

  it('are read as text, and refused where they are none', async () => {
    write('openapi.yaml', openapi('1.0.0'));
    write('schema.graphql', sdl);
    expect(await workingContracts()).toEqual({
      ...{ name: 'the working tree', openapi: openapi('1.0.0'), sdl },
      files: { openapi: join(folder, 'openapi.yaml'), schema: join(folder, 'schema.graphql') },
    });
    expect((await workingContracts({ schema: 'schema.graphql' })).openapi).toBe('');
    expect((await workingContracts({}, folder)).name).toBe(folder);
    const empty = write('empty.graphql', ' \n');
    await expect(contractsOf({ schema: empty }, 'it')).rejects.toThrow(
      'it: empty.graphql is empty',
    );
    const other = write('other.yaml', 'paths: {}\n');
    await expect(contractsOf({ openapi: other }, 'it')).rejects.toThrow(
      'it: other.yaml has no "openapi", which every OpenAPI description has',
    );
    for (const text of ['{"openapi":"3.1.0","paths":{}}', "'openapi': 3.1.0\npaths: {}\n"]) {
      expect((await contractsOf({ openapi: write('a.json', text) }, 'it')).openapi).toBe(text);
    }
    const several = write(
      'several.yaml',
      `${openapi('1.0.0').replace('{}', '\n  /a: { $ref: ./part.yaml }')}`,
    );
    write('part.yaml', 'get: { responses: { 200: { description: A. } } }\n');
    expect((await contractsOf({ openapi: several }, 'it')).bundle?.text).toContain('description');
    const said = openapi('1.0.0').replace('title: A', "title: 'A $ref: ./part.yaml'");
    expect(await contractsOf({ openapi: write('said.yaml', said) }, 'it')).not.toHaveProperty(
      'bundle',
    );
  });

  it('are shown as a person in the folder names them', () => {
    expect(shownFile(join(folder, 'a/b.yaml'))).toBe('a/b.yaml');
    expect(shownFile('/elsewhere/b.yaml')).toBe('/elsewhere/b.yaml');
  });
});

describe('what they are compared with', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { stdio: 'pipe' });
  const commit = () => {
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'first');
  };
  const versionOf = async (base?: string, given = {}) => {
    const now = { name: 'now', openapi: openapi('2.0.0'), sdl: 'type Query { now: Int }\n' };
    const { name, openapi: text, sdl: schema } = await baseContracts(base, now, given);
    return [name, text.match(/version: (\S+)/)?.[1], schema.trim()];
  };
  const read = sdl.trim();

  it('is the last release, else what is committed', async () => {
    await expect(versionOf()).rejects.toThrow(
      'there is no docs/released and no git revision to compare with',
    );
    write('openapi.yaml', openapi('1.0.0'));
    write('schema.graphql', sdl);
    commit();
    write('openapi.yaml', openapi('1.1.0'));
    expect(await versionOf()).toEqual(['HEAD', '1.0.0', read]);
    write('docs/released/openapi.yaml', openapi('0.9.0'));
    expect(await versionOf()).toEqual(['docs/released', '0.9.0', '']);
  });

  it('is a folder, with the files at the same places or of the same names', async () => {
    write('old/openapi.yaml', openapi('1.0.0'));
    expect(await versionOf('old')).toEqual(['old', '1.0.0', '']);
    write('old/api/openapi.yaml', openapi('1.1.0'));
    write('old/schema.graphql', sdl);
    expect(await versionOf('old', { openapi: 'api/openapi.yaml' })).toEqual(['old', '1.1.0', '']);
    expect(await versionOf('old', { openapi: 'other/openapi.yaml' })).toEqual(['old', '1.0.0', '']);
    expect(await versionOf('old')).toEqual(['old', '1.0.0', read]);
    mkdirSync(join(folder, 'none'));
    await expect(versionOf('none')).rejects.toThrow(
      'there is no openapi.yaml and no schema.graphql in none',
    );
  });

  it('is a file in place of one of them', async () => {
    const now = 'type Query { now: Int }';
    write('old.json', openapi('1.0.0'));
    expect(await versionOf('old.json')).toEqual(['old.json', '1.0.0', now]);
    for (const ending of ['graphql', 'graphqls', 'gql']) {
      write(`old.${ending}`, sdl);
      expect(await versionOf(`old.${ending}`)).toEqual([`old.${ending}`, '2.0.0', read]);
    }
  });

  it('is a revision, with all files of a contract', async () => {
    write('api/openapi.yaml', openapi('1.0.0').replace('{}', '\n  /a: { $ref: ./part.yaml }'));
    write('api/part.yaml', 'get: { responses: { 200: { description: Before. } } }\n');
    write('api/a.graphql', sdl);
    commit();
    rmSync(join(folder, 'api/part.yaml'));
    const now = await workingContracts({ openapi: 'api/openapi.yaml' }).catch(() => undefined);
    expect(now).toBe(undefined);
    const none = { name: 'now', openapi: '', sdl: '' };
    const temporary = mkdtempSync(join(folder, 'tmp-'));
    vi.stubEnv('TMPDIR', temporary);
    const base = await baseContracts('HEAD', none, { openapi: 'api/openapi.yaml' });
    expect(base.bundle?.text).toContain('Before.');
    expect((await baseContracts('HEAD', none, { schema: 'api/a.graphql' })).sdl).toBe(sdl);
    vi.unstubAllEnvs();
    expect(readdirSync(temporary)).toEqual([]);
    await expect(baseContracts('HEAD', none, { openapi: 'none.yaml' })).rejects.toThrow(
      'there is no none.yaml at HEAD',
    );
    await expect(baseContracts('v9', none, {})).rejects.toThrow(
      'there is no folder, no file and no git revision v9',
    );
    await expect(baseContracts('--all', none, {})).rejects.toThrow('no git revision --all');
  });
});

describe('a command', () => {
  const made = command({
    ...{ summary: 's', help: 'h', options: { a: { type: 'string' } }, arguments: 1 },
    async run({ a }, first) {
      return a === 'none' ? undefined : a === first;
    },
  });

  it('says whether all is well', async () => {
    expect([made.summary, made.help]).toEqual(['s', 'h']);
    expect(await made.run(['x', '--a', 'x'])).toBe(true);
    expect(await made.run(['x', '--a', 'y'])).toBe(false);
    expect(await made.run(['--a', 'none'])).toBe(true);
    expect(await made.run([])).toBe(true);
  });

  it('refuses what it does not take', async () => {
    const fault = (...args: string[]) => made.run(args).catch((error) => error);
    expect(await fault('x', 'y')).toEqual(new WrongUse("does not take 'y'"));
    expect(await fault('--b')).toEqual(new WrongUse("Unknown option '--b'"));
    expect(await fault('--a', '')).toEqual(new WrongUse('needs a value for --a'));
    expect(await fault('--a=')).toEqual(new WrongUse('needs a value for --a'));
    const plain = command({ summary: '', help: '', options: {}, run: async () => {} });
    await expect(plain.run(['x'])).rejects.toThrow("does not take 'x'");
  });
});
