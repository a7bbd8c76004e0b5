// engines: sqlite
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const home = process.cwd();
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'accord-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

let runs = 0;
/** Runs the command line in this process: how it ends, and what it says. */
async function accord(...args: string[]) {
  const said = { out: '', err: '' };
  const { argv, exitCode } = process;
  for (const [stream, name] of [
    [process.stdout, 'out'],
    [process.stderr, 'err'],
  ] as const) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said[name] += text;
      return true;
    });
  }
  process.argv = [process.execPath, 'accord', ...args];
  try {
    // Under another name it is another module, and runs again.
    const program = new URL(`../../../src/kit/cli/accord.ts?${runs++}`, import.meta.url);
    await import(/* @vite-ignore */ program.href);
    return { code: process.exitCode, ...said };
  } finally {
    vi.restoreAllMocks();
    Object.assign(process, { argv, exitCode });
  }
}

const summaries = {
  init: 'makes a project of your contracts, which serves at once',
  mock: 'serves contracts without any code',
  generate: 'writes the types of an OpenAPI description',
  dev: 'serves while you edit',
  add: 'drafts a collection: contract, table, migration, handlers',
  proxy: 'holds the requests and answers of a running server to the contracts',
  lint: 'holds the contracts to rules: words, examples, bounds, statuses, paths, patterns',
  diff: 'lists every change of the contracts since a release, with one verdict',
  parity: 'compares what is in both contracts',
  review: 'tells those who decide what a change of the contracts means, with one verdict',
  sdk: 'makes client SDKs in TypeScript and Python',
  test: 'sends generated requests to a server and holds its answers to the contracts',
  coverage: 'reports what of the contracts the tests exercised',
};
const lines = Object.entries(summaries).map(([name, text]) => `  ${name.padEnd(8)}  ${text}\n`);
const overview = `accord <command>\n\n${lines.join('')}\naccord <command> --help says more.\n`;

describe('accord', () => {
  it.each([[[]], [['help']], [['--help']], [['-h']]])('%j lists the commands', async (args) => {
    expect(await accord(...args)).toEqual({ code: 0, out: overview, err: '' });
  });

  it.each(['nope', 'toString'])('%s is no command', async (name) => {
    const err = `accord: there is no command ${name}\n${overview}`;
    expect(await accord(name)).toEqual({ code: 2, out: '', err });
  });

  it.each(Object.keys(summaries))('%s --help says how it is called', async (name) => {
    const { code, out, err } = await accord(name, '--help');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^accord ${name}\\b.*\\n$`, 's'));
    expect(await accord(name, '--nope', '-h')).toEqual({ code, out, err });
  });

  it('advises those who call a command in a way that it does not have', async () => {
    expect(await accord('parity', '--nope')).toEqual({
      ...{ code: 2, out: '' },
      err: "accord parity: Unknown option '--nope'\nSee: accord parity --help\n",
    });
  });

  it('tells by its code whether a command found something', async () => {
    write('schema.graphql', 'type Query { a: Int }\n');
    const text = (version: number) =>
      `openapi: 3.1.0\ninfo: { title: A, version: ${version}.0.0 }\npaths: {}\n`;
    write('openapi.yaml', text(1));
    const check = () => accord('generate', '--check', '--output', 'types.d.ts');
    const old = { code: 1, out: '', err: 'types.d.ts is not up to date: run accord generate\n' };
    const well = { code: 0, out: '', err: '' };
    expect(await check()).toEqual(old);
    expect(await accord('generate', '-o', 'types.d.ts')).toEqual(well);
    expect(await check()).toEqual(well);
    write('types.d.ts', '');
    expect(await check()).toEqual(old);
    // There are no types of an SDL alone.
    rmSync('openapi.yaml');
    expect(await check()).toEqual(well);
  });
});

describe('accord says of a failure', () => {
  /** What a command says whose project fails so when it is loaded. */
  async function said(thrown: string): Promise<string> {
    write('schema.graphql', 'type Query { a: Int }\n');
    // A module that has failed is not loaded again.
    const api = `api-${runs}.mjs`;
    write('package.json', JSON.stringify({ accord: { api } }));
    write(api, `throw ${thrown};\n`);
    const { code, out, err } = await accord('add', 'ships', 'name:string');
    expect([code, out]).toEqual([2, '']);
    return err;
  }
  const missing = (name: string) =>
    `new Error("Cannot find package '${name}' imported from /a.js")`;

  it.each([
    ["new Error('it is broken')", 'it is broken'],
    ["'it is broken'", 'it is broken'],
    ['new Error("Cannot find module \'./a.ts\'")', "Cannot find module './a.ts'"],
    ['new Error("Cannot find module \'/a.ts\'")', "Cannot find module '/a.ts'"],
  ])('%s', async (thrown, message) => {
    expect(await said(thrown)).toBe(`accord add: ${message}\n`);
  });

  it.each([
    ['openapi-typescript', 'openapi-typescript typescript'],
    ['typescript', 'openapi-typescript typescript'],
    ['@graphql-inspector/core', '@graphql-inspector/core recheck refa'],
    ['recheck', '@graphql-inspector/core recheck refa'],
    ['refa/lib/a.js', '@graphql-inspector/core recheck refa'],
    ['@other/package/file.js', '@other/package'],
  ])('how to get the package %s', async (name, packages) => {
    const told = `needs packages that are not there: npm install --save-dev ${packages}`;
    expect(await said(missing(name))).toBe(`accord add: ${told}\n`);
    const module = missing(name).replace('package', 'module');
    expect(await said(module)).toBe(`accord add: ${told}\n`);
  });
});
