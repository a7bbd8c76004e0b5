import { afterAll, beforeAll } from 'vitest';
import { residentBytes, type Spawned, spawnServer } from './spawn.ts';

/** A process of its own for the tests of a file, with a look at the memory it holds. */
export function useProcess(env: Record<string, string> = {}) {
  let spawned: Spawned | undefined;
  let url = '';
  beforeAll(async () => {
    spawned = spawnServer({ DATABASE_URL: 'sqlite::memory:', ...env });
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
    memory: () => residentBytes(spawned?.child.pid ?? 0),
  };
}
