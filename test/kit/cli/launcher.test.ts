// engines: sqlite
// slow: starts processes
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';

const launcher = new URL('../../../src/kit/cli/launcher.ts', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'launcher-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Another version of Node, and a package `node` that is a script, or none.
const preload = join(folder, 'preload.mjs');
writeFileSync(
  preload,
  `import Module from 'node:module';
const { VERSION: node, PACKAGE } = process.env;
Object.defineProperty(process, 'versions', { value: { ...process.versions, node } });
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...others) => {
  if (name !== 'node/package.json') return resolve(name, ...others);
  if (PACKAGE) return PACKAGE;
  throw new Error('there is none');
};
`,
);

let packages = 0;
/** A package `node` whose program is a script. */
function packageOf(script: string): string {
  const place = join(folder, String(packages++));
  mkdirSync(join(place, 'bin'), { recursive: true });
  writeFileSync(join(place, 'bin/node'), `#!${process.execPath}\n${script}\n`);
  chmodSync(join(place, 'bin/node'), 0o755);
  return join(place, 'package.json');
}

function start(version: string, manifest: string, ...args: string[]) {
  const env = { ...process.env, VERSION: version, PACKAGE: manifest };
  return spawn(process.execPath, ['--import', preload, launcher, ...args], { env });
}

async function ended(child: ReturnType<typeof start>) {
  const exit = once(child, 'exit');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exit;
  return { code, out, err };
}

describe('the command of the package', () => {
  it('is carried out by Node 24', async () => {
    const none = packageOf('process.exit(9)');
    const { code, out } = await ended(start('24.0.0', none, 'generate', '--help'));
    expect([code, out.split('\n')[0]]).toEqual([
      0,
      'accord generate [contract] [--output <file>] [--check]',
    ]);
  });

  it('is handed to the Node that the package depends on, where it is started by an older one', async () => {
    const script =
      "console.log(process.argv.slice(2).join()); console.error('told'); process.exit(7)";
    expect(await ended(start('23.11.1', packageOf(script), 'lint', '--help'))).toEqual({
      code: 7,
      out: `${launcher},lint,--help\n`,
      err: 'told\n',
    });
    expect(
      (await ended(start('20.0.0', packageOf("process.kill(process.pid, 'SIGKILL')")))).code,
    ).toBe(1);
  });

  it('says what it needs where there is no newer one', async () => {
    expect(await ended(start('22.1.0', '', 'lint'))).toEqual({
      code: 2,
      out: '',
      err: 'accord: needs Node 24, and this is 22.1.0: npm install node@24, or nodejs.org\n',
    });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('is ended by %s', async (signal) => {
    const script = `process.on('${signal}', () => process.exit(3)); setInterval(() => {}, 1000); console.log('ready');`;
    const child = start('23.0.0', packageOf(script));
    const [ready] = await once(child.stdout, 'data');
    expect(String(ready)).toBe('ready\n');
    child.kill(signal);
    expect(await ended(child)).toEqual({ code: 3, out: '', err: '' });
  });
});
