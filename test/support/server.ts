import { afterAll, beforeAll } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Running, start } from '../../src/main.ts';
import { createLog } from '../../src/operations/log.ts';
import { type Client, createClient } from './client.ts';

export type TestServer = { readonly api: Client; readonly url: string; readonly log: string[] };

/** Starts the real server on a free port for the tests of a file; its database is its own. */
export function useServer(env: Record<string, string> = {}): TestServer {
  const log: string[] = [];
  let running: Running | undefined;
  let client: Client | undefined;
  beforeAll(async () => {
    const config = readConfig({ PORT: '0', DATABASE_URL: 'sqlite::memory:', ...env });
    running = await start(
      config,
      createLog('info', (line) => log.push(line)),
    );
    client = await createClient(running.url);
  });
  afterAll(() => running?.stop());
  return {
    log,
    api: (request) => {
      if (!client) throw new Error('the server starts before the tests, not before the file');
      return client(request);
    },
    get url() {
      return running?.url ?? '';
    },
  };
}
