import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { mayReferToFiles } from '../../contract/bundle.ts';
import { WrongUse } from '../command.ts';
import { type ContractFiles, possibleFiles } from '../project.ts';
import { type Contracts, contractsOf } from './contract-texts.ts';

/** Where the contracts of the last release are kept. */
export const released = 'docs/released';

/**
 * What the contracts of the project are compared with: those in a folder, at a git revision, or a file in place of one
 * of them. Without a base it is the last release, else what is committed.
 */
export async function baseContracts(
  base: string | undefined,
  now: Contracts,
  given: ContractFiles,
): Promise<Contracts> {
  const files = possibleFiles(given);
  if (base === undefined) {
    const folder = inFolder(released, files);
    if (folder) return contractsOf(folder, released);
    if (isRevision('HEAD')) return atRevision('HEAD', files);
    throw new WrongUse(
      `there is no ${released} and no git revision to compare with: name a folder, a file or a revision`,
    );
  }
  if (!existsSync(base)) return atRevision(base, files);
  if (statSync(base).isDirectory()) {
    const folder = inFolder(base, files);
    if (folder) return contractsOf(folder, base);
    const names = Object.values(files).map((file) => basename(file));
    throw new WrongUse(`there is no ${names.join(' and no ')} in ${base}`);
  }
  const isSdl = /\.(graphqls?|gql)$/.test(base);
  const other = await contractsOf({ [isSdl ? 'schema' : 'openapi']: resolve(base) }, base);
  return isSdl ? { ...now, ...other, openapi: now.openapi } : { ...other, sdl: now.sdl };
}

/** The files of the same names in a folder; undefined where it has neither. */
function inFolder(folder: string, files: ContractFiles): ContractFiles | undefined {
  const found = Object.entries(files).flatMap(([kind, file]) => {
    const names = [relative(process.cwd(), file), basename(file)];
    const path = names.map((name) => resolve(folder, name)).find((each) => existsSync(each));
    return path ? [[kind, path] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

async function atRevision(revision: string, files: ContractFiles): Promise<Contracts> {
  if (!isRevision(revision))
    throw new WrongUse(`there is no folder, no file and no git revision ${revision}`);
  const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
  try {
    const found = Object.entries(files).flatMap(([kind, file]) => {
      const path = relative(process.cwd(), file);
      const text = git('show', `${revision}:./${path}`);
      if (text === undefined) return [];
      // A contract of several files needs those beside it.
      if (mayReferToFiles(text)) checkOut(revision, dirname(path), folder);
      const copy = join(folder, path);
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, text);
      return [[kind, copy] as const];
    });
    if (found.length === 0) {
      const names = Object.values(files).map((file) => relative(process.cwd(), file));
      throw new WrongUse(`there is no ${names.join(' and no ')} at ${revision}`);
    }
    return await contractsOf(Object.fromEntries(found), revision);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isRevision(text: string): boolean {
  return (
    git('rev-parse', '--verify', '--quiet', '--end-of-options', `${text}^{commit}`) !== undefined
  );
}

function checkOut(revision: string, path: string, folder: string): void {
  const archive = join(folder, '.archive.tar');
  git('archive', `--output=${archive}`, revision, path);
  if (existsSync(archive)) execFileSync('tar', ['-xf', archive, '-C', folder]);
}

/** What git prints; undefined where it fails. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 28 });
  } catch {
    return undefined;
  }
}
