// engines: sqlite
// slow: starts processes and the compiler
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

it('accord dev runs the script of the project for its contracts, wherever they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dev-project-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const calls = () => read('calls').split('\n').length - 1;
  for (const name of ['src', 'api/parts']) mkdirSync(join(folder, name), { recursive: true });
  const manifest = { type: 'module', scripts: { generate: 'sh generate.sh' } };
  write('package.json', JSON.stringify(manifest));
  write('tsconfig.json', JSON.stringify({ compilerOptions }));
  write('generate.sh', generate);
  write('api/openapi.yaml', contract.replace(/paths:.*/, 'paths: 7'));
  write('api/parts/moons.yaml', part('listMoons'));
  write('src/main.ts', stays);
  const { DRAIN_DELAY: _, DRAIN_GRACE: __, ...env } = process.env;
  const args = [accord, 'dev', '--openapi', 'api/openapi.yaml'];
  const child = spawn(process.execPath, args, { cwd: folder, env });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      if (child.exitCode !== null) throw new Error(said);
      await sleep(20);
    }
  };
  try {
    await until(() => said.includes('the contract is not right yet; the server is not started\n'));
    expect(said).toMatch(/openapi\.yaml:3:8: /);
    expect([calls(), read('log')]).toEqual([0, '']);

    write('api/openapi.yaml', contract);
    await until(() => read('log') === 'up-0-0 ');
    expect(calls()).toBe(1);

    write('fail', '');
    write('api/parts/moons.yaml', part('allMoons'));
    await until(() => said.includes('no types were generated; '));
    await until(() => said.endsWith('\n'));
    expect(said).toMatch(
      /started\nmoons\.yaml is wrong\nno types were generated; the server goes on\n$/,
    );
    expect([calls(), read('log')]).toEqual([2, 'up-0-0 ']);

    rmSync(join(folder, 'fail'));
    write('codegen.ts', '');
    await until(() => read('log') === 'up-0-0 SIGTERM up-0-0 ');
    expect(calls()).toBe(3);

    // What is no contract generates nothing.
    write('package.json', JSON.stringify({ ...manifest, private: true }));
    write('package-lock.json', '{}');
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: [] }));
    write('notes.txt', '');
    write('src/main.ts', main('process.exit(3);'));
    const again = 'the next change starts it again\n';
    await until(() => said.includes(again));
    expect(said.endsWith(`goes on\nthe server has ended with 3; ${again}`)).toBe(true);
    expect([calls(), read('log')]).toEqual([3, 'up-0-0 SIGTERM up-0-0 SIGTERM up-0-0 ']);

    write('src/main.ts', stays);
    await until(() => read('log').endsWith('SIGTERM up-0-0 up-0-0 '));
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(read('log').endsWith('up-0-0 SIGINT ')).toBe(true);
  } finally {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(folder, { recursive: true });
  }
});
