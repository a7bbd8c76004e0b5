import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Api } from '../api-declaration.ts';
import { isObject } from '../contract/openapi-document.ts';
import { mockApi } from '../mock-api.ts';
import { WrongUse } from './command.ts';

/** Where the contracts of a project are; one of the two may be missing. */
export type ContractFiles = { readonly openapi?: string; readonly schema?: string };

/** Options by which every command is told which contracts it works on. */
export const contractOptions = {
  openapi: { type: 'string' },
  schema: { type: 'string' },
} as const;

/** The files named by options, else by the key `accord` in package.json, else openapi.yaml and schema.graphql. */
export function contractFiles(given: ContractFiles, folder = process.cwd()): ContractFiles {
  const { isNamed, openapi, schema } = namedFiles(given, folder);
  const place = (file: string | undefined) => {
    if (file === undefined) return undefined;
    const path = resolve(folder, file);
    const isThere = isFile(file, path);
    if (!isThere && isNamed) throw new WrongUse(`there is no file ${file}`);
    return isThere ? path : undefined;
  };
  const found = { openapi: place(openapi), schema: place(schema) };
  if (!found.openapi && !found.schema) {
    throw new WrongUse(
      `there is no openapi.yaml and no schema.graphql in ${folder}: name them by --openapi and --schema`,
    );
  }
  return {
    ...(found.openapi && { openapi: found.openapi }),
    ...(found.schema && { schema: found.schema }),
  };
}

/** The same, whether they are there or not: another version of the project may have had them. */
export function possibleFiles(given: ContractFiles, folder = process.cwd()): ContractFiles {
  const { openapi, schema } = namedFiles(given, folder);
  return {
    ...(openapi && { openapi: resolve(folder, openapi) }),
    ...(schema && { schema: resolve(folder, schema) }),
  };
}

/** Whether the file that an option or a setting names is there; a folder is refused. */
export function isFile(file: string, path = file): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new WrongUse(`${file} is a folder, expected a file`);
  return found !== undefined;
}

/** The text of a file that an option names. */
export function namedText(file: string): string {
  if (!isFile(file)) throw new WrongUse(`there is no file ${file}`);
  return readFileSync(file, 'utf8');
}

/** Makes the folder of the file that a command is told to write; refused before the work where it cannot be. */
export function outputTo(file: string): (text: string) => void {
  isFile(file);
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw new WrongUse(`${file} cannot be written: ${(error as Error).message}`);
  }
  return (text) => writeFileSync(file, text);
}

function namedFiles(
  given: ContractFiles,
  folder: string,
): ContractFiles & { readonly isNamed: boolean } {
  const named = given.openapi || given.schema ? given : configured(folder);
  if (named.openapi || named.schema) return { ...named, isNamed: true };
  return { openapi: 'openapi.yaml', schema: 'schema.graphql', isNamed: false };
}

/** What the module that `accord.api` in package.json names exports as `api`; else a mock of the contracts. */
export async function projectApi(given: ContractFiles = {}, folder = process.cwd()): Promise<Api> {
  const file = apiFile(folder);
  if (file) {
    const { api } = await import(pathToFileURL(file).href);
    if (!api) throw new WrongUse(`${file} exports no \`api\``);
    return api;
  }
  const { openapi, schema } = contractFiles(given, folder);
  return mockApi({
    ...(openapi && { openapi: pathToFileURL(openapi) }),
    ...(schema && { graphql: pathToFileURL(schema) }),
  });
}

/** The module that `accord.api` in package.json names. */
export function apiFile(folder: string): string | undefined {
  const { api } = projectSettings(folder);
  return typeof api === 'string' ? resolve(folder, api) : undefined;
}

function configured(folder: string): ContractFiles {
  const { openapi, schema } = projectSettings(folder);
  const named = {
    ...(openapi !== undefined && { openapi }),
    ...(schema !== undefined && { schema }),
  };
  const wrong = Object.entries(named).find(([, file]) => typeof file !== 'string');
  if (wrong) throw new WrongUse(`accord.${wrong[0]} in package.json must be the name of a file`);
  return named as ContractFiles;
}

/** The key `accord` in package.json. */
export function projectSettings(folder = process.cwd()): Record<string, unknown> {
  return Object(projectManifest(folder).accord);
}

/** What package.json holds. */
export function projectManifest(folder: string): Record<string, unknown> {
  const file = join(folder, 'package.json');
  const found = existsSync(file) ? parsed(readFileSync(file, 'utf8')) : {};
  if (!isObject(found) || Array.isArray(found))
    throw new WrongUse('package.json must be a JSON object');
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw new WrongUse(`package.json is no JSON: ${reason}`);
  }
}
