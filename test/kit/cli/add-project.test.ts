// engines: sqlite
// long: starts the compiler and a server
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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
