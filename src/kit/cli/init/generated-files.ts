import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readContract } from '../../contract/contract.ts';
import type { ContractFiles } from '../project.ts';
import { codegenOutput } from './project-files.ts';

/**
 * Writes the types of a project's contracts. Where the generators are not installed beside the kit, as with npx, the
 * project's own are: then `npm install` is run first.
 */
export async function writeGenerated(folder: string, contracts: ContractFiles): Promise<void> {
  const files = await generatedFiles(folder, contracts);
  if (files) {
    mkdirSync(join(folder, 'generated'), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, 'generated', name), text, { flag: 'wx' });
    }
    return;
  }
  process.stdout.write('Installing what generates the types (npm install)\n');
  for (const args of [
    ['install', '--no-audit', '--no-fund', '--loglevel=error'],
    ['run', '--silent', 'generate'],
  ]) {
    const shell = process.platform === 'win32';
    const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell });
    if (status === 0) continue;
    throw new Error(`npm ${args[0]} failed in ${folder}: repeat it there, then npm run generate`);
  }
}

/** Undefined where a generator is missing. */
async function generatedFiles(
  folder: string,
  { openapi, schema }: ContractFiles,
): Promise<Record<string, string> | undefined> {
  try {
    return {
      ...(openapi && { 'openapi.d.ts': await restTypes(join(folder, openapi)) }),
      ...(schema && { 'graphql.d.ts': await graphqlTypes(join(folder, schema)) }),
    };
  } catch (error) {
    if (Object(error).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

async function restTypes(file: string): Promise<string> {
  const { contractTypes } = await import('../generate/contract-types.ts');
  return contractTypes(await readContract(pathToFileURL(file), { lenient: true }));
}

async function graphqlTypes(file: string): Promise<string> {
  const { generate } = await import('@graphql-codegen/cli');
  const types = await import('@graphql-codegen/typescript');
  const resolvers = await import('@graphql-codegen/typescript-resolvers');
  // Its own loader would look for them in the current folder.
  const pluginLoader = (name: string) => (name.endsWith('-resolvers') ? resolvers : types);
  const generates = { 'generated/graphql.d.ts': codegenOutput };
  const schema = readFileSync(file, 'utf8');
  const [output] = await generate({ schema, generates, pluginLoader, silent: true }, false);
  return String(output?.content);
}
