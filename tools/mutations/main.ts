import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mutations } from './mutations.ts';

/**
 * Plants violations of the contracts one at a time in a copy of the project and runs the tests over
 * HTTP on it: each violation must fail them.
 */
const suites = [
  'test/api/collections.test.ts',
  'test/api/examples.test.ts',
  'test/api/graphql.test.ts',
  'test/api/graphql-batching.test.ts',
  'test/kit/graphql/bounds.test.ts',
  'test/kit/graphql/graphql-errors.test.ts',
  'test/api/greeting.test.ts',
  'test/kit/store/idempotency.test.ts',
  'test/api/specification.test.ts',
];

const brief = ['--bail', '1', '--reporter', 'tap-flat'];
// A violation may also make the tests hang.
const LONGEST = 300_000;

const copy = mkdtempSync(join(tmpdir(), 'accord-mutations-'));
const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
for (const file of files) cpSync(file, join(copy, file));
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));

const unharmed = failingTest();
if (unharmed) throw new Error(`the tests fail before anything is planted: ${unharmed}`);

let caught = 0;
for (const { name, file, find, replace } of mutations) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(find)) throw new Error(`${file} has no place for "${name}"`);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  const failing = failingTest();
  writeFileSync(path, text);
  if (failing) caught++;
  process.stdout.write(
    `${failing ? 'caught' : 'MISSED'}: ${name}${failing ? ` (${failing})` : ''}\n`,
  );
}
rmSync(copy, { recursive: true });
process.stdout.write(`${caught} of ${mutations.length} planted violations caught\n`);
process.exitCode = caught === mutations.length ? 0 : 1;

/** The first test that fails in the copy, or what else went wrong; undefined when all pass. */
function failingTest(): string | undefined {
  const { status, stdout, stderr } = spawnSync(
    'vitest',
    ['run', '--config', '.vitest.config.ts', '--project', 'sqlite', ...brief, ...suites],
    { cwd: copy, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' }, timeout: LONGEST },
  );
  if (status === 0) return undefined;
  // The one that comes with an error, if there is one: what was cut short because of it is not ok either.
  const test = stdout.match(/^not ok \d+ - (.*)\n +---$/m) ?? stdout.match(/^not ok \d+ - (.*)$/m);
  const line = test?.[1] || stderr.trim().split('\n')[0] || 'the tests did not run';
  return line.replace(/ # time=.*/, '').slice(0, 160);
}
