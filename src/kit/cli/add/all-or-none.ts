import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A file as it is to be, and as it was read; undefined where there was none. */
export type Draft = { readonly text: string; readonly before: string | undefined };

// Whoever interrupts a command also ends the program that it waits for, which then has failed.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Writes all files and works with them. Where one of these fails none is written, and `undo` works with the old ones. */
export function writeAllOrNone(
  files: ReadonlyMap<string, Draft>,
  work: () => unknown,
  undo: () => unknown,
): void {
  const ignore = () => {};
  for (const signal of SIGNALS) process.on(signal, ignore);
  try {
    write(files);
    try {
      work();
    } catch (error) {
      for (const [file, draft] of files) restore(file, draft);
      undo();
      throw error;
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}

function write(files: ReadonlyMap<string, Draft>): void {
  const [other] = [...files].find(([file, { before }]) => textOf(file) !== before) ?? [];
  if (other) throw new Error(`${basename(other)} was changed meanwhile: nothing was added`);
  const begun: [string, Draft][] = [];
  try {
    for (const [file, draft] of files) {
      mkdirSync(dirname(file), { recursive: true });
      // What somebody else makes this moment is not overwritten.
      if (draft.before === undefined) writeFileSync(file, '', { flag: 'wx' });
      begun.push([file, draft]);
      writeFileSync(file, draft.text);
    }
  } catch (error) {
    for (const [file, { before }] of begun) reset(file, before);
    throw error;
  }
}

/** What somebody else has written since is theirs. */
function restore(file: string, { text, before }: Draft): void {
  if (textOf(file) === text) reset(file, before);
}

function reset(file: string, before: string | undefined): void {
  if (before === undefined) rmSync(file, { force: true });
  else writeFileSync(file, before);
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
