import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = createRequire(import.meta.url)
  .resolve('@redocly/cli/package.json')
  .replace(/package\.json$/, 'bin/cli.js');

/** Runs Redocly's command on texts that it finds as files; the answer is the JSON that it prints. */
export function redocly(
  command: 'lint' | 'diff',
  files: Readonly<Record<string, string>>,
  options: readonly string[],
): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [bin, command, ...Object.keys(files), '--format', 'json', ...options],
      // It would count its uses elsewhere, and ask for its newest version.
      {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    if (!stdout.includes('{')) throw new Error(`redocly ${command} failed: ${stderr}`);
    return JSON.parse(stdout.slice(stdout.indexOf('{')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
