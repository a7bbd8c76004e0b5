import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createControl } from './control.ts';
import { withMutant } from './mutant-run.ts';
import { readOutcomes } from './outcomes.ts';
import { copyProject } from './project-copy.ts';
import { readReaches } from './reach.ts';
import { allMutants, type Mutant } from './syntax-mutants.ts';
import { createTestRunner } from './test-runner.ts';

/**
 * Runs each mutant of a fixed sample with the one test file that is known to notice it: a few minutes.
 * `--renew` makes the sample anew from the mutants that were killed at the last `npm run test:mutants`.
 */
type Fixed = Pick<Mutant, 'id' | 'file'> & {
  readonly project: string;
  readonly test: string;
  readonly seconds: number;
};

const FILE = 'tools/mutations/fixed-sample.json';
const MOST = 60;
// With fewer of them left, too much of the code has changed for the sample to say anything.
const LEAST_SHARE = 2 / 3;
// A dearer test is for the long run.
const LONGEST = 15;

const { values } = parseArgs({ options: { renew: { type: 'boolean', default: false } } });
if (values.renew) renew();
else process.exitCode = (await isNoticed()) ? 0 : 1;

async function isNoticed(): Promise<boolean> {
  const fixed: Fixed[] = JSON.parse(readFileSync(FILE, 'utf8'));
  const mutants = new Map(allMutants().map((each) => [each.id, each]));
  const live = fixed.flatMap((each) => {
    const mutant = mutants.get(each.id);
    return mutant ? [{ ...each, mutant }] : [];
  });
  const queue = live.values();
  const control = createControl();
  let noticed = 0;
  const work = async () => {
    const copy = copyProject();
    const runner = createTestRunner(copy.folder);
    for (const { mutant, project, test, seconds } of queue) {
      const tests = { project, files: [test], seconds };
      const fault = await withMutant(runner, mutant, () => runner.failingTest(tests));
      if (fault && (await control(runner, tests))) noticed++;
      else process.stdout.write(`SURVIVED  ${mutant.id} ${mutant.file}:${mutant.line} (${test})\n`);
    }
    await runner.stop();
    copy.remove();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  process.stdout.write(`${noticed} of ${live.length} mutants noticed; `);
  process.stdout.write(`${fixed.length - live.length} are gone with their code (--renew)\n`);
  return noticed === live.length && live.length >= fixed.length * LEAST_SHARE;
}

function renew(): void {
  const seconds = new Map(
    readReaches().map((each) => [`${each.project} ${each.test}`, each.seconds]),
  );
  const known = [...readOutcomes().values()].flatMap(({ mutant, noticedBy, project }) => {
    const [test = ''] = noticedBy?.split(' > ') ?? [];
    const cost = seconds.get(`${project} ${test}`) ?? Infinity;
    if (!project || cost > LONGEST) return [];
    const { id, file, room } = mutant;
    return [{ room, fixed: { id, file, project, test, seconds: Math.ceil(cost) } }];
  });
  const rooms = Object.values(Object.groupBy(known, ({ room }) => room));
  const turns = Array.from({ length: MOST }, (_, i) => rooms.map((of) => of?.[i]?.fixed));
  const chosen = turns.flat().filter((each) => each !== undefined);
  writeFileSync(FILE, `${JSON.stringify(chosen.slice(0, MOST), undefined, 2)}\n`);
}
