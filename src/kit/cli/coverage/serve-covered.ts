import { readFile } from 'node:fs/promises';
import { readContract } from '../../contract/contract.ts';
import { present } from '../../errors.ts';
import { createSchema } from '../../graphql/executable-schema.ts';
import { type Api, type Running, type ServeOptions, serve } from '../../serve.ts';
import { createContractCoverage } from './counter.ts';

/** Serves an API with contract coverage attached; stopping it writes the counts to the folder. */
export async function serveCovered(
  folder: string,
  api: Api,
  options: ServeOptions,
): Promise<Running> {
  const contract = await readContract(present(api.openapi));
  const sdl = await readFile(present(api.graphql), 'utf8');
  const { tap, write } = createContractCoverage(contract, createSchema(sdl, api.resolvers ?? {}));
  const running = await serve(api, { ...options, taps: [tap, ...(options.taps ?? [])] });
  return {
    ...running,
    async stop() {
      await running.stop();
      write(folder);
    },
  };
}
