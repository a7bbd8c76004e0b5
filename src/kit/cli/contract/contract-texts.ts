import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GraphQLSchema } from 'graphql';
import { type Bundle, bundled, mayReferToFiles } from '../../contract/bundle.ts';
import { contractText, failing, readSource } from '../../contract/contract-source.ts';
import { refuseShapeless, withoutExtensions } from '../../contract/document-shape.ts';
import type { Document } from '../../contract/openapi-document.ts';
import { openapi3In } from '../../contract/openapi-version.ts';
import { refuseCircular } from '../../contract/references.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import { type ContractFiles, contractFiles } from '../project.ts';

/** The text of both contracts, and where it is from. */
export type Contracts = {
  readonly name: string;
  /** As it is written; empty where there is none. */
  readonly openapi: string;
  /** The same in one text, where it has several files. */
  readonly bundle?: Bundle;
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

// To look at the text is cheaper than to parse it once more.
const NAMES_OPENAPI = /(?:^|[{,])\s*["']?(?:openapi|swagger)["']?\s*:/m;

export async function contractsOf(files: ContractFiles, name: string): Promise<Contracts> {
  const { openapi: file, schema } = files;
  const openapi = file ? textOf(file) : '';
  const sdl = schema ? textOf(schema) : '';
  // Without them it would pass for a contract in which nothing changed.
  if (file && !NAMES_OPENAPI.test(openapi)) {
    // What is no YAML is told as such, with its line.
    readSource(openapi, shownFile(file));
    throw new Error(
      `${name}: ${basename(file)} has no "openapi", which every OpenAPI description has`,
    );
  }
  if (schema && sdl.trim() === '') throw new Error(`${name}: ${basename(schema)} is empty`);
  const bundle = file && (await bundleOf(openapi, file));
  return {
    ...{ name, files, openapi },
    ...(bundle && { bundle }),
    sdl,
  };
}

// A review asks for each a dozen times; to parse 5,000 operations takes a second.
const documents = new WeakMap<Contracts, Document>();

/** The OpenAPI description as data, a copy that may be changed; none where there is none. */
export function documentOf(contracts: Contracts): Document | undefined {
  if (contracts.openapi === '') return undefined;
  const document = documents.get(contracts) ?? parsedDocument(contracts);
  documents.set(contracts, document);
  return structuredClone(document);
}

function parsedDocument({ openapi, bundle, files }: Contracts): Document {
  const file = shownFile(files?.openapi ?? 'openapi.yaml');
  const source = readSource(bundle?.text ?? openapi, file);
  const fail = bundle ? failing(bundle.told) : source.fail;
  const value = openapi3In({ ...source, fail });
  refuseShapeless(value, fail);
  refuseCircular(value, fail);
  // What is deeper and not as the type says, the rules of the linter and the comparison find.
  return { paths: {}, ...withoutExtensions(value) } as Document;
}

/** The GraphQL schema; none where there is none. */
export function schemaOf({ sdl, files }: Contracts): GraphQLSchema | undefined {
  if (sdl === '') return undefined;
  // Whoever compares two schemas may not be the one to mend them.
  return readSdl(sdl, shownFile(files?.schema ?? 'schema.graphql'), () => {}).schema;
}

function textOf(file: string): string {
  return contractText(readFileSync(file), shownFile(file));
}

/** A file as a person in the project's folder names it. */
export function shownFile(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}

async function bundleOf(text: string, file: string): Promise<Bundle | undefined> {
  if (!mayReferToFiles(text)) return undefined;
  return bundled(pathToFileURL(file), text, readSource(text, shownFile(file)));
}
