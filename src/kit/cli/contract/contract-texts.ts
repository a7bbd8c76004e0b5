import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GraphQLSchema } from 'graphql';
import { bundled, mayReferToFiles, refersToFiles } from '../../contract/bundle.ts';
import { readSource } from '../../contract/contract-source.ts';
import type { Document } from '../../contract/openapi-document.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import { type ContractFiles, contractFiles } from '../project.ts';

/** The text of both contracts, and where it is from. */
export type Contracts = {
  readonly name: string;
  /** As it is written; empty where there is none. */
  readonly openapi: string;
  /** The same in one text, where it has several files. */
  readonly bundle?: string;
  /** Empty where there is none. */
  readonly sdl: string;
  readonly files?: ContractFiles;
};

/** The contracts of the project, or of another folder. */
export async function workingContracts(
  given: ContractFiles = {},
  folder?: string,
): Promise<Contracts> {
  return contractsOf(contractFiles(given, folder), folder ?? 'the working tree');
}

export async function contractsOf(files: ContractFiles, name: string): Promise<Contracts> {
  const { openapi: file, schema } = files;
  const openapi = file ? readFileSync(file, 'utf8') : '';
  const bundle = file && (await bundleOf(openapi, file));
  return {
    ...{ name, files, openapi },
    ...(bundle && { bundle }),
    sdl: schema ? readFileSync(schema, 'utf8') : '',
  };
}

/** The OpenAPI description as data; none where there is none. */
export function documentOf({ openapi, bundle, files }: Contracts): Document | undefined {
  if (openapi === '') return undefined;
  const { value } = readSource(bundle ?? openapi, shownFile(files?.openapi ?? 'openapi.yaml'));
  // The rules of the linter and the comparison find what is not as the type says.
  return { paths: {}, ...Object(value) } as Document;
}

/** The GraphQL schema; none where there is none. */
export function schemaOf({ sdl, files }: Contracts): GraphQLSchema | undefined {
  if (sdl === '') return undefined;
  // Whoever compares two schemas may not be the one to mend them.
  return readSdl(sdl, shownFile(files?.schema ?? 'schema.graphql'), () => {}).schema;
}

/** A file as a person in the project's folder names it. */
export function shownFile(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}

async function bundleOf(text: string, file: string): Promise<string | undefined> {
  if (!mayReferToFiles(text)) return undefined;
  const { value, fail } = readSource(text, shownFile(file));
  return refersToFiles(value) ? bundled(pathToFileURL(file), fail) : undefined;
}
