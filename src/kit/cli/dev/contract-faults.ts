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
  const missing = [openapi, schema]
    .filter((file) => file !== undefined)
    .filter((file) => !existsSync(file))
    .map((file) => `${relative(folder, file)} is gone`);
  if (missing.length > 0) return missing;
  const inOpenapi =
    openapi && (await faultOf(() => readContract(pathToFileURL(openapi), { lenient: true })));
  const inSchema =
    schema &&
    (await faultOf(async () =>
      readSdl(readFileSync(schema, 'utf8'), relative(folder, schema), () => {}),
    ));
  return [inOpenapi, inSchema].filter((line) => line !== undefined).filter(Boolean);
}

async function faultOf(check: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
