import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { type Block, scriptOf } from './guide-blocks.ts';

const NOT_COPIED = ['node_modules', '.git', 'artefacts', 'data', 'dist'];
const PROGRAMS = ['/usr/lib/postgresql/15/bin/postgres', 'patroni', 'etcd', 'pgbouncer', 'nginx'];
// With addresses and processes of its own: ports are free, and what a guide starts ends with it.
const ALONE = ['unshare', '--net', '--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Installs what the guide needs, where root on Debian can; why it cannot otherwise. */
export async function prepare(blocks: readonly Block[]): Promise<string | undefined> {
  const lacks = () => PROGRAMS.filter((name) => spawnSync('which', [name]).status !== 0);
  if (userInfo().uid !== 0) return 'only root may run commands as another user';
  if (lacks().length === 0) return undefined;
  if (spawnSync('which', ['apt-get']).status !== 0) return `there is no ${lacks()} and no apt-get`;
  const install = blocks.filter(({ kind }) => kind === 'install');
  // At this run level a package does not start the service that comes with it.
  const env = { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' };
  const code = await bash(scriptOf(install), process.cwd(), env, []);
  return code === 0 && lacks().length === 0 ? undefined : `there is no ${lacks()}`;
}

/** Runs the blocks in order, in one shell and a copy of this tree; the exit code. */
export async function runBlocks(root: string, blocks: readonly Block[]): Promise<number | null> {
  const folder = mkdtempSync(join(tmpdir(), 'accord-guide-'));
  // Programs that root runs as another user must reach it.
  chmodSync(folder, 0o711);
  const tree = join(folder, 'accord');
  const filter = (path: string) => !NOT_COPIED.includes(relative(root, path));
  cpSync(root, tree, { recursive: true, filter });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, LANG: 'C.UTF-8', SITE: join(folder, 'site') };
  const isAlone = spawnSync(ALONE[0] ?? '', [...ALONE.slice(1), 'true']).status === 0;
  const network = isAlone ? 'ip link set lo up\n' : '';
  try {
    return await bash(network + scriptOf(blocks), tree, env, isAlone ? ALONE : []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bash(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  before: readonly string[],
): Promise<number | null> {
  const [program = 'bash', ...parameters] = [...before, 'bash', '-c', script];
  const child = spawn(program, parameters, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // It leads a group of its own.
  const end = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // All of the group have ended.
    }
  };
  process.once('exit', end);
  const [code] = await once(child, 'exit');
  end();
  process.off('exit', end);
  return code;
}
