// slow: starts processes
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const command = new URL('../../tools/contract-test/main.ts', import.meta.url).pathname;

describe('npm run test:contract where Python is not what it needs', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'accord-python-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs it where nothing is on the PATH but this python3, if any. */
  const run = (python3: string | undefined, env: Record<string, string> = {}) => {
    if (python3) writeFileSync(join(folder, 'python3'), `#!/bin/sh\n${python3}\n`, { mode: 0o755 });
    const args = [command, '--short', '--venv', join(folder, 'venv')];
    const options = { env: { PATH: folder, ...env }, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, args, options);
    return { status, stderr };
  };

  it('is skipped by name and says what is missing and how to get it', () => {
    const { status, stderr } = run(undefined);
    expect(status).toBe(0);
    expect(stderr).toContain('SKIPPED test:contract: schemathesis needs Python 3.11 or newer');
    expect(stderr).toContain('there is no python3');
    expect(stderr).toContain('apt install python3 python3-venv');
  });

  it('fails where CI=true', () => {
    const { status, stderr } = run(undefined, { CI: 'true' });
    expect(status).toBe(1);
    expect(stderr).toContain('FAILED test:contract: schemathesis needs Python 3.11 or newer');
  });

  it('says so when python3 is too old', () => {
    expect(run('echo Python 3.9.2').stderr).toContain('python3 is 3.9');
  });

  it('says so when python3 cannot make a virtual environment', () => {
    const { status, stderr } = run('[ "$1" = --version ] && echo Python 3.12.1');
    expect(status).toBe(0);
    expect(stderr).toContain('python3 cannot make a virtual environment');
  });
});
