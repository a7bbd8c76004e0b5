import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from './attack.ts';
import { unfollowed } from './links.ts';
import { phases } from './plan.ts';
import { type Counts, sum, type Tally, total } from './tally.ts';

const server = '`DATABASE_URL=sqlite::memory: SEED_DEMO=true npm start`';

/** The lines that end a test. */
export function summary(
  outcomes: readonly Outcome[],
  links: readonly string[],
  faults: readonly string[],
): string {
  const contracts = Object.entries(Object.groupBy(outcomes, ({ run }) => run.contract));
  return [
    '',
    ...contracts.map(([contract, some]) => `${contract}: ${caseCounts(some)}`),
    walks(sum(outcomes.map(({ tally }) => tally)), links),
    ...faults.map((fault) => `  ${fault}`),
    ...(faults.length === 0 ? [] : [`  To use the curl lines, put the port of ${server}`]),
    `${faults.length === 0 ? 'PASSED' : 'FAILED'} test:contract; see artefacts/contract-test/report.md`,
    '',
  ].join('\n');
}

/** The same at length, in Markdown; the failures come from the JUnit reports in the folder. */
export function report(
  outcomes: readonly Outcome[],
  links: readonly string[],
  faults: readonly string[],
  folder: string,
): string {
  const tally = sum(outcomes.map((outcome) => outcome.tally));
  const version = outcomes[0]?.verdict.schemathesis_version;
  const runs = outcomes.map(({ run, verdict, tally: { cases } }) => [
    run.name,
    ...phases.map((phase) => number(cases.get(phase))),
    number(total(cases)),
    String(failureCount(verdict)),
    `${verdict.running_time.toFixed(0)} s`,
  ]);
  return [
    '# Contract tests',
    `schemathesis ${version}: ${faults.length === 0 ? 'passed' : 'failed'}.`,
    faults.map((fault) => `- ${fault}`).join('\n'),
    '## Cases',
    table(['run', ...phases, 'cases', 'failures', 'time'], runs),
    '## Failures',
    outcomes.map(({ run }) => failures(join(folder, `${run.name}.junit.xml`))).join('') || 'None.',
    faults.length === 0 ? '' : `The curl lines speak to ${server}.`,
    '## Walks',
    walks(tally, links),
    '## Answers',
    table(['operation', 'statuses'], answers(tally.answers)),
    '## Checks',
    table(['check', 'applied'], sorted(tally.checks)),
    '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function caseCounts(outcomes: readonly Outcome[]): string {
  const { cases } = sum(outcomes.map(({ tally }) => tally));
  const seeds = [...new Set(outcomes.map(({ run }) => run.seed))].join(', ');
  const byPhase = [...cases].map(([phase, count]) => `${phase} ${number(count)}`).join(', ');
  const failures = outcomes.reduce((all, { verdict }) => all + failureCount(verdict), 0);
  return `${number(total(cases))} cases with seeds ${seeds} (${byPhase}), ${failures} failures`;
}

function failureCount({ test_cases: { unique_failures }, errors }: Outcome['verdict']): number {
  return unique_failures + errors.length;
}

function walks({ links: followed, lives }: Tally, links: readonly string[]): string {
  const count = links.length - unfollowed(links, followed.keys()).length;
  const whole = [...lives].map(([name, times]) => `${times} ${name}`).join(', ') || 'none';
  return `${count} of ${links.length} links followed; whole lives of records walked: ${whole}`;
}

/** Each failure as schemathesis describes it, with the curl lines that reproduce it on a server by default. */
function failures(junit: string): string {
  const found = readFileSync(junit, 'utf8').matchAll(/<(?:failure|error)[^>]*>([^<]+)</g);
  const fence = '`'.repeat(4);
  return Array.from(found, ([, text = '']) => `${fence}\n${unescaped(text)}\n${fence}\n\n`).join(
    '',
  );
}

function unescaped(xml: string): string {
  return xml
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:3000')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

function answers(counts: Counts): string[][] {
  const rows = new Map<string, string[]>();
  for (const [key, times] of sorted(counts)) {
    const [, operation = '', status = ''] = key.match(/^(.*) (\d+)$/) ?? [];
    rows.set(operation, [...(rows.get(operation) ?? []), `${status} × ${times}`]);
  }
  return [...rows].map(([operation, statuses]) => [operation, statuses.join(', ')]);
}

function sorted(counts: Counts): [string, string][] {
  return [...counts.keys()].sort().map((key) => [key, number(counts.get(key))]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function number(value: number | undefined): string {
  return (value ?? 0).toLocaleString('en');
}
