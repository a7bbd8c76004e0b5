import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join, relative } from 'node:path';
import { copyProject } from './project-copy.ts';
import { isKnown, REACH_FOLDER, type Reach, readReaches } from './reach.ts';

type Declared = Pick<Reach, 'project' | 'test'>;

const CONFIG = 'tools/mutations/reach.vitest.config.ts';
const PROJECTS = ['sqlite', 'postgres', 'long', 'long-postgres'];

/** What the test files reach, as far as it is known; with `isDue`, those that are not known run first. */
export function measuredReaches(isDue: boolean): Reach[] {
  const declared = declaredTests();
  const unknown = () => declared.filter(({ project, test }) => !isKnown(project, test));
  const due = unknown();
  if (due.length > 0 && (isDue || due.length === declared.length)) measure(due);
  const left = unknown().length;
  if (left > 0) process.stdout.write(`what ${left} test files reach is not known: --measure\n`);
  const names = new Set(declared.map(nameOf));
  return readReaches().filter((each) => names.has(nameOf(each)));
}

// In a copy, where the mutants run too: a test that fails there for another reason tells nothing.
function measure(tests: readonly Declared[]): void {
  const copy = copyProject();
  for (const name of PROJECTS) {
    const files = tests.filter(({ project }) => project === name).map(({ test }) => test);
    if (files.length === 0) continue;
    const args = ['run', '--config', CONFIG, '--isolate', '--project', name, ...files];
    spawnSync('vitest', args, { cwd: copy.folder, stdio: 'inherit' });
    // What was measured is kept where the rest is interrupted.
    cpSync(join(copy.folder, REACH_FOLDER), REACH_FOLDER, { recursive: true });
  }
  copy.remove();
}

function declaredTests(): Declared[] {
  const projects = PROJECTS.flatMap((name) => ['--project', name]);
  const args = ['list', '--config', '.vitest.config.ts', ...projects, '--filesOnly', '--json'];
  const listed: { file: string; projectName: string }[] = JSON.parse(
    execFileSync('vitest', args, { encoding: 'utf8' }),
  );
  return listed.map(({ file, projectName }) => ({
    test: relative('', file),
    project: projectName,
  }));
}

function nameOf({ project, test }: Declared): string {
  return `${project} ${test}`;
}
