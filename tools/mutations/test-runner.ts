import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Tests = {
  readonly project: string;
  readonly files: readonly string[];
  /** What they usually take. */
  readonly seconds: number;
};

/** What the process of vitest is asked for; all files are absolute. */
export type TestRequest = {
  readonly project: string;
  readonly files: readonly string[];
  /** What it has to read again. */
  readonly changed: readonly string[];
};
export type TestVerdict = { readonly fault: string | undefined };

export type TestRunner = {
  /** Where the copy of the project is whose tests it runs. */
  readonly folder: string;
  /** Writes a file of the copy. */
  write(file: string, text: string): void;
  /** Runs test files: what failed first, or that they hang; undefined when all pass. */
  failingTest(tests: Tests): Promise<string | undefined>;
  stop(): Promise<void>;
};

const TIMES_LONGER = 4;
// Also on a machine that does something else.
const START = 60;
// What failing tests leave behind, such as a server, ends with the process of vitest.
const RUNS_PER_PROCESS = 25;
const LONGEST_CLOSE = 10_000;

/** Runs tests of a copy of the project, one call after another. */
export function createTestRunner(folder: string): TestRunner {
  const pathOf = (file: string) => join(folder, file);
  const changed = new Set<string>();
  let child: ChildProcess | undefined;
  let runs = 0;

  /** Undefined where the process ends: by itself, or because the tests take too long. */
  async function verdictOf(
    request: TestRequest,
    seconds: number,
  ): Promise<TestVerdict | undefined> {
    const running = child ?? startVitest(folder);
    child = running;
    const limit = setTimeout(() => endGroup(running.pid), seconds * 1000);
    const listening = new AbortController();
    running.send(request);
    const verdict = await Promise.race([
      once(running, 'message', listening).then(([message]): TestVerdict => message),
      once(running, 'exit', listening).then(() => undefined),
    ]);
    clearTimeout(limit);
    listening.abort();
    return verdict;
  }

  async function stop(): Promise<void> {
    const last = child;
    child = undefined;
    runs = 0;
    if (last?.connected) {
      last.disconnect();
      await Promise.race([once(last, 'exit'), sleep(LONGEST_CLOSE, undefined, { ref: false })]);
    }
    endGroup(last?.pid);
  }

  return {
    folder,
    write(file, text) {
      writeFileSync(pathOf(file), text);
      changed.add(pathOf(file));
    },
    async failingTest({ project, files, seconds }) {
      const request = { project, files: files.map(pathOf), changed: [...changed] };
      changed.clear();
      const verdict = await verdictOf(request, START + seconds * TIMES_LONGER);
      if (!verdict || ++runs >= RUNS_PER_PROCESS) await stop();
      return verdict ? verdict.fault : `${files.join(' ')} > end vitest or take too long`;
    },
    stop,
  };
}

function startVitest(folder: string): ChildProcess {
  return fork(new URL('vitest-host.ts', import.meta.url), {
    cwd: folder,
    // Its own group, so that the servers of tests that hang end with them.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
}
