import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a command of the server; resolves with its output, and its exit code when it failed. */
export function command(
  name: 'migrate' | 'copy' | 'backup',
  env: Record<string, string>,
  parameters: readonly string[] = [],
): Promise<string> {
  const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const { PATH } = process.env;
  return new Promise((resolve) => {
    const options = { env: { PATH, ...env } };
    execFile(process.execPath, [program, name, ...parameters], options, (error, stdout, stderr) => {
      resolve(`${stdout}${stderr}${error ? `ended with ${error.code}` : ''}`);
    });
  });
}
