import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

export type Spawned = {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** Its address, once it has said it. */
  ready(): Promise<string>;
  /** How it ended. */
  ended(): Promise<number | null>;
};

/** The settings of a server that has nobody to wait for when it stops. */
export const atOnce = { DRAIN_DELAY: '0', DRAIN_GRACE: '0' };

/** Runs the server as a process of its own, as `npm start` does. */
export function spawnServer(env: Record<string, string>, nodeOptions: string[] = []): Spawned {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [...nodeOptions, main], {
    env: { PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  const exit = once(child, 'exit');
  return {
    child,
    output: () => text,
    ended: async () => (await exit)[0],
    async ready() {
      for (;;) {
        const url = text.match(/Accord is at ([^\s"]+)/)?.[1];
        if (url) return url;
        if (child.exitCode !== null) throw new Error(`it ended: ${text}`);
        await Promise.race([once(child.stdout, 'data'), exit]);
      }
    },
  };
}
