import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Engine, Source } from './engines.ts';
import { FEWEST } from './figures.ts';
import type { Work } from './pairs.ts';
import type { createProgress } from './progress.ts';
import { root } from './servers.ts';

/** What the command line asks for, and where data come from. */
export type Run = {
  readonly engine: Engine;
  readonly source: Source;
  /** For temporary files. */
  readonly folder: string;
  readonly work: Work;
  readonly progress: ReturnType<typeof createProgress>;
  /** The names in `--only`. */
  readonly only: readonly string[] | undefined;
};

/**
 * Writes what was found, beside this file if nothing was left out and there are enough pairs for verdicts; gives the
 * name of the folder.
 */
export function writeResults(
  { pairs }: Work,
  isWhole: boolean,
  files: Readonly<Record<string, string>>,
): string {
  const place = join(root, isWhole && pairs >= FEWEST ? 'bench' : 'artefacts/bench');
  mkdirSync(place, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(place, name), content);
  return relative(process.cwd(), place);
}

export function requireKnown(
  option: string,
  chosen: readonly string[] | undefined,
  names: readonly string[],
): void {
  const unknown = chosen?.find((name) => !names.includes(name));
  if (unknown) throw new Error(`--${option} takes ${names.join()}, not ${unknown}`);
}
