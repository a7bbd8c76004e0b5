import { afterAll, beforeAll } from 'vitest';
import { api as definition } from '../../src/api/api.ts';
import type { Store } from '../../src/api/tables.ts';
import { serveCovered } from '../../src/kit/cli/coverage/serve-covered.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { type Running, serve } from '../../src/kit/serve.ts';
import { atOnce } from '../../tools/support/server-process.ts';
import { type ApiResponse, type Client, createClient } from './client.ts';
import { seedParents } from './collections.ts';
import { isMissing, needPostgres, newDatabase } from './engine.ts';

export type TestServer = {
  readonly api: Client;
  /** Sends a GraphQL operation. */
  readonly graphql: (query: string, variables?: object, headers?: Headers) => Promise<ApiResponse>;
  readonly url: string;
  readonly log: string[];
  /** How many statements the store has run. */
  readonly statements: () => number;
};

type Headers = Record<string, string>;

/**
 * Starts the real server on a free port for the tests of a file. Its database is its own, empty but for the records
 * that samples of the collections named refer to.
 */
export function useServer(
  env: Record<string, string> = {},
  sampled: readonly string[] = [],
): TestServer {
  const log: string[] = [];
  let statements = 0;
  let running: Running | undefined;
  let client: Client | undefined;
  needPostgres();
  beforeAll(async () => {
    if (isMissing()) return;
    const { CONTRACT_COVERAGE: folder = process.env.CONTRACT_COVERAGE, ...given } = env;
    const seeded = sampled.length > 0 ? { SEED_DEMO: 'true' } : {};
    const { DATABASE_URL = await newDatabase() } = given;
    const options = {
      settings: readSettings({ PORT: '0', ...atOnce, ...seeded, ...given, DATABASE_URL }),
      log: createLog('info', (line) => log.push(line)),
      onStatement: () => void statements++,
    };
    const api =
      sampled.length > 0
        ? { ...definition, demo: (store: Store) => seedParents(store, sampled) }
        : definition;
    running = await (folder ? serveCovered(folder, api, options) : serve(api, options));
    client = await createClient(running.url);
  });
  afterAll(() => running?.stop());
  const api: Client = (request) => {
    if (!client) throw new Error('the server starts before the tests, not before the file');
    return client(request);
  };
  return {
    log,
    api,
    graphql: (query, variables, headers = {}) =>
      api({ method: 'POST', path: '/graphql', json: { query, variables }, headers }),
    statements: () => statements,
    get url() {
      return running?.url ?? '';
    },
  };
}
