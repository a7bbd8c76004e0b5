import { once } from 'node:events';
import { afterAll, beforeAll } from 'vitest';
import { atOnce, type Spawned, spawnServer } from './spawn.ts';

const probe = new URL('./memory-probe.ts', import.meta.url).href;

/** A process of its own for the tests of a file, with a look at the memory it holds. */
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
    /** How many bytes it holds that are not garbage. */
    async memory(): Promise<number> {
      if (!spawned?.child.stdout) throw new Error('the server starts before the tests');
      const { child, output } = spawned;
      const said = () =>
        [...output().matchAll(/^memory (\d+)$/gm)].map((match) => Number(match[1]));
      const before = said().length;
      child.kill('SIGUSR2');
      while (said().length === before) await once(child.stdout ?? child, 'data');
      return said().at(-1) ?? 0;
    },
  };
}
