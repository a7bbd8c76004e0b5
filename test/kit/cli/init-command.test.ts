// engines: sqlite
// slow: loads the generators of types
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addCommand } from '../../../src/kit/cli/add/add-command.ts';
import type { Command } from '../../../src/kit/cli/command.ts';
import { initCommand } from '../../../src/kit/cli/init/init-command.ts';

const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'init-command-'));
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

async function run(command: Command, ...args: string[]): Promise<string> {
  let text = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    await command.run(args);
    return text;
  } finally {
    spy.mockRestore();
  }
}

const tree = (name: string) =>
  readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(join(folder, name).length + 1))
    .toSorted();
const next = (place: string) => `${place} is ready:
${place === '.' ? '' : `  cd ${place}\n`}  npm install
  npm start        # http://127.0.0.1:3000/docs
  npm run dev      # while you write src/handlers.ts and src/resolvers.ts
`;
const registry =
  'The project asks the registry for accord. For one from here: npm run pack, and --kit.\n';
const openapi = `openapi: 3.1.0
info: { title: Sky, version: 1.0.0 }
paths: { /a: { get: { operationId: getA, responses: { 200: { description: A., content: { application/json: { schema: { const: { b: 1 } } } } } } } } }
`;

describe('accord init', () => {
  it('makes an example of both contracts', async () => {
    expect(await run(initCommand, 'one')).toBe(registry + next('one'));
    expect(tree('one')).toEqual([
      ...['.gitignore', 'README.md', 'codegen.ts', 'exec.cmd', 'generated/graphql.d.ts'],
      ...['generated/openapi.d.ts', 'openapi.yaml', 'package.json', 'schema.graphql', 'src/api.ts'],
      ...[
        'src/handlers.ts',
        'src/main.ts',
        'src/resolvers.ts',
        'test/contract.test.ts',
        'tsconfig.json',
      ],
    ]);
    const text = ['generated/graphql.d.ts', 'src/handlers.ts', 'src/resolvers.ts'].map((name) =>
      readFileSync(join('one', name), 'utf8'),
    );
    await expect(text.join('\n')).toMatchFileSnapshot('expected/init-example.txt');
  });

  it('makes a project of contracts that lie in its folder', async () => {
    mkdirSync('two');
    writeFileSync('two/openapi.yaml', openapi);
    writeFileSync('two/.gitignore', 'mine');
    writeFileSync('accord.tgz', '');
    expect(
      await run(initCommand, 'two', '--openapi', 'two/openapi.yaml', '--kit', 'accord.tgz'),
    ).toBe(
      `two/.gitignore was there already and stays as it is.\ntwo/openapi.yaml was there already and stays as it is.\n${next('two')}`,
    );
    expect(readFileSync('two/.gitignore', 'utf8')).toBe('mine');
    expect(JSON.parse(readFileSync('two/package.json', 'utf8')).dependencies.accord).toBe(
      'file:../accord.tgz',
    );
    expect(tree('two')).not.toContain('generated/graphql.d.ts');
    expect(readFileSync('two/src/handlers.ts', 'utf8')).toContain('getA: () => ({');
  });

  it('makes one of an SDL with doubts, here', async () => {
    mkdirSync('three');
    const sdl = 'directive @defer on FIELD\ntype Query { a: Int b: Kind }\nenum Kind { C D }\n';
    writeFileSync('doubtful.graphql', sdl);
    process.chdir('three');
    const said = await run(initCommand, '.', '--schema', '../doubtful.graphql').finally(() =>
      process.chdir(folder),
    );
    expect(said).toBe(registry + next('.'));
    const api = readFileSync('three/src/api.ts', 'utf8');
    expect(api).toMatch(
      /stops the start:\n {2}\/\/ doubtful\.graphql:1:1: .*\n {2}lenient: true,\n/,
    );
    expect(tree('three')).not.toContain('src/handlers.ts');
    // A file of types alone has no enums at run time.
    expect(readFileSync('three/generated/graphql.d.ts', 'utf8')).not.toMatch(/\benum\b/);
  });

  it('overwrites nothing', async () => {
    mkdirSync('four/generated', { recursive: true });
    await expect(run(initCommand, 'four')).rejects.toThrow(
      'four/generated is there already, and nothing is overwritten: name another folder',
    );
    // A folder beside this one is named in full.
    mkdirSync('beside');
    process.chdir('beside');
    const said = run(initCommand, '../four').finally(() => process.chdir(folder));
    await expect(said).rejects.toThrow(/^\/.*\/four\/generated is there already/);
    expect(tree('four')).toEqual([]);
    await expect(run(initCommand, 'five', 'six')).rejects.toThrow("does not take 'six'");
    await expect(run(initCommand)).rejects.toThrow('takes a folder');
    await expect(run(initCommand, 'five', '--kit', 'none.tgz')).rejects.toThrow(
      'there is no file none.tgz',
    );
  });
});

describe('accord add without tables', () => {
  it('adds to the contracts, and generates where there is a script for it', async () => {
    mkdirSync('six');
    writeFileSync('six/openapi.yaml', openapi);
    writeFileSync('six/schema.graphql', 'type Query { a: Int }\n');
    writeFileSync('six/operations.graphql', 'query A { a }\n');
    process.chdir('six');
    try {
      await expect(run(addCommand, 'moons')).rejects.toThrow('needs a field');
      const said = await run(addCommand, 'moons', 'name:string', 'at:date?', 'count:integer');
      expect(said).toBe(`changed schema.graphql
changed openapi.yaml
the moons are mocked until they have handlers
read what was drafted: the words of the contract are yours to write
`);
      expect(readFileSync('operations.graphql', 'utf8')).toBe('query A { a }\n');
      const made = [readFileSync('openapi.yaml', 'utf8'), readFileSync('schema.graphql', 'utf8')];
      await expect(made.join('\n')).toMatchFileSnapshot('expected/add-command.txt');
      const before = made.join();
      await expect(run(addCommand, 'moons', 'name:string')).rejects.toThrow('already');
      await expect(run(addCommand, 'suns', 'name:nope')).rejects.toThrow('knows no type nope');
      await expect(run(addCommand)).rejects.toThrow('needs the name of a collection');
      expect(
        [readFileSync('openapi.yaml', 'utf8'), readFileSync('schema.graphql', 'utf8')].join(),
      ).toBe(before);
      const script = `node -e "require('node:fs').writeFileSync('made.txt', 'a')"`;
      writeFileSync('package.json', JSON.stringify({ scripts: { generate: script } }));
      expect(
        await run(
          addCommand,
          'sheep',
          'a:boolean',
          '--singular',
          'lamb',
          '--openapi',
          'openapi.yaml',
        ),
      ).toBe(`changed openapi.yaml
generated the types
the sheep are mocked until they have handlers
read what was drafted: the words of the contract are yours to write
`);
      expect(readFileSync('made.txt', 'utf8')).toBe('a');
      expect(readFileSync('schema.graphql', 'utf8')).not.toContain('Lamb');
    } finally {
      process.chdir(folder);
    }
  });
});
