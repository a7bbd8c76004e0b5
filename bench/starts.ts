import { cpuTime } from '../tools/support/process-usage.ts';
import type { Data } from './databases.ts';
import { accord, fastifyAlone, type Peer, root, startServer } from './servers.ts';

/** Milliseconds from the start of the process to its first response, and CPU until then. */
type Cost = { readonly elapsed: number; readonly cpu: number };
export type Start = { readonly accord: Cost; readonly fastify: Cost };

/** Starts both in turn, in alternating order. */
export async function measureStarts(
  data: Data,
  times: number,
  onProgress: (text: string) => void,
): Promise<Start[]> {
  const own = accord('accord', 'Accord', root);
  const files = {
    accord: await data.copy('start-accord'),
    fastify: await data.copy('start-fastify'),
  };
  const starts: Start[] = [];
  for (let i = 0; i < times; i++) {
    onProgress(`start ${i + 1} of ${times}`);
    const first = i % 2 === 0 ? await measureStart(own, files.accord) : undefined;
    const fastify = await measureStart(fastifyAlone, files.fastify);
    starts.push({ accord: first ?? (await measureStart(own, files.accord)), fastify });
  }
  return starts;
}

async function measureStart(peer: Peer, file: string): Promise<Cost> {
  const { pid, elapsed, stop } = await startServer(peer, file);
  const cpu = cpuTime(pid) / 1000;
  await stop();
  return { elapsed, cpu };
}
