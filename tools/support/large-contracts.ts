import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(
  new URL('../../node_modules/.cache/accord-contracts/', import.meta.url),
);
const OCTOKIT = '@octokit/openapi@23.0.2';
const PRISM = '5.16.0';
const PRISM_PROGRAM = '@stoplight/prism-cli/dist/index.js';

export type LargeContracts = {
  /** GitHub's REST description and SDL. */
  readonly openapi: string;
  readonly sdl: string;
  /** The program of Prism's command. */
  readonly prism: string;
};

/** The largest public contracts and a server for them, fetched from the registry once; too large for dependencies. */
export async function fetchLargeContracts(): Promise<LargeContracts> {
  return {
    openapi: await fileOf(OCTOKIT, 'generated/api.github.com.json'),
    sdl: await fileOf('@octokit/graphql-schema@15.26.1', 'schema.graphql'),
    prism: await installed(`prism_${PRISM}`, [`@stoplight/prism-cli@${PRISM}`], PRISM_PROGRAM),
  };
}

/** GitHub's REST description for enterprises in two versions, the older first. */
export async function fetchEnterpriseContracts(): Promise<readonly [string, string]> {
  const older = await fileOf(OCTOKIT, 'generated/ghes-3.18.json');
  return [older, await fileOf(OCTOKIT, 'generated/ghes-3.19.json')];
}

/** A module with GitHub's own clients, `@octokit/rest` and `@octokit/graphql`, fetched once as well. */
export async function fetchOctokit(): Promise<string> {
  const packages = ['@octokit/rest@22.0.1', '@octokit/graphql@9.0.5'];
  const file = await installed('octokit', packages, '@octokit/rest/package.json');
  const clients = join(file, '../../../../clients.mjs');
  const names = { Octokit: '@octokit/rest', graphql: '@octokit/graphql' };
  const lines = Object.entries(names).map(([name, from]) => `export { ${name} } from '${from}';\n`);
  await writeFile(clients, lines.join(''));
  return clients;
}

/** One file of a package. */
async function fileOf(spec: string, path: string): Promise<string> {
  const folder = join(cache, spec.replaceAll(/[^\w.-]/g, '_'));
  const file = join(folder, path);
  if (existsSync(file)) return file;
  const made = `${folder}.${process.pid}`;
  await mkdir(made, { recursive: true });
  const { stdout } = await run('npm', ['pack', spec, '--silent', '--pack-destination', made]);
  const archive = join(made, stdout.trim().split('\n').at(-1) ?? '');
  await run('tar', ['-xzf', archive, '-C', made, '--strip-components=1', `package/${path}`]);
  await mkdir(dirname(file), { recursive: true });
  await rename(join(made, path), file);
  await rm(made, { recursive: true });
  return file;
}

/** A file of packages that are installed with what they depend on. */
async function installed(name: string, packages: readonly string[], path: string): Promise<string> {
  const folder = join(cache, name);
  const file = join(folder, 'node_modules', path);
  if (existsSync(file)) return file;
  const made = `${folder}.${process.pid}`;
  await mkdir(made, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', '--prefix', made, ...options, ...packages]);
  await rename(made, folder);
  return file;
}
