import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Control } from './control.ts';
import type { Reach } from './reach.ts';
import { type Mutant, mutated } from './syntax-mutants.ts';
import type { TestRunner, Tests } from './test-runner.ts';

export type Outcome = {
  readonly mutant: Mutant;
  /** The test that notices it, and its project. */
  readonly noticedBy?: string;
  readonly project?: string;
  readonly ran: number;
  /** Test files that execute its place. */
  readonly reached: number;
};

// Seconds that the test files of one run take together: a start costs about two.
const SIZES = [8, 20];
const LARGEST = 60;

/** Runs the tests that reach a mutant in a copy of the project until one fails or `budget` seconds of them have run. */
export async function runMutant(
  runner: TestRunner,
  mutant: Mutant,
  found: readonly Reach[],
  { budget, control }: { readonly budget: number; readonly control: Control },
): Promise<Outcome> {
  const reached = found.length;
  let ran = 0;
  for (const tests of runsOf(found, budget)) {
    const noticedBy = await withMutant(runner, mutant, () => runner.failingTest(tests));
    if (noticedBy && (await control(runner, noticing(tests, noticedBy)))) {
      return { mutant, noticedBy, project: tests.project, ran, reached };
    }
    ran += tests.files.length;
  }
  return { mutant, ran, reached };
}

// One file alone where it is known which.
function noticing(tests: Tests, noticedBy: string): Tests {
  const [file = ''] = noticedBy.split(' > ');
  return tests.files.includes(file) ? { ...tests, files: [file] } : tests;
}

/** Does something while the copy has the mutant. */
export async function withMutant<T>(runner: TestRunner, mutant: Mutant, act: () => Promise<T>) {
  const text = readFileSync(join(runner.folder, mutant.file), 'utf8');
  runner.write(mutant.file, mutated(text, mutant));
  try {
    return await act();
  } finally {
    runner.write(mutant.file, text);
  }
}

function runsOf(found: readonly Reach[], budget: number): Tests[] {
  const runs: { project: string; files: string[]; seconds: number }[] = [];
  let total = 0;
  for (const { test, project, seconds } of found) {
    if (total > 0 && total + seconds > budget) continue;
    total += seconds;
    const last = runs.at(-1);
    const size = SIZES[runs.length - 1] ?? LARGEST;
    if (last?.project === project && last.seconds + seconds <= size) {
      last.files.push(test);
      last.seconds += seconds;
    } else {
      runs.push({ project, files: [test], seconds });
    }
  }
  return runs;
}
