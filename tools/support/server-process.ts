import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const programs = {
  main: new URL('../../src/main.ts', import.meta.url).pathname,
  covered: new URL('../contract-test/covered-server.ts', import.meta.url).pathname,
};

export type Spawned = {
  readonly child: ChildProcess;
  /** All that it printed. */
  output(): string;
  /** Its address, once it has printed it. */
  ready(): Promise<string>;
  /** Its exit code. */
  ended(): Promise<number | null>;
};

/** Settings of a server that stops without waiting for a load balancer. */
export const atOnce = { DRAIN_DELAY: '0', DRAIN_GRACE: '0' };

/** Runs the server as a process, like `npm start`; `covered` counts contract coverage. */
export function spawnServer(
  env: Record<string, string>,
  nodeOptions: string[] = [],
  program: keyof typeof programs = 'main',
): Spawned {
  return spawnProgram(programs[program], env, nodeOptions);
}

/** Runs a program that serves and prints where. */
export function spawnProgram(
  file: string,
  env: Record<string, string>,
  nodeOptions: string[] = [],
): Spawned {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [...nodeOptions, file], {
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

/** Runs the server with contract coverage where CONTRACT_COVERAGE names a folder for the counts. */
export function spawnCovered(env: Record<string, string>): Spawned {
  const { CONTRACT_COVERAGE } = process.env;
  return CONTRACT_COVERAGE
    ? spawnServer({ ...env, CONTRACT_COVERAGE }, [], 'covered')
    : spawnServer(env);
}
