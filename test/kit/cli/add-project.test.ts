// engines: sqlite
// long: starts the compiler and a server
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeAllOrNone } from '../../../src/kit/cli/add/all-or-none.ts';

const root = new URL('../../../', import.meta.url).pathname;
// No collection of this repository.
const lantern = ['bookId:integer', 'stars:integer(1..5)', 'text:string(2000)'];

/** What a program says and how it ends. */
function run(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder });
  return { status, text: `${stdout}${stderr}` };
}

describe('accord add in a project with tables', () => {
  const folder = mkdtempSync(join(tmpdir(), 'add-'));
  const accord = join(folder, 'src/kit/cli/accord.ts');
  const contracts = ['openapi.yaml', 'schema.graphql', 'operations.graphql', 'codegen.ts'];
  const read = () => contracts.map((name) => readFileSync(join(folder, name), 'utf8'));

  beforeAll(() => {
    const others = ['src', 'generated', 'package.json', 'tsconfig.json'];
    for (const name of [...contracts, ...others]) {
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes nothing where something is there already, or a place is missing', () => {
    const before = read();
    const refused = run(folder, accord, 'add', 'books', 'title:string');
    expect(refused.status).toBe(2);
    expect(refused.text).toContain('already');
    const demo = join(folder, 'src/api/demo.ts');
    const text = readFileSync(demo, 'utf8');
    writeFileSync(demo, 'export async function seedDemo() {}\n');
    expect(run(folder, accord, 'add', 'lanterns', ...lantern).text).toContain(
      'demo.ts has no call',
    );
    expect(read()).toEqual(before);
    writeFileSync(demo, text);
  });

  it('adds a collection, once', () => {
    expect(run(folder, accord, 'add', 'lanterns', ...lantern)).toMatchObject({ status: 0 });
    expect(run(folder, accord, 'add', 'lanterns', ...lantern).text).toContain('already');
  });

  it('which compiles', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const config = { extends: './tsconfig.json', include: ['src/main.ts', 'generated'] };
    writeFileSync(join(folder, 'tsconfig.src.json'), JSON.stringify(config));
    expect(run(folder, tsc, '-p', 'tsconfig.src.json')).toEqual({ status: 0, text: '' });
  });

  it('and passes the checks of the contracts and of the migrations', () => {
    expect(run(folder, accord, 'generate', '--check').status).toBe(0);
    expect(run(folder, accord, 'lint').text).toContain('0 errors');
    expect(run(folder, accord, 'parity').status).toBe(0);
    const env = { ...process.env, DATABASE_URL: `sqlite:${join(folder, 'new.db')}` };
    execFileSync(process.execPath, ['src/main.ts', 'migrate'], { cwd: folder, env });
  });
});

describe('accord add in a project without tables', () => {
  it('adds to the contracts alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'add-'));
    const galaxy = join(root, 'node_modules/@scalar/galaxy/dist/latest.yaml');
    cpSync(galaxy, join(folder, 'openapi.yaml'));
    writeFileSync(join(folder, 'schema.graphql'), 'type Query {\n  a: Int\n}\n');
    const accord = join(root, 'src/kit/cli/accord.ts');
    const { status, text } = run(folder, accord, 'add', 'lanterns', ...lantern);
    const sdl = readFileSync(join(folder, 'schema.graphql'), 'utf8');
    rmSync(folder, { recursive: true });
    expect({ status, text }).toMatchObject({ status: 0 });
    expect(text).toContain('the lanterns are mocked until they have handlers');
    expect(sdl).toContain('createLantern(');
  });

  it('adds nothing where the script fails that generates the types, and says what it says', () => {
    const folder = mkdtempSync(join(tmpdir(), 'add-'));
    writeFileSync(join(folder, 'schema.graphql'), 'type Query {\n  a: Int\n}\n');
    const generate = `node -e "console.log('out'); console.error('told'); process.exit(3)"`;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { generate } }));
    const args = [join(root, 'src/kit/cli/accord.ts'), 'add', 'lanterns', ...lantern];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      ...{ cwd: folder, encoding: 'utf8', input: 'asked' },
    });
    const sdl = readFileSync(join(folder, 'schema.graphql'), 'utf8');
    rmSync(folder, { recursive: true });
    expect({ status, stdout, stderr, sdl }).toEqual({
      ...{ status: 2, stdout: '', sdl: 'type Query {\n  a: Int\n}\n' },
      stderr: 'told\naccord add: `npm run generate` failed: nothing was added\n',
    });
  });
});

describe('accord add', () => {
  const sdl = 'type Query {\r\n  a: Int\r\n}\r\n';
  const accord = join(root, 'src/kit/cli/accord.ts');
  let folder: string;
  const at = (name: string) => join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'add-'));
    writeFileSync(at('schema.graphql'), sdl);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['null', 'package.json must be a JSON object'],
    ['[1]', 'package.json must be a JSON object'],
    ['{ nope', 'package.json is no JSON: Expected property name'],
    ['', 'package.json is no JSON: Unexpected end of JSON input'],
    ['{ "accord": { "openapi": 5 } }', 'accord.openapi in package.json must be the name of a file'],
    ['{ "accord": { "schema": [] } }', 'accord.schema in package.json must be the name of a file'],
  ])('says what is wrong with package.json: %s', (manifest, message) => {
    writeFileSync(at('package.json'), manifest);
    const { status, text } = run(folder, accord, 'add', 'lanterns', ...lantern);
    expect(status).toBe(2);
    expect(text.split('\n')[0]).toContain(`accord add: ${message}`);
    expect(readFileSync(at('schema.graphql'), 'utf8')).toBe(sdl);
  });

  it('says where an SDL cannot be read', () => {
    writeFileSync(at('schema.graphql'), `${sdl}type {`);
    expect(run(folder, accord, 'add', 'lanterns', ...lantern).text).toBe(
      'accord add: schema.graphql:4:6: Syntax Error: Expected Name, found "{".\n',
    );
  });

  it('takes a package.json with a byte order mark, and keeps the line endings of a contract', () => {
    writeFileSync(at('package.json'), '\uFEFF{}');
    expect(run(folder, accord, 'add', 'lanterns', ...lantern).status).toBe(0);
    const made = readFileSync(at('schema.graphql'), 'utf8');
    expect(made.split('\r\n').length).toBeGreaterThan(20);
    expect(made.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'adds nothing where %s ends it',
    async (signal) => {
      const script = 'require("node:fs").writeFileSync("started", ""); setTimeout(() => {}, 60000)';
      writeFileSync(at('wait.cjs'), script);
      writeFileSync(at('package.json'), '{ "scripts": { "generate": "node wait.cjs" } }');
      const child = spawn(process.execPath, [accord, 'add', 'lanterns', ...lantern], {
        ...{ cwd: folder, detached: true, stdio: 'ignore' },
      });
      const ended = once(child, 'exit');
      for (const count of [1, 2]) {
        // The types are generated again from the contract as it was.
        await vi.waitFor(() => expect(existsSync(at('started'))).toBe(true), { timeout: 60_000 });
        rmSync(at('started'));
        expect(readFileSync(at('schema.graphql'), 'utf8') === sdl).toBe(count === 2);
        process.kill(-Number(child.pid), signal);
      }
      expect(await ended).toEqual([2, null]);
      expect(readFileSync(at('schema.graphql'), 'utf8')).toBe(sdl);
    },
  );
});

describe('files are written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'add-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [first, second, third] = ['first', 'below/second', 'third'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const texts = () =>
    [first, second, third].map((file) =>
      existsSync(file) ? readFileSync(file, 'utf8') : undefined,
    );
  const files = new Map([
    [first, { before: 'old', text: 'new' }],
    [second, { before: undefined, text: 'new' }],
    [third, { before: 'old', text: 'new' }],
  ]);
  beforeEach(() => {
    rmSync(join(folder, 'below'), { recursive: true, force: true });
    for (const file of [first, third]) writeFileSync(file, 'old');
  });

  it('all of them, before work is done with them', () => {
    let seen: unknown;
    const work = () => (seen = texts());
    writeAllOrNone(files, work, () => expect.unreachable());
    expect(seen).toEqual(['new', 'new', 'new']);
    expect(texts()).toEqual(['new', 'new', 'new']);
  });

  it.each([
    ['changed', () => writeFileSync(third, 'mine'), ['old', undefined, 'mine'], 'third'],
    ['removed', () => rmSync(third), ['old', undefined, undefined], 'third'],
    [
      'made',
      () => {
        mkdirSync(join(folder, 'below'));
        writeFileSync(second, '');
      },
      ['old', '', 'old'],
      'second',
    ],
  ])('none where one was %s meanwhile', (_, meddle, left, name) => {
    meddle();
    const never = () => expect.unreachable();
    expect(() => writeAllOrNone(files, never, never)).toThrow(
      `${name} was changed meanwhile: nothing was added`,
    );
    expect(texts()).toEqual(left);
  });

  it('none where one cannot be written', () => {
    writeFileSync(join(folder, 'below'), '');
    const never = () => expect.unreachable();
    expect(() => writeAllOrNone(files, never, never)).toThrow('EEXIST');
    rmSync(join(folder, 'below'));
    expect(texts()).toEqual(['old', undefined, 'old']);
  });

  it('none where the work fails, but what somebody else wrote stays', () => {
    const undone: unknown[] = [];
    const work = () => {
      writeFileSync(third, 'mine');
      throw new Error('failed');
    };
    const before = process.listenerCount('SIGINT');
    expect(() => writeAllOrNone(files, work, () => undone.push(texts()))).toThrow('failed');
    expect(undone).toEqual([['old', undefined, 'mine']]);
    expect(texts()).toEqual(['old', undefined, 'mine']);
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});
