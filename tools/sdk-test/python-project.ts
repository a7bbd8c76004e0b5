import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareFor } from '../../src/kit/cli/test/virtual-environment.ts';
import { byFile, demanded, ended, type Project } from './sdk-project.ts';

const root = new URL('../../', import.meta.url).pathname;

/** Builds the wheel and installs it in a virtual environment with mypy; or says what is missing. */
export async function pythonProject(sdk: string): Promise<Project | { readonly missing: string }> {
  const requirements = join(root, 'tools/sdk-test/requirements.txt');
  const venv = join(root, 'node_modules/.cache/sdk-venv');
  const prepared = prepareFor('the Python SDK', requirements, venv);
  if ('missing' in prepared) return prepared;
  const python = join(prepared.bin, 'python');
  const folder = mkdtempSync(join(tmpdir(), 'accord-sdk-py-'));
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--quiet'];
  const build = ['wheel', '--no-build-isolation', '--no-deps', '--wheel-dir', folder, sdk];
  await demanded(python, [...pip, ...build], folder);
  const [wheel = ''] = readdirSync(folder).filter((name) => name.endsWith('.whl'));
  const install = ['install', '--force-reinstall', '--no-deps', `./${wheel}`];
  await demanded(python, [...pip, ...install], folder);

  return {
    language: 'Python',
    async check(programs) {
      const names = Object.keys(programs);
      for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
      const { output } = await ended(python, ['-m', 'mypy', '--strict', ...names], folder);
      return byFile(output, /^([^:]+):\d+: error/, names);
    },
    run: (file, parameters = []) => ended(python, [file, ...parameters], folder),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
