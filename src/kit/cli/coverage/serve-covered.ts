import { readFile } from 'node:fs/promises';
import type { Api } from '../../api-declaration.ts';
import { emptyContract, readContract } from '../../contract/contract.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import { type Running, type ServeOptions, serve } from '../../serve.ts';
import { createContractCoverage } from './counter.ts';

/** Serves an API with contract coverage attached; stopping it writes the counts to the folder. */
export async function serveCovered(
  folder: string,
  api: Api,
  options: ServeOptions,
): Promise<Running> {
  const { openapi, graphql } = api;
  const contract = await (openapi ? readContract(openapi, api) : emptyContract());
  // The server itself refuses what is doubtful.
  const sdl = graphql && readSdl(await readFile(graphql, 'utf8'), 'schema.graphql', () => {});
  const { tap, write } = createContractCoverage(contract, sdl?.schema);
  const running = await serve(api, { ...options, taps: [tap, ...(options.taps ?? [])] });
  return {
    ...running,
    async stop() {
      await running.stop();
      write(folder);
    },
  };
}
