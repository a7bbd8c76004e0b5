import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { start } from '../../src/kit/serve.ts';
import { startInstance } from '../support/server-instance.ts';

const demo = { DATABASE_URL: 'sqlite::memory:', SEED_DEMO: 'true' };

export type DemoServer = { readonly url: string; stop(): Promise<void> };

/** A server with the demo data for one program, so that no program meets another's traces. */
export async function startDemo(): Promise<DemoServer> {
  const silent = createLog('silent', () => {});
  const env = { ...demo, PORT: '0', DRAIN_GRACE: '0' };
  const { url, stop } = await start(readSettings(env), silent);
  return { url, stop };
}

/** The same as a process of its own, as `npm start` runs it. */
export async function spawnDemo(): Promise<DemoServer> {
  const instance = await startInstance({ ...demo, DRAIN_GRACE: '0' });
  await instance.ready();
  return { url: instance.url, stop: instance.stop };
}
