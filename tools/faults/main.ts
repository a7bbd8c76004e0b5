import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createReport, type Fault, seconds } from '../support/check-report.ts';
import { balancer } from './balancer.ts';
import { cluster } from './cluster.ts';
import { crowd } from './crowd.ts';
import { denial } from './denial.ts';
import { disk } from './disk.ts';
import { drain } from './drain-fault.ts';
import { fairness } from './fairness.ts';
import { flush } from './flush.ts';
import { hostile } from './hostile.ts';
import { kill } from './kill.ts';
import { logs } from './log-lines.ts';
import { outage } from './outage.ts';
import { pipeline } from './pipeline.ts';
import { replicas } from './replicas.ts';
import { restore } from './restore.ts';
import { slow } from './slow.ts';
import { soak } from './soak.ts';
import { together } from './together.ts';
import { upgrade } from './upgrade.ts';

/** Runs the fault injections, one after the other. */
const faults: Readonly<Record<string, Fault>> = {
  drain,
  kill,
  restore,
  flush,
  slow,
  pipeline,
  crowd,
  fairness,
  disk,
  together,
  hostile,
  denial,
  outage,
  balancer,
  upgrade,
  cluster,
  replicas,
  logs,
  soak,
};

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const names = values.only?.split(',') ?? Object.keys(faults);
const unknown = names.filter((name) => !faults[name]);
if (unknown.length > 0) {
  throw new Error(`there is no ${unknown.join()}: --only takes ${Object.keys(faults).join()}`);
}

const rows = new Map<string, string>();
let failures = 0;
for (const name of names) {
  const fault = faults[name];
  if (!fault) continue;
  const start = performance.now();
  rows.set(name, await put(name, fault));
  process.stdout.write(`     ${name} took ${seconds(performance.now() - start)}\n`);
}
process.stdout.write(`\n${table([...rows.values()])}\n`);
if (!values.short) writePage();
process.exit(failures === 0 ? 0 : 1);

/** One row of the table: the promise, the test, what was seen. */
async function put(name: string, { promise, how, run }: Fault): Promise<string> {
  process.stdout.write(`\n== ${name}: ${promise}\n`);
  const report = createReport(values.short);
  const seen = await run(report, values.short).catch((error: unknown) => {
    report.check(false, `the test broke off: ${error instanceof Error ? error.stack : error}`);
    return 'the test broke off';
  });
  failures += report.failures();
  const isSkipped = typeof seen === 'object';
  // CI skips nothing.
  if (isSkipped && process.env.CI === 'true') failures++;
  const verdict = isSkipped ? 'not run' : report.failures() === 0 ? 'holds' : 'does not hold';
  const figure = isSkipped ? seen.skipped : seen;
  process.stdout.write(`     ${verdict}: ${figure}\n`);
  return `| ${promise} | \`${name}\`: ${how} | ${figure} | ${verdict} |`;
}

function table(lines: readonly string[]): string {
  const head = '| promise | how it is tested | figure | verdict |\n| --- | --- | --- | --- |';
  return [head, ...lines].join('\n');
}

/** Puts the rows into the page; those of faults that were not run stay as they are. */
function writePage(): void {
  const file = new URL('../../docs/reliability.md', import.meta.url);
  const before = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const lines = Object.keys(faults).flatMap(
    (name) => rows.get(name) ?? before.find((line) => line.includes(`| \`${name}\`: `)) ?? [],
  );
  const page = `# What is promised when things go wrong

Written by \`npm run faults\`, each row by the long form of its test: real processes, real faults, one machine
with clients and server sharing its cores. \`npm run faults -- --short\` does less of each, as the checks of
every change do, and writes nothing; \`-- --only drain,kill\` does some of them.

${table(lines)}
`;
  writeFileSync(file, page);
}
