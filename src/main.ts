import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import { type Config, type Environment, environment, readConfig } from './config.ts';
import { readContract } from './contract/contract.ts';
import { createLog, type Log } from './operations/log.ts';
import { createHandlers } from './rest/handlers.ts';
import { createServer } from './server.ts';
import { seedDemo } from './store/demo.ts';
import { openStore } from './store/open.ts';

export type Running = {
  readonly url: string;
  /** Stops taking connections, lets requests in flight finish, closes the store. */
  stop(): Promise<void>;
};

/** Starts the server: the contract, the store, the handlers, then the port. */
export async function start(config: Config, log: Log): Promise<Running> {
  const contract = await readContract(new URL('../openapi.yaml', import.meta.url));
  const { store, isNew } = openStore(config.databaseUrl);
  if (isNew && config.seedDemo) await seedDemo(store);
  let draining = false;
  const handlers = createHandlers({ contract, store, isDraining: () => draining });
  const server = createServer(createApp(contract, handlers, log), log);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  // A TCP server that listens has an address of this kind.
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    async stop() {
      draining = true;
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
      await store.close();
    },
  };
}

/** Reads the settings, starts, and says where to look. */
export async function run(env: Environment, write: (line: string) => void): Promise<Running> {
  const config = readConfig(env);
  const log = createLog(config.logLevel, write);
  const running = await start(config, log);
  log.info(`Accord is at ${running.url}`);
  log.info(`  try       ${running.url}/books`);
  log.info(`  contract  ${running.url}/openapi.yaml`);
  log.info(`  health    ${running.url}/readyz`);
  return running;
}

if (import.meta.main) {
  try {
    const { stop } = await run(environment, (line) => process.stdout.write(`${line}\n`));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
  } catch (error) {
    process.stderr.write(`accord: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
