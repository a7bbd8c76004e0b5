import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { type Spawned, spawnProgram, spawnServer } from './server-process.ts';

export type Instance = {
  readonly url: string;
  readonly pid: number;
  readonly server: Spawned;
  /** The status at a path; 0 without a response. */
  status(path: string): Promise<number>;
  /** Resolves when /readyz is 200. */
  ready(): Promise<void>;
  isAlive(): boolean;
  /** Sends SIGTERM and waits for its end. */
  stop(): Promise<void>;
};

/** Runs the server, or that of another tree, on a free port, or PORT; its address is known before it listens. */
export async function startInstance(
  env: Record<string, string>,
  nodeOptions: string[] = [],
  program?: string,
): Promise<Instance> {
  const port = env.PORT ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const settings = { LOG_LEVEL: 'silent', ...env, PORT: String(port) };
  const server = program
    ? spawnProgram(program, settings, nodeOptions)
    : spawnServer(settings, nodeOptions);
  const kill = () => server.child.kill('SIGKILL');
  process.once('exit', kill);
  server.child.once('exit', () => process.off('exit', kill));
  const status = async (path: string) => {
    try {
      const response = await fetch(url + path);
      await response.text();
      return response.status;
    } catch {
      return 0;
    }
  };
  const isAlive = () => server.child.exitCode === null && server.child.signalCode === null;
  return {
    url,
    pid: server.child.pid ?? 0,
    server,
    status,
    isAlive,
    async ready() {
      while ((await status('/readyz')) !== 200) {
        if (!isAlive()) throw new Error(`it ended: ${server.output()}`);
        await sleep(20);
      }
    },
    async stop() {
      server.child.kill('SIGTERM');
      await server.ended();
    },
  };
}

/** Runs `use` with a ready instance on a new SQLite file. */
export async function withInstance<T>(
  use: (instance: Instance, file: string) => Promise<T>,
  env: Record<string, string> = {},
  nodeOptions: string[] = [],
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'accord-faults-'));
  const file = join(folder, 'faults.db');
  const instance = await startInstance({ DATABASE_URL: `sqlite:${file}`, ...env }, nodeOptions);
  try {
    await instance.ready();
    return await use(instance, file);
  } finally {
    instance.server.child.kill('SIGKILL');
    await instance.server.ended();
    rmSync(folder, { recursive: true });
  }
}
