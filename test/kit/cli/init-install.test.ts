// engines: sqlite
// slow: starts a process
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'init-install-')));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

// As with npx: the generators are not beside the kit.
const preload = `import { registerHooks } from 'node:module';
registerHooks({
  resolve(name, context, next) {
    if (!name.startsWith('@graphql-codegen/')) return next(name, context);
    throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
`;
const npm = `#!/bin/sh
echo "$* in $(pwd)" >> ${folder}/log
[ "$1" != "$FAILING" ]
`;
const kit = new URL('../../../src/kit/cli/init/generated-files.ts', import.meta.url).href;
const program = `import { writeGenerated } from '${kit}';
const told = async (schema, failing = '') => {
  process.env.FAILING = failing;
  await writeGenerated('${folder}', { schema }).catch((error) => console.log(error.message));
};
await told('schema.graphql');
await told('schema.graphql', 'install');
await told('schema.graphql', 'run');
await writeGenerated('${folder}', { openapi: 'broken.yaml' }).catch(() => console.log('broken'));
`;

it('accord init has npm install what generates the types, where it is not there', () => {
  mkdirSync(join(folder, 'bin'));
  write('bin/npm', npm);
  chmodSync(join(folder, 'bin/npm'), 0o755);
  write('preload.mjs', preload);
  write('program.mjs', program);
  write('schema.graphql', 'type Query { a: Int }\n');
  write('broken.yaml', 'openapi: 3.1.0\n');
  const args = ['--import', join(folder, 'preload.mjs'), join(folder, 'program.mjs')];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
  });
  const installing = 'Installing what generates the types (npm install)\n';
  const failed = (command: string) =>
    `npm ${command} failed in ${folder}: repeat it there, then npm run generate\n`;
  expect([stdout, stderr]).toEqual([
    `${installing}${installing}${failed('install')}${installing}${failed('run')}broken\n`,
    '',
  ]);
  const [install, generate] = [
    `install --no-audit --no-fund --loglevel=error in ${folder}`,
    `run --silent generate in ${folder}`,
  ];
  const log = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
  expect(log).toEqual([install, generate, install, install, generate]);
  expect(existsSync(join(folder, 'generated'))).toBe(false);
});
