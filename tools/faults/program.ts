import { execFileSync, spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** Makes sure that a program of the system is there: root on Debian installs it. */
export function requireProgram(name: string, versionOption: string): void {
  if (spawnSync(name, [versionOption]).status !== 0) install([name]);
}

/** The same for programs whose packages have other names. */
export function requirePackages(packages: Readonly<Record<string, string>>): void {
  const missing = Object.entries(packages).filter(
    ([program]) => spawnSync(program, ['--version']).status !== 0,
  );
  if (missing.length > 0) install(missing.map(([, name]) => name));
}

function install(names: readonly string[]): void {
  const list = names.join(' ');
  if (userInfo().uid !== 0) throw new Error(`this needs ${list}: apt-get install ${list}`);
  // At this run level a package does not start the service that comes with it.
  const env = { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update'], { env });
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], { env });
}
