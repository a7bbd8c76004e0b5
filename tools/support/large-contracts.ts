import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(
  new URL('../../node_modules/.cache/accord-contracts/', import.meta.url),
);
const PRISM = '5.16.0';

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
    openapi: await fileOf('@octokit/openapi@23.0.2', 'generated/api.github.com.json'),
    sdl: await fileOf('@octokit/graphql-schema@15.26.1', 'schema.graphql'),
    prism: await installed('@stoplight/prism-cli', PRISM, 'dist/index.js'),
  };
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
  await rm(archive);
  await rename(made, folder);
  return file;
}

/** A file of a package that is installed with what it depends on. */
async function installed(name: string, version: string, path: string): Promise<string> {
  const folder = join(cache, `prism_${version}`);
  const file = join(folder, 'node_modules', name, path);
  if (existsSync(file)) return file;
  const made = `${folder}.${process.pid}`;
  await mkdir(made, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', '--prefix', made, ...options, `${name}@${version}`]);
  await rename(made, folder);
  return file;
}
