import type { TestRunner, Tests } from './test-runner.ts';

/** Whether tests pass in a copy without a mutant: those that fail anyway notice nothing. */
export type Control = (runner: TestRunner, tests: Tests) => Promise<boolean>;

/** Asks once for each set of tests, and says which fail. */
export function createControl(): Control {
  const known = new Map<string, Promise<boolean>>();
  return (runner, tests) => {
    const key = [tests.project, ...tests.files].join(' ');
    const passing = known.get(key) ?? isPassing(runner, tests);
    known.set(key, passing);
    return passing;
  };
}

async function isPassing(runner: TestRunner, tests: Tests): Promise<boolean> {
  const fault = await runner.failingTest(tests);
  if (fault) process.stdout.write(`FAILS WITHOUT A MUTANT  ${fault}\n`);
  return !fault;
}
