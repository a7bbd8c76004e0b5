// engines: sqlite
// long: starts processes and the compiler
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';

const accord = new URL('../../../src/kit/cli/accord.ts', import.meta.url).pathname;

const contract = `openapi: 3.1.0
info: { title: Moons, version: 1.0.0 }
paths: { /moons: { $ref: parts/moons.yaml } }
`;
const part = (id: string) =>
  `get: { operationId: ${id}, responses: { '200': { description: All. } } }\n`;
const compilerOptions = {
  ...{ target: 'esnext', lib: ['esnext'], module: 'nodenext', strict: true, noEmit: true },
  types: [],
};
/** A program that says in a file when it starts and by what it is ended. */
const main = (then: string) => `declare const process: any;
declare function require(name: string): any;
declare function setInterval(call: () => void, ms: number): void;
const files: string = 'node:fs';
const { appendFileSync } = await import(files);
const say = (text: string) => appendFileSync('log', text + ' ');
const { DRAIN_DELAY, DRAIN_GRACE } = process.env;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (say(signal), process.exit()));
say(\`up-\${DRAIN_DELAY}-\${DRAIN_GRACE}\`);
${then}
`;
const stays = main('setInterval(() => {}, 1000);');
// Prints what a program may print besides the one line that tells.
const generate = `echo called >> calls
[ -e fail ] || exit 0
echo 'at a.yaml:1'
echo 'throw error'
echo '  moons.yaml is wrong  ' >&2
echo 'further error' >&2
exit 1
`;

/** Runs accord dev in a folder with these files; the steps wait for what they bring about. */
async function developing(files: Readonly<Record<string, string>>, args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'dev-project-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  for (const [name, text] of Object.entries(files)) write(name, text);
  const { DRAIN_DELAY: _, DRAIN_GRACE: __, ...env } = process.env;
  const child = spawn(process.execPath, [accord, 'dev', ...args], { cwd: folder, env });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      if (child.exitCode !== null) throw new Error(said);
      await sleep(20);
    }
  };
  const starts = () => read('log').split('up-0-0 ').length - 1;
  return {
    ...{ folder, child, write, read, until, starts },
    said: () => said,
    /** How often the script of the project was called. */
    calls: () => read('calls').split('\n').length - 1,
    /** Changes a file in one step. */
    replace(name: string, text: string) {
      write('written', text);
      renameSync(join(folder, 'written'), join(folder, name));
    },
    async restarted(change: () => void) {
      const count = starts();
      change();
      await until(() => starts() > count);
    },
    async end() {
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

it('accord dev runs the script of the project for its contracts, wherever they are', async () => {
  const manifest = { type: 'module', scripts: { generate: 'sh generate.sh' } };
  const dev = await developing(
    {
      'package.json': JSON.stringify(manifest),
      'tsconfig.json': JSON.stringify({ compilerOptions }),
      'generate.sh': generate,
      'api/openapi.yaml': contract.replace(/paths:.*/, 'paths: 7'),
      'api/parts/moons.yaml': part('listMoons'),
      'src/main.ts': stays,
    },
    ['--openapi', 'api/openapi.yaml'],
  );
  const { said, until, calls, read, write } = dev;
  try {
    await until(() =>
      said().includes('the contract is not right yet; the server is not started\n'),
    );
    expect(said()).toMatch(/openapi\.yaml:3:8: /);
    expect([calls(), read('log')]).toEqual([0, '']);
    await dev.restarted(() => write('api/openapi.yaml', contract));
    expect(calls()).toBeGreaterThan(0);

    const before = [calls(), dev.starts()] as const;
    write('fail', '');
    write('api/parts/moons.yaml', part('allMoons'));
    const wrong = 'moons.yaml is wrong\nno types were generated; the server goes on\n';
    await until(() => said().includes(wrong));
    expect(said()).not.toMatch(/at a\.yaml|throw error|further/);
    expect([calls() > before[0], dev.starts()]).toEqual([true, before[1]]);

    rmSync(join(dev.folder, 'fail'));
    await dev.restarted(() => dev.replace('codegen.ts', ''));
    const called = calls();
    expect(called).toBeGreaterThan(before[0] + 1);

    // What is no contract generates nothing.
    dev.replace('package.json', JSON.stringify({ ...manifest, private: true }));
    dev.replace('package-lock.json', '{}');
    dev.replace('tsconfig.json', JSON.stringify({ compilerOptions, files: [] }));
    dev.replace('notes.txt', '');
    write('src/main.ts', main('process.exit(3);'));
    await until(() =>
      said().endsWith('the server has ended with 3; the next change starts it again\n'),
    );
    expect(calls()).toBe(called);
    await dev.restarted(() => write('src/main.ts', stays));
    dev.child.kill('SIGINT');
    expect(await once(dev.child, 'exit')).toEqual([0, null]);
    expect(read('log')).toMatch(/up-0-0 SIGTERM up-0-0 .*up-0-0 SIGINT $/);
  } finally {
    await dev.end();
  }
});

it('accord dev has nothing to generate for an SDL alone', async () => {
  const dev = await developing(
    {
      'tsconfig.json': JSON.stringify({ compilerOptions }),
      'gql/moons.graphql': 'type Query { moons: Int }\n',
      'src/main.ts': stays.replace('await import(files)', 'require(files)'),
    },
    ['--schema', 'gql/moons.graphql'],
  );
  const { said, until, write } = dev;
  try {
    await until(() => dev.starts() === 1);
    write('gql/moons.graphql', 'type Query { moons: Nope }\n');
    await until(() => said().includes('the contract is not right yet; the server goes on\n'));
    expect(said()).toMatch(/^gql\/moons\.graphql:1:21: Unknown type/m);
    await dev.restarted(() => write('gql/moons.graphql', 'type Query { suns: Int }\n'));
    const wrong = 'export const wrong: string = 1;\n';
    write('src/wrong.ts', wrong);
    await until(() => said().includes('the types are not right yet; the server goes on\n'));
    expect(said()).toMatch(/^src\/wrong\.ts:1 Type 'number' is not assignable/m);
    await dev.restarted(() => write('src/wrong.ts', wrong.replace('1', "'1'")));
  } finally {
    await dev.end();
  }
});
