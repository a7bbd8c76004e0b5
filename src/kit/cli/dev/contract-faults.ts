import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readContract } from '../../contract/contract.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import type { ContractFiles } from '../project.ts';

/** What is wrong in the contracts, a line each, such as `openapi.yaml:57:7: …`. */
export async function contractFaults(
  { openapi, schema }: ContractFiles,
  folder: string,
): Promise<string[]> {
  const checks = [
    openapi && (() => readContract(pathToFileURL(openapi), { lenient: true })),
    schema &&
      (async () => readSdl(readFileSync(schema, 'utf8'), relative(folder, schema), () => {})),
  ];
  const missing = [openapi, schema]
    .filter((file) => file !== undefined && !existsSync(file))
    .map((file) => `${relative(folder, String(file))} is gone`);
  if (missing.length > 0) return missing;
  const found = await Promise.all(checks.map((check) => check && faultOf(check)));
  return found.filter((line) => line !== undefined && line !== '');
}

async function faultOf(check: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
