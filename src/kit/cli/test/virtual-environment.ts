import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST_PYTHON = [3, 11] as const;

/** Where schemathesis is, in a virtual environment made for it; or what is missing and how to get it. */
export function prepare(
  venv: string,
): { readonly schemathesis: string } | { readonly missing: string } {
  const requirements = fileURLToPath(new URL('./requirements.txt', import.meta.url));
  const prepared = prepareFor('schemathesis', requirements, venv);
  return 'missing' in prepared ? prepared : { schemathesis: join(prepared.bin, 'st') };
}

/** A virtual environment with what something requires; or what is missing and how to get it. */
export function prepareFor(
  what: string,
  requirements: string,
  venv: string,
): { readonly bin: string } | { readonly missing: string } {
  const wanted = readFileSync(requirements, 'utf8');
  const bin = join(venv, 'bin');
  const python = join(bin, 'python');
  const installed = join(venv, 'requirements.txt');

  const isReady = existsSync(installed) && readFileSync(installed, 'utf8') === wanted;
  if (isReady && run(python, ['--version']).ok) return { bin };

  const found = version(run('python3', ['--version']).output);
  if (!found || !isEnough(found)) {
    const instead = found ? `python3 is ${found.join('.')}` : 'there is no python3';
    return {
      missing:
        `${what} needs Python ${LEAST_PYTHON.join('.')} or newer, and ${instead}.\n` +
        'Get it with your system (apt install python3 python3-venv, brew install python) or from ' +
        'python.org, and see that python3 is on the PATH.',
    };
  }

  process.stdout.write(`Making a virtual environment for ${what}; this takes a minute, once.\n`);
  // Only what is a virtual environment is emptied.
  const clear = existsSync(join(venv, 'pyvenv.cfg')) ? ['--clear'] : [];
  const made = run('python3', ['-m', 'venv', ...clear, venv]);
  if (!made.ok) {
    const how = 'On Debian and Ubuntu: apt install python3-venv.';
    return { missing: `python3 cannot make a virtual environment. ${how}\n${made.output}` };
  }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  const filled = run(python, [...pip, '--requirement', requirements]);
  if (!filled.ok) {
    const how = 'It must reach the package index that it is set to use.';
    return { missing: `pip cannot install what ${what} needs. ${how}\n${filled.output}` };
  }
  writeFileSync(installed, wanted);
  return { bin };
}

function run(command: string, args: readonly string[]): { ok: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  // Nothing at all was written when there is no such command.
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}`.trim() };
}

function version(output: string): [number, number] | undefined {
  const [, major, minor] = output.match(/Python (\d+)\.(\d+)/) ?? [];
  return major && minor ? [Number(major), Number(minor)] : undefined;
}

function isEnough([major, minor]: [number, number]): boolean {
  const [leastMajor, leastMinor] = LEAST_PYTHON;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
