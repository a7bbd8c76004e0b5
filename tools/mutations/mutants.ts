import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createControl } from './control.ts';
import { equivalentMutants } from './equivalent-mutants.ts';
import { killRateText, outcomeText } from './kill-rate.ts';
import { runMutant } from './mutant-run.ts';
import { sampleOf } from './mutant-sample.ts';
import { readOutcomes, writeOutcome } from './outcomes.ts';
import { copyProject } from './project-copy.ts';
import { type Reach, reaching } from './reach.ts';
import { measuredReaches } from './reach-run.ts';
import { allMutants, type Mutant } from './syntax-mutants.ts';
import { createTestRunner } from './test-runner.ts';

/**
 * Changes the kit and the API in one place at a time, in a copy, and runs the tests that execute the
 * place: a change that none of them notices is a survivor.
 */
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '7' },
    /** Some rooms only, with commas between. */
    rooms: { type: 'string' },
    /** Measures first what new and changed test files reach. */
    measure: { type: 'boolean', default: false },
    /** Seconds of tests for one mutant. */
    budget: { type: 'string', default: '300' },
    /** Stops after this time; the next call goes on. */
    minutes: { type: 'string', default: 'Infinity' },
    /** Runs what survived once more. */
    survivors: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
});

const rooms = values.rooms?.split(',');
const all = allMutants();
const ids = new Set(all.map(({ id }) => id));
for (const id of Object.keys(equivalentMutants)) {
  if (!ids.has(id)) process.stdout.write(`equivalent-mutants.ts: ${id} is no longer there\n`);
}
const wanted = all.filter(({ room }) => !rooms || rooms.includes(room));
const sample = sampleOf(wanted, Number(values.sample), values.seed).filter(
  ({ id }) => !(id in equivalentMutants),
);
const before = readOutcomes();
const reaches = measuredReaches(values.measure);
const isDue = ({ id, digest }: Mutant) => {
  const outcome = before.get(`${id} ${digest}`);
  return !outcome || (values.survivors && !outcome.noticedBy);
};
await runAll(sample.filter(isDue), reaches);
const outcomes = readOutcomes();
const run = sample.flatMap(({ id, digest }) => outcomes.get(`${id} ${digest}`) ?? []);
process.stdout.write(killRateText(run));
if (run.length < sample.length) {
  process.stdout.write(`${sample.length - run.length} of ${sample.length} have not run yet\n`);
}

async function runAll(due: readonly Mutant[], known: readonly Reach[]): Promise<void> {
  const queue = due.values();
  const limits = { budget: Number(values.budget), control: createControl() };
  const end = Date.now() + Number(values.minutes) * 60_000;
  const work = async () => {
    const copy = copyProject();
    const runner = createTestRunner(copy.folder);
    for (const mutant of queue) {
      const found = reaching(known, mutant);
      const outcome = await runMutant(runner, mutant, found, limits);
      writeOutcome(outcome);
      process.stdout.write(`${outcomeText(outcome)}\n`);
      if (Date.now() > end) break;
    }
    await runner.stop();
    copy.remove();
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
}
