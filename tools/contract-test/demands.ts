import type { Outcome } from './attack.ts';
import { unfollowed } from './links.ts';
import { sum, total } from './tally.ts';

const LEAST_CASES = 5000;

/** What failed. A whole run, given its collections, must also reach every link and record. */
export function unmet(
  outcomes: readonly Outcome[],
  links: readonly string[],
  collections: readonly string[] | undefined,
): string[] {
  const each = outcomes.flatMap((outcome) => [...failures(outcome), ...skippedPhases(outcome)]);
  return collections ? [...each, ...shortfalls(outcomes, links, collections)] : each;
}

function failures({ run, exitCode, verdict }: Outcome): string[] {
  if (exitCode === 0) return [];
  const { unique_failures: found } = verdict.test_cases;
  const errors = verdict.errors.length;
  return [`${run.name}: ${found} failures, ${errors} errors (schemathesis ended with ${exitCode})`];
}

function skippedPhases({ run, verdict }: Outcome): string[] {
  return run.phases
    .filter((phase) => (verdict.phases[phase]?.status ?? 'skip') === 'skip')
    .map((phase) => `${run.name}: the phase ${phase} was skipped`);
}

function shortfalls(
  outcomes: readonly Outcome[],
  links: readonly string[],
  collections: readonly string[],
): string[] {
  const rest = outcomes.filter(({ run }) => run.contract === 'openapi.yaml');
  const { cases, links: followed, lives } = sum(rest.map(({ tally }) => tally));
  const count = total(cases);
  return [
    ...(count < LEAST_CASES ? [`${count} cases over REST are fewer than ${LEAST_CASES}`] : []),
    ...unfollowed(links, followed.keys()).map((link) => `the link ${link} was never followed`),
    ...collections
      .filter((tag) => !lives.has(tag))
      .map((tag) => `no record of ${tag} lived a whole life`),
  ];
}
