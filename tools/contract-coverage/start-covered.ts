import { readFile } from 'node:fs/promises';
import { readContract } from '../../src/kit/contract/contract.ts';
import { createSchema } from '../../src/kit/graphql/executable-schema.ts';
import type { Log } from '../../src/kit/observe/log.ts';
import type { Config } from '../../src/kit/process/settings.ts';
import { type Running, start } from '../../src/kit/serve.ts';
import { createContractCoverage } from './counter.ts';
import { attachTap } from './tap-adapter.ts';

/** Starts this API with contract coverage attached; stopping it writes the counts to the folder. */
export async function startCovered(
  folder: string,
  config: Config,
  log: Log,
  onStatement?: () => void,
): Promise<Running> {
  const root = new URL('../../', import.meta.url);
  const contract = await readContract(new URL('openapi.yaml', root));
  const schema = createSchema(await readFile(new URL('schema.graphql', root), 'utf8'));
  const { tap, write } = createContractCoverage(contract, schema);
  const running = await start(config, log, onStatement);
  const detach = attachTap(Number(new URL(running.url).port), contract.routes, tap);
  return {
    ...running,
    async stop() {
      await running.stop();
      detach();
      write(folder);
    },
  };
}
