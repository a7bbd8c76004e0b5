import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type Tests = {
  readonly project: string;
  readonly files: readonly string[];
  /** What they usually take. */
  readonly seconds: number;
};

const TIMES_LONGER = 4;
// Also on a machine that does something else.
const START = 60;
const brief = ['--bail', '1', '--reporter', 'tap-flat', '--no-file-parallelism'];

/** Runs test files of a copy of the project: what failed first, or that they hang; undefined when all pass. */
export async function failingTest(folder: string, tests: Tests): Promise<string | undefined> {
  const options = ['run', '--config', '.vitest.config.ts', '--project', tests.project, ...brief];
  const child = spawn('vitest', [...options, ...tests.files], {
    cwd: folder,
    // Its own group, so that the servers of tests that hang end with them.
    detached: true,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  let isLate = false;
  const limit = setTimeout(
    () => {
      isLate = true;
      endGroup(child.pid);
    },
    (START + tests.seconds * TIMES_LONGER) * 1000,
  );
  const [code] = await once(child, 'close');
  clearTimeout(limit);
  endGroup(child.pid);
  if (code === 0) return undefined;
  return isLate ? `takes too long: ${tests.files.join(' ')}` : firstFault(text, tests.files);
}

function firstFault(output: string, files: readonly string[]): string {
  // The one that comes with an error, if there is one: what was cut short because of it is not ok either.
  const test = /^not ok \d+ - (.*)\n +---$/m.exec(output) ?? /^not ok \d+ - (.*)$/m.exec(output);
  if (test?.[1]) return test[1].replace(/ # time=.*/, '');
  // An error outside the tests, such as in a module that they load.
  const [error = 'no test ran'] = /^.*Error\b.*$/m.exec(output) ?? [];
  return `${files.join(' ')} > ${error.trim()}`;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
}
