import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import {
  fetchEnterpriseContracts,
  fetchLargeContracts,
} from '../../tools/support/large-contracts.ts';

const program = fileURLToPath(new URL('../../src/kit/cli/accord.ts', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'large-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** Runs a command; the limit holds for each of its processes. */
function accord(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=1024' };
  return new Promise((resolve) => {
    const options = { cwd, env, maxBuffer: 2 ** 28 };
    execFile(process.execPath, [program, ...args], options, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    );
  });
}

const files = await Promise.all([fetchLargeContracts(), fetchEnterpriseContracts()]).catch(
  (error) => {
    if (process.env.CI === 'true') throw error;
    return undefined;
  },
);
const [{ openapi, sdl }, [older, newer]] = files ?? [{ openapi: '', sdl: '' }, ['', '']];

describe.skipIf(!files)('on GitHub’s contracts, each process with a heap of 1 GB,', () => {
  it('accord diff tells what changed between two versions for enterprises', async () => {
    const { out, err } = await accord('diff', older, '--openapi', newer);
    expect(err).toBe('');
    expect(out).toMatch(/^BREAKING: \d+ changes/m);
  }, 1_800_000);

  it('accord diff tells what changed in the SDL', async () => {
    const changed = readFileSync(sdl, 'utf8').replaceAll(
      /^ {2}login: String!/gm,
      '  login: String',
    );
    writeFileSync(join(cwd, 'new.graphql'), changed);
    const { code, out } = await accord('diff', sdl, '--schema', 'new.graphql');
    expect(out).toContain('User.login');
    expect(code).toBe(1);
  }, 1_800_000);

  it('accord lint finds what is wrong with the description', async () => {
    const { code, out, err } = await accord('lint', '--openapi', openapi);
    expect(err).toBe('');
    expect(out).toMatch(/^\d+ errors and \d+ warnings in /m);
    expect(code).toBe(1);
  }, 1_800_000);
});
