import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// npm, Python and compilers, on a machine that may be busy.
vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 });

const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'accord-init-'));
const tarballs = join(folder, 'packed');
afterAll(() => rmSync(folder, { recursive: true }));

const packages = join(root, 'node_modules');
const sdl = join(folder, 'ships.graphql');
const contracts: Readonly<Record<string, readonly string[]>> = {
  galaxy: ['--openapi', join(packages, '@scalar/galaxy/dist/3.1.yaml')],
  'train-travel': ['--openapi', join(packages, '@readme/oas-examples/3.1/yaml/train-travel.yaml')],
  petstore: ['--openapi', join(packages, '@readme/oas-examples/3.0/json/petstore.json')],
  'sdl-alone': ['--schema', sdl],
  both: [
    '--openapi',
    join(packages, '@readme/oas-examples/3.1/yaml/train-travel.yaml'),
    '--schema',
    sdl,
  ],
  several: ['--openapi', join(folder, 'contract/api/root.yaml')],
};

const environment = (folder: string) => {
  const { PATH = '', HOME } = process.env;
  // As for a user: neither this repository's Node nor what npm has set for its script.
  const own = PATH.split(delimiter).filter((each) => !each.includes('node_modules'));
  return { PATH: [join(folder, 'node_modules/.bin'), ...own].join(delimiter), HOME, NO_COLOR: '1' };
};

/** Runs a program in a folder; what it printed, if it ends with this code. */
async function ran(
  cwd: string,
  [program = '', ...args]: readonly string[],
  expected = 0,
): Promise<string> {
  const child = spawn(program, args, { cwd, env: environment(cwd), stdio: 'pipe' });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => output.push(String(chunk)));
  }
  const [code] = await once(child, 'close');
  const text = output.join('');
  if (code !== expected)
    throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${text}`);
  return text;
}

/** Starts a server that logs where it is. */
async function started(cwd: string, command: readonly string[]) {
  const [program = '', ...args] = command;
  const env = { ...environment(cwd), PORT: '0', DRAIN_DELAY: '0', DRAIN_GRACE: '0' };
  const child: ChildProcess = spawn(program, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let text = '';
  const { promise, resolve: found, reject } = Promise.withResolvers<string>();
  child.stdout?.on('data', (chunk) => {
    text += chunk;
    const [, url] = text.match(/Accord is at ([^\s"]+)/) ?? [];
    if (url) found(url);
  });
  void ended.then(() => reject(new Error(`it ended: ${text}`)));
  const url = await promise;
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    // npm may end before its script.
    await expect(fetch(url)).rejects.toThrow();
    return text;
  };
  return { url, stop };
}

const first = join(folder, 'nothing');
const accord = join(first, 'node_modules/.bin/accord');
const venv = resolve(root, '.venv');
const schemathesis = ['accord', 'test', '--examples', '3', '--venv', venv];

/** What a new user does, after `npm install`. */
async function holds(project: string): Promise<void> {
  await ran(project, ['npm', 'run', 'check']);
  await ran(project, ['npm', 'test']);
  const { url, stop } = await started(project, ['npm', 'start']);
  try {
    await ran(project, [...schemathesis, '--url', url]);
  } finally {
    expect(await stop()).toMatch(/mocked/);
  }
}

beforeAll(async () => {
  writeFileSync(sdl, ships);
  for (const [path, text] of Object.entries(severalFiles)) {
    const file = join(folder, 'contract', path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  await ran(root, ['node_modules/.bin/node', 'tools/pack/main.ts', '--out', tarballs]);
});

describe('the package', () => {
  const file = () => join(tarballs, `accord-${version()}.tgz`);

  it('has the kit, and nothing of this API', async () => {
    const listed = (await ran(folder, ['tar', '-tzf', file()])).trim().split('\n');
    const names = listed.map((name) => name.replace('package/', ''));
    const others = names.filter((name) => !name.startsWith('dist/kit/'));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    for (const name of [
      ...['public.js', 'public.d.ts', 'public.js.map', 'cli/launcher.js', 'cli/test/hooks.py'],
      ...['docs/assets/site.css', 'store/migrations/sqlite/001-first-answers.sql'],
      ...['cli/sdk/typescript/runtime/call.ts', 'cli/init/example/openapi.yaml'],
    ]) {
      expect(names).toContain(`dist/kit/${name}`);
    }
  });

  it('is installed by npx, and makes a project of nothing', async () => {
    const npx = ['npx', '--yes', '--prefer-offline', '--package', file(), 'accord', 'init', first];
    await ran(folder, npx);
    // `init` has installed what generates types.
    expect(existsSync(join(first, 'generated/openapi.d.ts'))).toBe(true);
    await ran(first, ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund']);
    await holds(first);
  });

  it('declares every package that it imports', async () => {
    const kit = join(first, 'node_modules/accord');
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(kit, 'package.json'), 'utf8'),
    );
    const files = readdirSync(join(kit, 'dist'), { recursive: true, encoding: 'utf8' });
    const names = files
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => {
        const text = readFileSync(join(kit, 'dist', file), 'utf8');
        return ts.preProcessFile(text, true, true).importedFiles.map((each) => each.fileName);
      })
      .filter((name) => !name.startsWith('.'))
      .map((name) => name.match(/^(@[^/]+\/)?[^/]+/)?.[0]);
    const declared = Object.keys({ ...dependencies, ...peerDependencies });
    const isKnown = (name = '') => name.startsWith('node:') || declared.includes(name);
    expect([...new Set(names)].filter((name) => !isKnown(name))).toEqual([]);
  });

  it('says what else it needs where Node is too old and there is no other', async () => {
    const launcher = readFileSync(
      join(first, 'node_modules/accord/dist/kit/cli/launcher.js'),
      'utf8',
    );
    const alone = join(folder, 'alone');
    mkdirSync(alone);
    writeFileSync(join(alone, 'package.json'), '{"type":"module"}');
    writeFileSync(join(alone, 'launcher.js'), launcher.replace('LEAST = 24', 'LEAST = 99'));
    expect(await ran(alone, [process.execPath, 'launcher.js'], 2)).toMatch(/needs Node 99/);
  });
});

describe.each(Object.entries(contracts))('a project of %s', (name, options) => {
  const project = join(folder, name);

  it('is checked, tested and served at once, and schemathesis finds no failure', async () => {
    await ran(folder, [accord, 'init', project, ...options]);
    await installed(project);
    await holds(project);
  });

  it('is not overwritten', async () => {
    const refusal = await ran(folder, [accord, 'init', project, ...options], 2);
    expect(refusal).toMatch(/package\.json is there already, and nothing is overwritten/);
  });
});

describe('a handler written by hand', () => {
  const project = join(folder, 'galaxy');
  const file = join(project, 'src/handlers.ts');
  const planets = `export const handlers: Partial<Handlers<operations, never>> = {
  getAllData: () => ({
    status: 200,
    type: 'application/json',
    body: { data: [], meta: { limit: 10, offset: 0, total: 0, next: null } },
  }),`;

  it('replaces its mock, and the docs count one less', async () => {
    const before = await mocked();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/export const handlers.*$/m, planets));
    await ran(project, ['npm', 'run', 'check']);
    const { url, stop } = await started(project, ['npm', 'start']);
    const answer = await fetch(`${url}/planets`);
    expect(answer.headers.get('accord-mock')).toBe(null);
    expect(await answer.json()).toMatchObject({ data: [] });
    await stop();
    expect(await mocked()).toBe(before - 1);
  });

  it('does not compile without a field that its contract demands', async () => {
    const example = join(first, 'src/handlers.ts');
    const text = readFileSync(example, 'utf8');
    writeFileSync(example, text.replace(", version: '0.1.0'", ''));
    const errors = await ran(first, ['npm', 'run', 'check'], 2);
    writeFileSync(example, text);
    expect(errors).toMatch(/src\/handlers\.ts.*error/);
    expect(errors).toMatch(/'version' is missing/);
  });

  async function mocked(): Promise<number> {
    const { stop } = await started(project, ['npm', 'start']);
    const [, count] = (await stop()).match(/(\d+) of \d+ operations/) ?? [];
    return Number(count);
  }
});

describe('accord mock', () => {
  it('serves contracts without a project until a signal', async () => {
    const both = contracts.both ?? [];
    const { url, stop } = await started(folder, [accord, 'mock', ...both, '--seed', '7']);
    const headers = { authorization: 'Bearer any' };
    const stations = await fetch(`${url}/stations`, { headers });
    expect(stations.headers.get('accord-mock')).toBe('true');
    expect((await fetch(`${url}/stations?page=x`, { headers })).status).toBe(400);
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ ships { id name } }' }),
    });
    expect(Object(await answer.json()).errors).toBe(undefined);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    expect(await stop()).toMatch(/Stopped/);
  });
});

describe('accord test', () => {
  it('lists the failing cases of a server that breaks its contract, and exits with 1', async () => {
    const project = join(folder, 'galaxy');
    const file = join(project, 'src/handlers.ts');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('id: 1,', "id: 'one' as never,"));
    const output = await ran(project, schemathesis, 1);
    writeFileSync(file, text);
    expect(output).toMatch(/POST \/user\/signup/);
    expect(output).toMatch(/curl/);
  });
});

describe('accord coverage', () => {
  it('runs the tests of a project, and says what of the contracts they did not exercise', async () => {
    const output = await ran(first, ['accord', 'coverage', '--', 'npm', 'test'], 1);
    expect(output).toMatch(/never: .* → 404/);
    const report = JSON.parse(
      readFileSync(join(first, 'artefacts/contract-coverage/report.json'), 'utf8'),
    );
    const parts = report.sections.flatMap((section: { parts: object[] }) => section.parts);
    const exercised = parts.filter(({ count }: { count: number }) => count > 0);
    expect(exercised.length).toBeGreaterThan(5);
  });
});

function version(): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

/** As `npm install`, which was run once. */
async function installed(project: string): Promise<void> {
  await ran(folder, ['cp', '-al', join(first, 'node_modules'), join(project, 'node_modules')]);
  cpSync(join(first, 'package-lock.json'), join(project, 'package-lock.json'));
}

const ships = `
scalar Instant
enum Rig { SLOOP BRIG }
interface Vessel { id: ID! name: String! }
type Ship implements Vessel { id: ID! name: String! rig: Rig launched: Instant crew(first: Int = 10): [Sailor!]! }
type Raft implements Vessel { id: ID! name: String! planks: Int }
type Sailor { id: ID! name: String! ship: Ship! }
union Floating = Ship | Raft
input NewShip { name: String!, rig: Rig = SLOOP }
type Query { ships: [Ship!]! ship(id: ID!): Ship vessels: [Vessel!]! floating: [Floating!]! motto: String! }
type Mutation { launch(ship: NewShip!): Ship! }
`;

const severalFiles = {
  'api/root.yaml': `openapi: 3.1.0
info: { title: Several, version: 1.0.0 }
paths:
  /ports/{id}: { $ref: paths/port.yaml }
`,
  'api/paths/port.yaml': `get:
  operationId: getPort
  parameters:
    - { name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }
  responses:
    "200":
      description: The port.
      content:
        application/json:
          schema: { $ref: ../../schemas/port.json }
delete:
  operationId: deletePort
  parameters:
    - { name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }
  responses:
    "204": { description: It is gone. }
`,
  'schemas/port.json': JSON.stringify({
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  }),
};
