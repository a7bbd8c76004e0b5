import { afterAll, beforeAll } from 'vitest';
import { askProbe } from '../../tools/support/probe.ts';
import { atOnce, type Spawned, spawnServer } from '../../tools/support/server-process.ts';

const probe = new URL('../../tools/support/memory-probe.ts', import.meta.url).href;

/** Starts a server process for the tests of a file, with a memory probe. */
export function useProcess(env: Record<string, string> = {}, nodeOptions: string[] = []) {
  let spawned: Spawned | undefined;
  let url = '';
  beforeAll(async () => {
    const options = ['--expose-gc', '--import', probe, ...nodeOptions];
    spawned = spawnServer({ DATABASE_URL: 'sqlite::memory:', ...atOnce, ...env }, options);
    url = await spawned.ready();
  });
  afterAll(async () => {
    spawned?.child.kill();
    await spawned?.ended();
  });
  return {
    get url() {
      return url;
    },
    /** Bytes in use after a garbage collection. */
    memory(): Promise<number> {
      if (!spawned) throw new Error('the server starts before the tests');
      return askProbe(spawned, 'memory');
    },
  };
}
