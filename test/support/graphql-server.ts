import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { api } from '../../src/api/api.ts';
import type { Resolvers, Scalars } from '../../src/kit/graphql/resolver-check.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { serve } from '../../src/kit/serve.ts';
import { atOnce } from '../../tools/support/server-process.ts';

const { tables, migrations } = api;

type Options = {
  readonly scalars?: Scalars;
  readonly env?: Readonly<Record<string, string>>;
};

/** Serves a schema of the test's own at the GraphQL endpoint, without any REST contract. */
export async function serveGraphql(sdl: string, resolvers: Resolvers, options: Options = {}) {
  const { scalars = {}, env = {} } = options;
  const log: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'graphql-'));
  const written = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name));
  };
  const own = {
    graphql: written('schema.graphql', sdl),
    ...{ resolvers, scalars, tables, migrations },
  };
  const { url, deprecatedUse, stop } = await serve(own, {
    // Its contract declares no responses that could be checked.
    settings: readSettings({
      ...atOnce,
      PORT: '0',
      DATABASE_URL: 'sqlite::memory:',
      RESPONSE_SAMPLE: '0',
      ...env,
    }),
    log: createLog('error', (line) => log.push(line)),
  });
  rmSync(folder, { recursive: true });
  return {
    url,
    stop,
    deprecatedUse,
    /** What was logged as a failure. */
    failures: log,
    async graphql(query: string, variables?: object) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      const { status, headers } = response;
      return { status, headers, json: Object(await response.json()) };
    },
  };
}
