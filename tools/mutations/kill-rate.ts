import type { Outcome } from './mutant-run.ts';

/** The share of mutants that a test noticed, by room, and those that none did. */
export function killRateText(outcomes: readonly Outcome[]): string {
  const rooms = Object.entries(Object.groupBy(outcomes, ({ mutant }) => mutant.room));
  const rows = rooms
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([room, of = []]) => row(room, of));
  const survivors = outcomes.filter(({ noticedBy }) => !noticedBy).map(survivorText);
  return `${[...survivors, ...rows, row('all', outcomes)].join('\n')}\n`;
}

/** Where a mutant is and what it changes, on one line. */
export function outcomeText(outcome: Outcome): string {
  const { noticedBy } = outcome;
  return noticedBy ? `killed    ${placeText(outcome)} (${noticedBy})` : survivorText(outcome);
}

function survivorText(outcome: Outcome): string {
  const { ran, reached } = outcome;
  return `SURVIVED  ${placeText(outcome)} (${ran} of ${reached} test files that reach it)`;
}

function placeText({ mutant: { id, file, line, kind, before, after } }: Outcome): string {
  return `${id} ${file}:${line} ${kind}: ${short(before)} → ${short(after)}`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}

function row(room: string, of: readonly Outcome[]): string {
  const killed = of.filter(({ noticedBy }) => noticedBy).length;
  const rate = ((100 * killed) / of.length).toFixed(1);
  return `${room.padEnd(10)}${rate.padStart(6)} %  ${killed} of ${of.length}`;
}
