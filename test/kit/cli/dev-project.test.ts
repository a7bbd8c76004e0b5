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
/** A program that says in a file when it starts and by what it is ended, which takes it a while. */
const main = (then: string) => `declare const process: any;
declare function require(name: string): any;
declare function setInterval(call: () => void, ms: number): void;
declare function setTimeout(call: () => void, ms: number): void;
const files: string = 'node:fs';
const { appendFileSync } = await import(files);
const say = (text: string) => appendFileSync('log', text + ' ');
const { DRAIN_DELAY, DRAIN_GRACE } = process.env;
const end = (signal: string) => setTimeout(() => (say(signal), process.exit()), 500);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
say(\`up-\${DRAIN_DELAY}-\${DRAIN_GRACE}\`);
${then}
`;
const stays = main('setInterval(() => {}, 1000);');
const wrong = 'export const wrong: string = 1;\n';
const notAssignable = "wrong.ts:1 Type 'number' is not assignable to type 'string'.\n";
const notRight = (what: string) => `the ${what} not right yet; the server goes on\n`;
// Prints what a program may print besides the one line that tells.
const generate = `echo called >> calls
while [ -e slow ]; do sleep 0.05; done
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
    /** Waits until it has said something so many times. */
    says: (text: string, times = 1) => until(() => said.split(text).length > times),
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
  // Its name is that of a contract: the script itself is not what went wrong.
  const manifest = { type: 'module', scripts: { generate: 'sh generate.sh openapi.yaml' } };
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
  const { said, says, until, calls, read, write } = dev;
  try {
    await says('the contract is not right yet');
    expect(said()).toMatch(/openapi\.yaml:3:8: /);
    write('api/openapi.yaml', contract.replace(/paths:.*/, 'paths: 8'));
    await says('the contract is not right yet', 2);
    expect(said()).not.toContain('the server goes on');
    expect([calls(), read('log')]).toEqual([0, '']);
    await dev.restarted(() => write('api/openapi.yaml', contract));
    expect(calls()).toBeGreaterThan(0);

    const before = [calls(), read('log')] as const;
    write('fail', '');
    write('api/parts/moons.yaml', part('allMoons'));
    await says('moons.yaml is wrong\nno types were generated; the server goes on\n');
    expect(said()).not.toMatch(/at a\.yaml|throw error|further/);
    write('src/wrong.ts', wrong);
    await says(`src/${notAssignable}${notRight('types are')}`);
    expect([calls() > before[0], read('log')]).toEqual([true, before[1]]);

    rmSync(join(dev.folder, 'fail'));
    await dev.restarted(() => rmSync(join(dev.folder, 'src/wrong.ts')));
    // What changes meanwhile is not forgotten.
    const first = calls();
    write('slow', '');
    dev.replace('codegen.ts', '');
    await until(() => calls() > first);
    write('api/parts/moons.yaml', part('moons'));
    await sleep(300);
    await dev.restarted(() => rmSync(join(dev.folder, 'slow')));
    await until(() => calls() > first + 1);
    const called = calls();

    // What is no contract generates nothing.
    dev.replace('package.json', JSON.stringify({ ...manifest, private: true }));
    dev.replace('package-lock.json', '{}');
    dev.replace('tsconfig.json', JSON.stringify({ compilerOptions, files: [] }));
    dev.replace('notes.txt', '');
    write('src/main.ts', main("say('left');\nprocess.exit(3);"));
    await until(() =>
      said().endsWith('the server has ended with 3; the next change starts it again\n'),
    );
    expect(calls()).toBe(called);
    await dev.restarted(() => write('src/main.ts', stays));
    dev.child.kill('SIGINT');
    expect(await once(dev.child, 'exit')).toEqual([0, null]);
    expect(read('log')).toMatch(/up-0-0 SIGTERM up-0-0 .*up-0-0 SIGINT $/);
    // The next starts when the last has ended, which is told only where it ends by itself.
    expect(read('log')).not.toMatch(/up-0-0 up-0-0/);
    expect(said()).not.toMatch(/has ended with (?!3)/);
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
      'src/wrong.ts': wrong,
    },
    ['--schema', 'gql/moons.graphql'],
  );
  const { said, says, until, read, write } = dev;
  const right = wrong.replace('1', "'1'");
  try {
    await says(`src/${notAssignable}${notRight('types are')}`);
    expect(said()).not.toContain('the contract');
    await until(() => dev.starts() === 1);
    await dev.restarted(() => write('src/wrong.ts', right));

    const before = read('log');
    write('gql/moons.graphql', 'type Query { moons: Nope }\n');
    await says(notRight('contract is'));
    expect(said()).toMatch(/^gql\/moons\.graphql:1:21: Unknown type/m);
    // Of a source that cannot be read, and of generated ones too.
    write('generated/wrong.ts', wrong);
    write('src/wrong.ts', 'export const wrong = ;\n');
    await says('src/wrong.ts:1 Expression expected.\n');
    await says(`generated/${notAssignable}`);
    await says(notRight('types are'), 2);
    expect(read('log')).toBe(before);

    rmSync(join(dev.folder, 'generated/wrong.ts'));
    await dev.restarted(() => write('src/wrong.ts', right));
    await dev.restarted(() => write('gql/moons.graphql', 'type Query { suns: Int }\n'));
    dev.child.kill('SIGTERM');
    expect(await once(dev.child, 'exit')).toEqual([0, null]);
    expect(read('log')).toMatch(/up-0-0 SIGTERM $/);
  } finally {
    await dev.end();
  }
});
