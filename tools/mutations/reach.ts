import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileDigest } from './file-digest.ts';
import type { Ranges } from './painting.ts';
import type { Mutant } from './syntax-mutants.ts';

/** What one test file executes of src/ on one engine. */
export type Reach = {
  readonly test: string;
  readonly project: string;
  /** Of the test file as it was. */
  readonly digest: string;
  readonly seconds: number;
  readonly isGreen: boolean;
  readonly covered: Readonly<Record<string, { readonly digest: string; readonly ranges: Ranges }>>;
};

const SHORTEST_TEXT = 12;
const LOGICAL = new Set(['&&', '||', '??']);

export const REACH_FOLDER = 'artefacts/mutants/reach';

/** Where what a test file executes is kept. */
export function reachFile(project: string, test: string): string {
  return join(REACH_FOLDER, project, `${test}.json`);
}

export function readReaches(): Reach[] {
  const files = globSync(`${REACH_FOLDER}/**/*.json`);
  return files.map((file): Reach => JSON.parse(readFileSync(file, 'utf8')));
}

/** Whether it is known what this text of a test file executes. */
export function isKnown(project: string, test: string): boolean {
  const path = reachFile(project, test);
  return existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).digest === fileDigest(test);
}

/** The tests that execute the place of a mutant, the likeliest and cheapest first. */
export function reaching(reaches: readonly Reach[], mutant: Mutant): Reach[] {
  const found = reaches.filter((each) => each.isGreen && isReached(each, mutant));
  return found.toSorted((a, b) => costOf(a, mutant) - costOf(b, mutant));
}

// Of a file that has changed since, it is known only that it was loaded.
function isReached({ covered }: Reach, { file, start, before, digest }: Mutant): boolean {
  const known = covered[file];
  if (!known || known.digest !== digest) return known !== undefined;
  // V8 reports a logical operator as part of its right operand, which may not have been evaluated.
  const at = LOGICAL.has(before) ? start - 1 : start;
  return known.ranges.some(([from, to]) => from <= at && at < to);
}

function costOf({ test, project, seconds }: Reach, { file, room, source }: Mutant): number {
  const isNamed = basename(test, '.test.ts') === basename(file, '.ts');
  const isOwn = isNamed || mentions(test, [`/${file}'`]);
  const isSameRoom = test.startsWith(`test/kit/${room}/`) || test.startsWith(`test/${room}/`);
  // PostgreSQL itself starts first.
  const start = project.endsWith('postgres') && !file.includes('postgres') ? 20 : 2;
  const share = mentions(test, textsIn(source)) ? 0.02 : isOwn ? 0.1 : isSameRoom ? 0.3 : 1;
  return (start + seconds) * share;
}

function mentions(test: string, texts: readonly string[]): boolean {
  if (!existsSync(test)) return false;
  const content = readFileSync(test, 'utf8');
  return texts.some((text) => content.includes(text));
}

// Messages and names: who expects one of them tests this line.
function textsIn(source: string): string[] {
  const literals = source.match(/'[^']*'|`[^`]*`/g) ?? [];
  const parts = literals.flatMap((each) => each.slice(1, -1).split(/\$\{.*?\}/));
  return parts.filter((part) => part.length >= SHORTEST_TEXT);
}
