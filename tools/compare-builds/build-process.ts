import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';

/** The server of a checkout, as a process of its own. */
export type ServerProcess = {
  readonly port: number;
  isAlive(): boolean;
  /** The end of what it has printed. */
  output(): string;
  stop(): Promise<void>;
};

const MOST_KEPT = 20_000;
const LONGEST_START = 60_000;

/** Starts a checkout's server with these settings and no others, and waits until it is ready. */
export async function startServer(
  checkout: string,
  settings: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const port = await freePort();
  const child = spawn(join(checkout, 'node_modules/.bin/node'), ['src/main.ts'], {
    cwd: checkout,
    env: { PATH: process.env.PATH, PORT: String(port), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = (printed + chunk).slice(-MOST_KEPT);
    });
  }
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const exit = once(child, 'exit').finally(() => process.off('exit', kill));
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const latest = Date.now() + LONGEST_START;
  while (!(await isReady(port))) {
    if (!isAlive() || Date.now() > latest) {
      kill();
      throw new Error(`the server of ${checkout} did not start: ${printed}`);
    }
    await sleep(50);
  }
  return {
    port,
    isAlive,
    output: () => printed,
    async stop() {
      // Its database is thrown away too.
      kill();
      await exit;
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
