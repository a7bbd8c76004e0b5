import { atOnce, spawnCovered } from '../support/server-process.ts';

export type DemoServer = { readonly url: string; stop(): Promise<void> };

/** A server with the demo data for one program, so that programs do not see each other's writes. */
export async function startDemo(): Promise<DemoServer> {
  const env = { DATABASE_URL: 'sqlite::memory:', SEED_DEMO: 'true', ...atOnce };
  const server = spawnCovered(env);
  return {
    url: await server.ready(),
    async stop() {
      server.child.kill();
      await server.ended();
    },
  };
}
