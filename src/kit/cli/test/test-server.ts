import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from '../../api-declaration.ts';
import { createLog } from '../../observe/log.ts';
import { readSettings } from '../../process/settings.ts';
import { type Running, serve } from '../../serve.ts';
import { serveCovered } from '../coverage/serve-covered.ts';

const NO_LIMIT = '1000000';

/**
 * Serves an API at a free port with a new database and its demo data; errors are logged. Under `accord coverage` it
 * counts what of the contracts is exercised.
 */
export async function startTestServer(api: Api): Promise<Pick<Running, 'url' | 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'accord-test-'));
  const settings = readSettings({
    ...{ PORT: '0', DRAIN_DELAY: '0', DRAIN_GRACE: '0', RESPONSE_SAMPLE: '0' },
    ...{ DATABASE_URL: `sqlite:${join(folder, 'test.db')}`, SEED_DEMO: 'true' },
    // A generated document is not a hostile one.
    ...{ GRAPHQL_DEPTH: NO_LIMIT, GRAPHQL_COST: NO_LIMIT, GRAPHQL_TOKENS: NO_LIMIT },
    ...{ GRAPHQL_ALIASES: NO_LIMIT, GRAPHQL_DIRECTIVES: NO_LIMIT, GRAPHQL_FIELDS: NO_LIMIT },
  });
  const remove = () => rmSync(folder, { recursive: true });
  try {
    const log = createLog('error', (line) => process.stderr.write(line));
    const { CONTRACT_COVERAGE: counts } = process.env;
    const options = { settings, log };
    const { url, stop } = await (counts ? serveCovered(counts, api, options) : serve(api, options));
    return { url, stop: () => stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
