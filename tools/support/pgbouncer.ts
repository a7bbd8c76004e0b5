import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accepts, freePort } from './free-port.ts';

export type PgBouncer = {
  /** An address of the database behind it, as seen through it. */
  address(url: string): string;
  /** Ends it, and starts it again on its port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Runs PgBouncer in transaction mode before a PostgreSQL, with the settings that docs/scale-out.md gives. */
export async function startPgBouncer(behind: string): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(behind);
  const folder = mkdtempSync(join(tmpdir(), 'accord-pgbouncer-'));
  chmodSync(folder, 0o711);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const login = `user=${username} password='${decodeURIComponent(password)}'`;
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
ignore_startup_parameters = statement_timeout
`,
  );
  chmodSync(file, 0o644);

  async function start() {
    // It refuses to run as root.
    const user = userInfo().uid === 0 ? ['-u', 'postgres'] : [];
    const child = spawn('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
      await sleep(20);
    }
    return child;
  }

  async function end() {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  let child = await start();
  return {
    address: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port }).href,
    async restart() {
      await end();
      child = await start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}
