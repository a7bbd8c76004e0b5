import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export type ProjectCopy = { readonly folder: string; remove(): void };

/** A copy of the project as it is now, with the packages and the history of this one. */
export function copyProject(): ProjectCopy {
  const folder = mkdtempSync(join(tmpdir(), 'accord-mutants-'));
  const listed = git('ls-files', '--cached', '--others', '--exclude-standard').split('\n');
  for (const file of listed.filter((each) => existsSync(each))) cpSync(file, join(folder, file));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, '.git'), `gitdir: ${git('rev-parse', '--absolute-git-dir')}\n`);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
