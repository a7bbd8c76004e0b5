// long: starts npm
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Without what `npm test` puts there for its own script.
const { PATH, HOME } = process.env;
const options = { cwd: folder, env: { PATH, HOME }, encoding: 'utf8' } as const;
const setting = execFileSync('npm', ['config', 'get', 'strict-allow-scripts'], options).trim();

describe.skipIf(setting === 'undefined')('npm ci', () => {
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    cpSync(new URL(name, root), join(folder, name));
  }
  const install = () => spawnSync('npm', ['ci', '--dry-run', '--offline'], options);

  it('installs every package whose script is allowed, and refuses one whose script is not', () => {
    expect(install().stderr).toBe('');
    const file = join(folder, 'package.json');
    const { allowScripts, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    const { esbuild: _, ...others } = allowScripts;
    writeFileSync(file, JSON.stringify({ ...rest, allowScripts: others }));
    const { status, stderr } = install();
    expect(stderr).toContain('esbuild');
    expect(status).toBe(1);
  });
});

it('every package with a script, on any platform, is listed under allowScripts', () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8'));
  const packages = Object.entries<{ hasInstallScript?: boolean }>(
    read('package-lock.json').packages,
  );
  const scripted = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(read('package.json').allowScripts).sort()).toEqual(scripted.sort());
});
