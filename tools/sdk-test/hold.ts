import type { Report } from '../support/check-report.ts';
import type { Expectation } from './drive.ts';
import { play } from './play.ts';
import type { ReadmeExample } from './readme-examples.ts';
import { scenarios } from './scenarios.ts';
import type { Project } from './sdk-project.ts';
import { startDemo } from './tested-server.ts';

/** What is compiled and run in a language. */
export type Programs = {
  readonly suffix: string;
  /** Programs that call everything. */
  readonly drives: Readonly<Record<string, string>>;
  readonly scenarios: string;
  /** What the others import. */
  readonly imported?: Readonly<Record<string, string>>;
  /** The parameters that the scenarios are run with, each in turn. */
  readonly modes: readonly (readonly string[])[];
  readonly examples: readonly ReadmeExample[];
  readonly right: string;
  readonly wrong: readonly (readonly [name: string, program: string, complaint: RegExp])[];
  /** What needs a field that the contract does not have. */
  readonly use: string;
};

type Check = Report['check'];

/** Compiles and runs everything in the project of somebody who has the SDK. */
export async function hold(
  project: Project,
  programs: Programs,
  expected: readonly Expectation[],
  check: Check,
): Promise<void> {
  const { suffix, drives, examples } = programs;
  await compile(project, programs, check);
  for (const name of Object.keys(drives)) await drive(project, `${name}${suffix}`, expected, check);
  for (const mode of programs.modes) {
    const name = [project.language, ...mode].join(' ');
    // Only what waits can be cancelled.
    const fitting = scenarios.filter(({ action }) => action !== 'cancel' || mode[0] !== 'sync');
    for (const scenario of fitting) {
      const faults = await play(project, scenario, `scenarios${suffix}`, mode);
      const but = faults.map((fault) => `, but ${fault}`).join('');
      check(faults.length === 0, `${name}: ${scenario.name}${but}`);
    }
  }
  for (const [i, { name, printed }] of examples.entries()) {
    const server = await startDemo();
    const { output, log } = await project.run(`example_${i + 1}${suffix}`, [server.url]);
    await server.stop();
    const isSame = output === printed;
    const instead = isSame ? '' : `, but:\n${output}${log}`;
    check(isSame, `${project.language}: ${name} prints what it says${instead}`);
  }
}

async function compile(project: Project, programs: Programs, check: Check): Promise<void> {
  const { suffix, drives, examples, wrong } = programs;
  const right: Record<string, string> = {
    ...programs.imported,
    [`right${suffix}`]: programs.right,
    [`scenarios${suffix}`]: programs.scenarios,
  };
  for (const [name, text] of Object.entries(drives)) right[`${name}${suffix}`] = text;
  examples.forEach(({ program }, i) => {
    right[`example_${i + 1}${suffix}`] = program;
  });
  const complaints = await project.check({
    ...right,
    ...Object.fromEntries(wrong.map(([, text], i) => [`wrong_${i + 1}${suffix}`, text])),
    [`wrong_field${suffix}`]: programs.use,
  });
  const said = (name: string) => complaints.get(`${name}${suffix}`) ?? '';
  const faults = [...Object.keys(right), 'elsewhere'].flatMap((name) => complaints.get(name) ?? []);
  const { language } = project;
  check(faults.length === 0, `${language}: what is right compiles ${faults.join('')}`);
  wrong.forEach(([name, , complaint], i) => {
    const complains = complaint.test(said(`wrong_${i + 1}`));
    const instead = complains ? '' : `, but:\n${said(`wrong_${i + 1}`)}`;
    check(complains, `${language}: does not compile: ${name}${instead}`);
  });
  check(
    said('wrong_field') !== '',
    `${language}: does not compile: what is not in the contract yet`,
  );
}

/** Every method and every GraphQL operation, against a process of its own. */
async function drive(
  project: Project,
  program: string,
  expected: readonly Expectation[],
  check: Check,
): Promise<void> {
  const server = await startDemo();
  const { code, output, log } = await project.run(program, [server.url]);
  await server.stop();
  const answers = code === 0 ? JSON.parse(output) : {};
  const wrong = expected.filter(({ name, holds }) => !(name in answers && holds(answers[name])));
  const gave = wrong.map(({ name }) => `, ${name} gave ${JSON.stringify(answers[name])}`).join('');
  const count = `${expected.length - wrong.length} of ${expected.length}`;
  const summary = `${project.language}: ${program}: ${count} calls are answered as the contract says`;
  check(wrong.length === 0, `${summary}${gave}${code === 0 ? '' : log}`);
}

/** The contract has one field more, and `npm run sdk` has been run: that is all it takes. */
export async function holdChange(
  project: Project,
  { suffix, use }: Pick<Programs, 'suffix' | 'use'>,
  check: Check,
): Promise<void> {
  const said = [...(await project.check({ [`use${suffix}`]: use })).values()].join('');
  check(
    said === '',
    `${project.language}: a field that the contract was given is in the SDK ${said}`,
  );
  const { output } = await project.run(`use${suffix}`);
  const version = output.trim();
  check(version === '9.9.9', `${project.language}: the version follows the contract's: ${version}`);
}
