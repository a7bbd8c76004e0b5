import { once } from 'node:events';
import type { Instance } from './instance.ts';

/** Asks what is loaded into a server under test for its next figure, such as `memory 123`. */
export async function askProbe({ server }: Instance, name: string): Promise<number> {
  const said = () => [...server.output().matchAll(new RegExp(`^${name} ([0-9.]+)$`, 'gm'))];
  const before = said().length;
  server.child.kill('SIGUSR2');
  while (said().length === before) await once(server.child.stdout ?? server.child, 'data');
  return Number(said().at(-1)?.[1]);
}
