import { execFileSync, spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** Makes sure that a program of the system is there: root on Debian installs it. */
export function requireProgram(name: string, versionOption: string): void {
  if (spawnSync(name, [versionOption]).status === 0) return;
  if (userInfo().uid !== 0) throw new Error(`this needs ${name}: apt-get install ${name}`);
  // At this run level a package does not start the service that comes with it.
  const env = { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update'], { env });
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], { env });
}
