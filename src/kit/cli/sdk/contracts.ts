import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { contractDigest } from '../../contract/contract.ts';
import type { Document } from '../../contract/openapi-document.ts';

/** All that an SDK is made from. */
export type Sources = {
  readonly openapi: string;
  readonly sdl: string;
  /** The GraphQL operations that come as named functions. */
  readonly operations: string;
  readonly document: Document;
  readonly digest: string;
};

export function readSources(folder: string): Sources {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return sourcesOf(read('openapi.yaml'), read('schema.graphql'), read('operations.graphql'));
}

export function sourcesOf(openapi: string, sdl: string, operations: string): Sources {
  const digest = contractDigest(openapi, sdl);
  return { openapi, sdl, operations, document: parse(openapi), digest };
}
