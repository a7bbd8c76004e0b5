import { relative } from 'node:path';
import { createVitest, type TestModule } from 'vitest/node';
import type { TestRequest, TestVerdict } from './test-runner.ts';

/**
 * Keeps one vitest in the working directory and runs the test files that the parent process names: a start
 * takes 2 s, with PostgreSQL 10 s, a run of one small file 0.5 s.
 */
const faults: string[] = [];
const vitest = await createVitest({
  config: '.vitest.config.ts',
  watch: false,
  bail: 1,
  fileParallelism: false,
  reporters: [
    {
      onTestModuleEnd: (module) => void faults.push(...faultsOf(module)),
      // Outside the tests, such as in a timer that they leave behind.
      onTestRunEnd: (_, errors) => void faults.push(...errors.map(({ message }) => message)),
    },
  ],
});
await vitest.standalone();

process.on('message', async (request: TestRequest) => {
  const verdict: TestVerdict = { fault: await firstFault(request) };
  process.send?.(verdict);
});
process.on('disconnect', async () => {
  await vitest.close();
  process.exit();
});

async function firstFault({ project, files, changed }: TestRequest): Promise<string | undefined> {
  for (const file of changed) vitest.invalidateFile(file);
  faults.length = 0;
  const runner = vitest.getProjectByName(project);
  const specifications = files.map((file) => runner.createSpecification(file));
  await vitest.runTestSpecifications(specifications);
  return faults[0];
}

function faultsOf(module: TestModule): string[] {
  if (module.ok()) return [];
  const file = relative('', module.moduleId);
  const { children } = module;
  const tests = [...children.allTests('failed')].map(({ fullName }) => fullName);
  const errors = [module, ...children.allSuites()].flatMap((each) => each.errors());
  const names = [...tests, ...errors.map(({ message }) => message), 'fails'];
  return names.map((name) => `${file} > ${name}`);
}
