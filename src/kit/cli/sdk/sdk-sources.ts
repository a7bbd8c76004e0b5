import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GraphQLSchema } from 'graphql';
import { contractDigest, emptyContract, readContract } from '../../contract/contract.ts';
import { toDialect } from '../../contract/dialect.ts';
import type { Document } from '../../contract/openapi-document.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import { type Contracts, documentOf, shownFile } from '../contract/contract-texts.ts';
import { type ContractFiles, isFile, namedText } from '../project.ts';

/** All that an SDK is made from. */
export type Sources = {
  /** The text of each contract; empty where there is none. */
  readonly openapi: string;
  readonly sdl: string;
  readonly schema: GraphQLSchema | undefined;
  /** The GraphQL operations that come as named functions; empty where there are none. */
  readonly operations: string;
  /** Their file, where it is not called operations.graphql. */
  readonly operationsFile?: string;
  /** In the dialect of OpenAPI 3.1. */
  readonly document: Document;
  readonly digest: string;
};

type ReadOptions = {
  /** A file with GraphQL operations; `operations.graphql` beside the SDL unless given. */
  readonly operations?: string | undefined;
  readonly lenient?: boolean;
  readonly onWarning?: (line: string) => void;
};

/** Reads the contracts as the server does; one that is broken is refused with a line that says where. */
export async function readSources(
  { openapi, schema }: ContractFiles,
  { operations, lenient = false, onWarning = () => {} }: ReadOptions = {},
): Promise<Sources> {
  const contract = await (openapi
    ? readContract(pathToFileURL(openapi), { lenient })
    : emptyContract());
  for (const warning of contract.warnings) onWarning(warning);
  const sdl = schema ? readFileSync(schema, 'utf8') : '';
  const read = schema && readSdl(sdl, basename(schema), lenient ? onWarning : undefined);
  const beside = schema && join(dirname(schema), 'operations.graphql');
  const file = operations ?? (beside && isFile(beside) ? beside : undefined);
  return {
    openapi: contract.text,
    sdl,
    schema: read ? read.schema : undefined,
    operations: file ? namedText(file) : '',
    ...(file && { operationsFile: shownFile(file) }),
    document: contract.document,
    digest: contractDigest(contract.text, sdl),
  };
}

/** The same of contracts that are known to be valid. */
export function sourcesOf(contracts: Contracts, operations = ''): Sources {
  const { sdl } = contracts;
  const openapi = contracts.bundle?.text ?? contracts.openapi;
  return {
    openapi,
    sdl,
    schema: sdl === '' ? undefined : readSdl(sdl, 'schema.graphql').schema,
    operations,
    // A valid description has this shape, which the dialect keeps.
    document: toDialect(Object(documentOf(contracts))) as unknown as Document,
    digest: contractDigest(openapi, sdl),
  };
}
