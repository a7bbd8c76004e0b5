import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from '../../src/kit/cli/test/virtual-environment.ts';
import { distinctContracts } from '../support/foreign-contracts.ts';
import { type Outcome, run } from './foreign-run.ts';

/** Runs schemathesis against every contract in development packages, each served with mocks. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    examples: { type: 'string' },
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    venv: { type: 'string', default: '.venv' },
  },
});
const root = new URL('../../', import.meta.url).pathname;
const folder = join(root, 'artefacts/foreign-contracts');
const prepared = prepare(resolve(root, values.venv));
process.exitCode =
  'missing' in prepared ? skip(prepared.missing) : await test(prepared.schemathesis);

async function test(schemathesis: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { short: isShort } = values;
  const seeds = (values.seeds ?? (isShort ? '1' : '1,2,3')).split(',');
  const examples = values.examples ?? (isShort ? '3' : '30');
  const queue = seeds.flatMap((seed) =>
    distinctContracts()
      .filter(({ name }) => name.includes(values.only))
      .map((contract) => ({ contract, seed, examples, isShort })),
  );
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const outcome = await run({ ...next, schemathesis, folder });
      outcomes.push(outcome);
      process.stdout.write(line(outcome));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const text = summary(outcomes);
  writeFileSync(join(folder, 'report.txt'), outcomes.map(line).join('') + text);
  process.stdout.write(text);
  return outcomes.every(({ isPassed }) => isPassed) ? 0 : 1;
}

function line({ name, seed, isPassed, cases, told }: Outcome): string {
  return `${isPassed ? 'ok  ' : 'FAIL'} ${name}, seed ${seed}: ${told ?? `${cases} cases`}\n`;
}

function summary(outcomes: readonly Outcome[]): string {
  const rules = new Map<string, number>();
  for (const name of outcomes.flatMap(({ passedOver }) => passedOver)) {
    rules.set(name, (rules.get(name) ?? 0) + 1);
  }
  const failed = outcomes.filter(({ isPassed }) => !isPassed).length;
  const cases = outcomes.reduce((sum, each) => sum + each.cases, 0);
  const operations = outcomes.reduce((sum, each) => sum + each.operations, 0);
  return [
    '',
    'Failures of contracts, by the rule of src/kit/cli/test/rules.py that says why:',
    ...[...rules].toSorted().map(([name, count]) => `  ${name}: ${count}`),
    `${outcomes.length} runs, ${operations} operations, ${cases.toLocaleString('en')} cases, ${failed} runs with failures`,
    `${failed === 0 ? 'PASSED' : 'FAILED'} test:contracts; see artefacts/foreign-contracts`,
    '',
  ].join('\n');
}

/** Without Python the tests are skipped, except in CI. */
function skip(missing: string): number {
  const isDemanded = process.env.CI === 'true';
  process.stderr.write(`\n${isDemanded ? 'FAILED' : 'SKIPPED'} test:contracts: ${missing}\n`);
  return isDemanded ? 1 : 0;
}
