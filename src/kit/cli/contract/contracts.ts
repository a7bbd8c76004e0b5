import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { readSource } from '../../contract/contract-source.ts';
import type { Document } from '../../contract/openapi-document.ts';
import { readSdl } from '../../graphql/sdl-check.ts';

/** The text of both contracts, and where it is from. */
export type Contracts = {
  readonly name: string;
  readonly openapi: string;
  readonly sdl: string;
};

/** Where the contracts of the last release are kept. */
export const released = 'docs/released';

const root = process.cwd();

/** The contracts as they are in the working tree. */
export function workingContracts(): Contracts {
  return contractsIn('.', 'the working tree');
}

/** The contracts at a git revision or in a folder. */
export function baseContracts(base: string): Contracts {
  if (existsSync(resolve(root, base, 'openapi.yaml'))) return contractsIn(base, base);
  return {
    name: base,
    openapi: atRevision(base, 'openapi.yaml'),
    sdl: atRevision(base, 'schema.graphql'),
  };
}

export function documentOf({ openapi }: Contracts): Document {
  // The rules of the linter and the comparison find what is not as the type says.
  return readSource(openapi, 'openapi.yaml').value as Document;
}

export function schemaOf({ sdl }: Contracts): GraphQLSchema {
  return readSdl(sdl, 'schema.graphql').schema;
}

function contractsIn(folder: string, name: string): Contracts {
  const read = (file: string) => readFileSync(resolve(root, folder, file), 'utf8');
  return { name, openapi: read('openapi.yaml'), sdl: read('schema.graphql') };
}

function atRevision(revision: string, file: string): string {
  try {
    return execFileSync('git', ['show', `${revision}:${file}`], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch {
    throw new Error(`there is no ${file} at ${revision}: give a git revision or a folder`);
  }
}
