import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Outcome } from './mutant-run.ts';

const FILE = 'artefacts/mutants/outcomes.jsonl';

/** What became of mutants, the last time each ran, by id and digest of its file. */
export function readOutcomes(): Map<string, Outcome> {
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').trim().split('\n') : [];
  const outcomes = lines.filter(Boolean).map((line): Outcome => JSON.parse(line));
  return new Map(outcomes.map((each) => [`${each.mutant.id} ${each.mutant.digest}`, each]));
}

export function writeOutcome(outcome: Outcome): void {
  mkdirSync(dirname(FILE), { recursive: true });
  appendFileSync(FILE, `${JSON.stringify(outcome)}\n`);
}
