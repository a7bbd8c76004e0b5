import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GraphQLSchema } from 'graphql';
import type { Api } from './api-declaration.ts';
import type { CheckCache } from './contract/check-cache.ts';
import { type Contract, emptyContract, readContract } from './contract/contract.ts';
import { contractBytes } from './contract/contract-file.ts';
import { contractText } from './contract/contract-source.ts';
import { createSchema } from './graphql/executable-schema.ts';

export type ApiContracts = {
  readonly contract: Contract;
  /** Empty where there is no schema. */
  readonly sdl: string;
  readonly digest: string;
  /** The folder of the contracts. */
  readonly folder: URL;
  /** Joins the SDL and the resolvers; fields without one are mocked where there is a seed. */
  createSchema(mockSeed?: number): GraphQLSchema | undefined;
};

/** Reads what an API's contracts say; a fault stops the start, or is a warning where the API is lenient. */
export async function readApiContracts(
  api: Api,
  onWarning: (line: string) => void,
  checks?: CheckCache,
): Promise<ApiContracts> {
  const { openapi, graphql, lenient = false, formats = {} } = api;
  const either = openapi ?? graphql;
  if (!either) throw new Error('an API has an OpenAPI description, an SDL, or both');
  const contract = await (openapi
    ? readContract(openapi, { lenient, formats, checks })
    : emptyContract());
  for (const warning of contract.warnings) onWarning(`Warning: ${warning}`);
  const sdl = graphql ? await sdlText(graphql) : '';
  return {
    contract,
    sdl,
    digest: contract.digestWith(sdl),
    folder: new URL('.', either),
    createSchema: (mockSeed) =>
      graphql &&
      createSchema(sdl, api.resolvers ?? {}, {
        file: basename(fileURLToPath(graphql)),
        scalars: api.scalars,
        onWarning: lenient ? onWarning : undefined,
        mockSeed,
        checks,
      }),
  };
}

async function sdlText(file: URL): Promise<string> {
  return contractText(await contractBytes(file), basename(fileURLToPath(file)));
}
