import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, type RunnerTestSuite } from 'vitest';
import { fileDigest } from './file-digest.ts';
import { createPainting, type Script } from './painting.ts';
import { type Reach, reachFile } from './reach.ts';

// The runtime of the SDKs names its files as they are compiled; Vite finds the sources by itself.
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      context.parentURL?.includes('/sdk/typescript/runtime/')
        ? specifier.replace(/\.js$/, '.ts')
        : specifier,
      context,
    ),
});

/** Writes which parts of src/ a test file executes, in its own process and in those that it starts. */
const start = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'accord-reach-'));
// Node hands it on to every child, and a child that ends writes its coverage there.
process.env.NODE_V8_COVERAGE = folder;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the first parameter's members
afterAll(async ({}, { file }) => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const painting = createPainting(resolve('src'));
  painting.add(result);
  for (const name of readdirSync(folder)) painting.add(scriptsOf(join(folder, name)));
  rmSync(folder, { recursive: true });
  const test = relative('', file.filepath);
  const project = file.projectName ?? '';
  const covered = [...painting.covered()].map(
    ([path, ranges]) => [path, { digest: fileDigest(path), ranges }] as const,
  );
  const reach: Reach = {
    test,
    project,
    digest: fileDigest(test),
    seconds: (performance.now() - start) / 1000,
    isGreen: !hasFailed(file),
    covered: Object.fromEntries(covered),
  };
  const path = reachFile(project, test);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(reach));
});

function hasFailed({ tasks }: RunnerTestSuite): boolean {
  return tasks.some((task) =>
    task.type === 'suite' ? hasFailed(task) : task.result?.state === 'fail',
  );
}

// A process that is killed while it writes leaves half a file.
function scriptsOf(path: string): Script[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).result;
  } catch {
    return [];
  }
}
