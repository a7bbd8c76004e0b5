import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRandom } from '../../src/kit/seeded-random.ts';
import type { Mutant } from './syntax-mutants.ts';
import { createTypeCheck } from './type-check.ts';

const FOLDER = 'artefacts/mutants';
const VERDICTS = `${FOLDER}/compiled.json`;

/** As many mutants of each room as of any other, chosen by the seed among those that compile. */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: string): Mutant[] {
  const rooms = Object.entries(Object.groupBy(mutants, ({ room }) => room));
  const share = Math.ceil(count / rooms.length);
  const compiles = createVerdicts();
  const chosen = rooms.map(([, all = []]) =>
    firstOf(shuffled(seed, all), share, compiles.isAccepted),
  );
  compiles.keep();
  // Room after room in turn, so that any beginning of the sample is a sample too.
  const turns = Array.from({ length: share }, (_, i) => chosen.map((each) => each[i]));
  return turns.flat().flatMap((each) => each ?? []);
}

function firstOf<T>(values: readonly T[], count: number, isWanted: (value: T) => boolean): T[] {
  const found: T[] = [];
  for (const value of values) {
    if (found.length === count) break;
    if (isWanted(value)) found.push(value);
  }
  return found;
}

// The compiler takes 0.15 s for a mutant: what it said of the same text is kept.
function createVerdicts() {
  const known: Record<string, boolean> = existsSync(VERDICTS)
    ? JSON.parse(readFileSync(VERDICTS, 'utf8'))
    : {};
  let check: ReturnType<typeof createTypeCheck> | undefined;
  return {
    isAccepted(mutant: Mutant): boolean {
      const key = `${mutant.id} ${mutant.digest}`;
      check ??= createTypeCheck();
      known[key] ??= check(mutant);
      return known[key];
    },
    keep(): void {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(VERDICTS, JSON.stringify(known));
    },
  };
}

// By the id of each, so that a seed stands for the same mutants as long as they are there.
function shuffled(seed: string, mutants: readonly Mutant[]): Mutant[] {
  const keyed = mutants.map((mutant) => ({ mutant, key: createRandom(`${seed} ${mutant.id}`)() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ mutant }) => mutant);
}
