import { once } from 'node:events';
import type { Spawned } from './server-process.ts';

/** Asks a probe that was loaded into a server (`--import`) for its next figure, such as `memory 123`. */
export async function askProbe({ child, output }: Spawned, name: string): Promise<number> {
  const figures = () => [...output().matchAll(new RegExp(`^${name} ([0-9.]+)$`, 'gm'))];
  const before = figures().length;
  child.kill('SIGUSR2');
  while (figures().length === before) await once(child.stdout ?? child, 'data');
  return Number(figures().at(-1)?.[1]);
}
