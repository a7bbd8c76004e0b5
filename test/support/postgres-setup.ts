import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../tools/support/embedded-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server's own database; empty when there is no PostgreSQL to be had. */
    postgres: string;
  }
}

/** One PostgreSQL for the whole run. Where it does not start, its tests are skipped; in CI they fail. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  try {
    // What it stores is of no worth after the run.
    const server = await startPostgres(['fsync=off', 'max_connections=500']);
    provide('postgres', await server.createDatabase('accord'));
    return server.remove;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    process.stderr.write(`PostgreSQL does not start here: its tests are skipped. ${error}\n`);
    provide('postgres', '');
    return async () => {};
  }
}
