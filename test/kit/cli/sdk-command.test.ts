// engines: sqlite
// long: compiles SDKs
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sdkCommand } from '../../../src/kit/cli/sdk/sdk-command.ts';
import { readSources } from '../../../src/kit/cli/sdk/sdk-sources.ts';
import { writeTypescript } from '../../../src/kit/cli/sdk/typescript/typescript-package.ts';
import { modelOf } from '../../../src/kit/sdk/model.ts';

const home = process.cwd();
const runtimes = new URL('../../../src/kit/cli/sdk/', import.meta.url);
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sdk-'));
  process.chdir(folder);
  // As the system names it, without links.
  folder = process.cwd();
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const filesIn = (of: string) => globSync('**/*.*', { cwd: join(folder, of) }).toSorted();

/** What the command says. */
async function sdk(...args: string[]) {
  const said = { out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said.out += text;
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.err += text;
    return true;
  });
  try {
    expect(await sdkCommand.run(args)).toBe(true);
    return said;
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

const openapi = `openapi: 3.1.0
info: { title: Sky, version: 1.2.0, summary: "The  sky.\\n", license: { name: L, identifier: MIT } }
paths:
  /planets:
    get: { operationId: listPlanets, tags: [planets], responses: { '200': { description: All. } } }
    trace: { operationId: tracePlanets, responses: { '200': { description: It. } } }
`;
const sdl = 'type Query { motto: String! }\ntype Subscription { sunrise: String! }\n';
const operations = 'query Motto { motto }\n\nsubscription Sunrise { sunrise }\n';
const leftOut =
  'TRACE /planets: is left out: fetch does not send TRACE\n' +
  'operations.graphql: Sunrise is left out: the SDK has no subscriptions\n';

describe('accord sdk', () => {
  it('writes both packages, and says what it leaves out', async () => {
    write('openapi.yaml', openapi);
    write('schema.graphql', sdl);
    write('operations.graphql', operations);
    write('LICENSE', 'Do as you like.');
    for (const language of ['typescript', 'python']) write(`dist/sdk/${language}/old.txt`, 'old');
    write('dist/sdk/kept.txt', 'kept');
    expect(await sdk()).toEqual({ out: `Sky 1.2.0: ${join(folder, 'dist/sdk')}\n`, err: leftOut });
    expect(readdirSync('dist/sdk').toSorted()).toEqual(['kept.txt', 'python', 'typescript']);

    const runtime = readdirSync(new URL('typescript/runtime/', runtimes));
    const own = ['client', 'graphql-types', 'graphql', 'groups/planets', 'index', 'openapi'];
    const sources = [
      ...[...own, 'refusals'].map((name) => `${name}.ts`),
      ...runtime.map((name) => `runtime/${name}`),
    ];
    const files = filesIn('dist/sdk/typescript');
    expect(files.filter((name) => !name.startsWith('dist/'))).toEqual(
      [
        ...['README.md', 'package.json', 'schema.graphql'],
        ...sources.map((name) => `src/${name}`),
      ].toSorted(),
    );
    const compiled = ['index', 'groups/planets', 'graphql', 'runtime/transport'].flatMap((name) =>
      ['.d.ts', '.d.ts.map', '.js', '.js.map'].map((ending) => `dist/${name}${ending}`),
    );
    expect(files).toEqual(expect.arrayContaining(compiled));
    const modules = readdirSync(new URL('python/runtime/', runtimes)).filter((name) =>
      name.endsWith('.py'),
    );
    const module = 'dist/sdk/python/src/sky_sdk';
    expect(readdirSync(module)).toEqual(expect.arrayContaining(['__init__.py', ...modules]));
    for (const language of ['typescript', 'python']) {
      expect(read(`dist/sdk/${language}/LICENSE`)).toBe('Do as you like.');
      expect(read(`dist/sdk/${language}/README.md`)).toContain('Sky');
      expect(existsSync(`dist/sdk/${language}/old.txt`)).toBe(false);
    }
    expect(read('dist/sdk/typescript/schema.graphql')).toBe(sdl);
    expect(read('dist/sdk/typescript/src/runtime/retry.ts')).toBe(
      readFileSync(new URL('typescript/runtime/retry.ts', runtimes), 'utf8'),
    );
    expect(read(`${module}/_retry.py`)).toBe(
      readFileSync(new URL('python/runtime/_retry.py', runtimes), 'utf8'),
    );
    expect(JSON.parse(read('dist/sdk/typescript/package.json'))).toEqual({
      ...{ name: 'sky-sdk', version: '1.2.0', description: 'The  sky.\n', license: 'MIT' },
      ...{ type: 'module', sideEffects: false, engines: { node: '>=20.3' } },
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './schema.graphql': './schema.graphql',
      },
      ...{ types: './dist/index.d.ts', files: ['dist', 'src', 'schema.graphql'] },
    });
    expect(read('dist/sdk/python/pyproject.toml')).toBe(`[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "sky-sdk"
version = "1.2.0"
description = "The sky."
readme = "README.md"
license = "MIT"
requires-python = ">=3.11"
dependencies = ["httpx>=0.27,<1"]
classifiers = ["Typing :: Typed"]

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
sky_sdk = ["py.typed"]
`);
  });

  it('writes one package of one contract, where it is told to, under another name', async () => {
    write('api/openapi.yaml', openapi.replace('license: { name: L, identifier: MIT }', ''));
    const typescript = ['--contracts', 'api', '--output', 'out', '--only', 'typescript'];
    const { out } = await sdk(...typescript, '--name', 'Night');
    expect(out).toBe(`Night 1.2.0: ${join(folder, 'out')}\n`);
    expect(readdirSync('out')).toEqual(['typescript']);
    expect(JSON.parse(read('out/typescript/package.json'))).toMatchObject({
      ...{ name: 'night-sdk', license: 'UNLICENSED', files: ['dist', 'src'] },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    });
    for (const name of ['LICENSE', 'schema.graphql', 'src/graphql.ts']) {
      expect(existsSync(`out/typescript/${name}`), name).toBe(false);
    }
    write('api/openapi.yaml', openapi.replace('identifier: MIT', 'url: "http://a"'));
    write('sdl/a.graphql', sdl);
    write('own.graphql', 'query Own { motto }\n');
    const schema = ['--openapi', 'api/openapi.yaml', '--schema', 'sdl/a.graphql'];
    const python = ['--output', 'py', '--only', 'python', '--operations', 'own.graphql'];
    expect((await sdk(...schema, ...python)).err).toBe(leftOut.split('\n')[0]?.concat('\n'));
    expect(readdirSync('py')).toEqual(['python']);
    expect(read('py/python/pyproject.toml')).toContain('license = "L"\n');
    expect(read('py/python/src/sky_sdk/graphql.py')).toContain('def own(');
    expect(existsSync('py/python/LICENSE')).toBe(false);
    // What is no SPDX expression would be refused by pip.
    write(
      'api/openapi.yaml',
      openapi.replace('identifier: MIT', 'url: "http://a"').replace(' L,', ' "L & M",'),
    );
    await sdk('--openapi', 'api/openapi.yaml', '--output', 'py', '--only', 'python');
    expect(read('py/python/pyproject.toml')).not.toContain('license');
    expect(existsSync('py/python/src/sky_sdk/graphql.py')).toBe(false);
  });

  it('takes doubtful contracts with warnings, where it is told to', async () => {
    write(
      'openapi.yaml',
      openapi.replace(
        'description: All.',
        'description: All., content: { a/b: { schema: { minimun: 1 } } }',
      ),
    );
    await expect(sdk('--only', 'python')).rejects.toThrow(/^openapi\.yaml:5:/);
    const { err } = await sdk('--only', 'python', '--lenient');
    expect(err).toMatch(/^warning: openapi\.yaml:5:/);
    write('openapi.yaml', openapi);
    write('schema.graphql', `directive @defer on FIELD\n${sdl}`);
    await expect(sdk('--only', 'python')).rejects.toThrow(/^schema\.graphql:1:1: /);
    const told = await sdk('--only', 'python', '--lenient');
    expect(told.err).toMatch(/^warning: schema\.graphql:1:1: /);
  });

  it('refuses another language, and a contract without operations', async () => {
    write('openapi.yaml', openapi.replace(/paths:.*/s, 'paths: {}\n'));
    await expect(sdk('--only', 'ruby')).rejects.toThrow(
      'does not know the language ruby: typescript or python',
    );
    await expect(sdk()).rejects.toThrow('the contract has no operations that an SDK could have');
    expect(existsSync('dist')).toBe(false);
    write('openapi.yaml', openapi.replace(/ {4}get:.*\n/, ''));
    await expect(sdk('--only', 'python')).rejects.toThrow('no operations');
    write('schema.graphql', sdl);
    expect((await sdk('--only', 'python')).out).toMatch(/^Sky 1\.2\.0: /);
  });
});

it('a TypeScript package that does not compile is told, with the place', async () => {
  write('openapi.yaml', openapi);
  const sources = await readSources({ openapi: join(folder, 'openapi.yaml') });
  const model = { ...modelOf(sources), title: 'No name' };
  await expect(writeTypescript(model, sources, join(folder, 'sdk'))).rejects.toThrow(
    /^the TypeScript SDK does not compile:\nsrc\/[a-z]+\.ts\(\d+,\d+\): error TS\d+: /,
  );
});
