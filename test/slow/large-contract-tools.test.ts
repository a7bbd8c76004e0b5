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

/** Runs a command whose processes may use 1 GB each. */
function accord(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=1024' };
  return new Promise((resolve) => {
    const options = { cwd, env, maxBuffer: 2 ** 28 };
    execFile(process.execPath, [program, ...args], options, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    );
  });
}

describe("on GitHub's contracts, in 1 GB of memory", () => {
  it('accord diff tells what changed between two versions for enterprises', async () => {
    const [older, newer] = await fetchEnterpriseContracts();
    const { out, err } = await accord('diff', older, '--openapi', newer);
    expect(err).toBe('');
    expect(out).toMatch(/^BREAKING: \d+ changes/m);
  }, 1_800_000);

  it('accord diff tells what changed in the SDL', async () => {
    const { sdl } = await fetchLargeContracts();
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
    const { openapi } = await fetchLargeContracts();
    const { code, out, err } = await accord('lint', '--openapi', openapi);
    expect(err).toBe('');
    expect(out).toMatch(/^\d+ errors and \d+ warnings in /m);
    expect(code).toBe(1);
  }, 1_800_000);
});
