import { type Difference, intended } from './intended.ts';

/** Counts what was compared, and prints what differs. */
export type Tally = {
  add(compared: Difference): void;
  /** How many differences are not intended. */
  count(): number;
  print(title: string): void;
};

const MOST_PRINTED = 30;
const MOST_CHARACTERS = 1500;

export function createTally(write: (text: string) => void): Tally {
  const kinds = new Map<string, { requests: number; differences: number }>();
  const statuses = new Map<string, number>();
  const reasons = new Map<string, number>();
  let differences = 0;

  function differ(compared: Difference): void {
    differences++;
    if (differences > MOST_PRINTED) return;
    const { variant, exchange, before, after } = compared;
    const at = firstDifference(before, after);
    const sent = exchange.pieces.map((piece) => shown(piece.toString('latin1')));
    write(`\n--- ${exchange.kind} (${variant})\n${sent.join('\n··· then\n')}\n`);
    write(`--- base, different from character ${at}\n${shown(before, at)}\n`);
    write(`--- this tree\n${shown(after, at)}\n`);
    if (differences === MOST_PRINTED) write('\nFurther differences are only counted.\n');
  }

  return {
    add(compared) {
      const { exchange, before, after } = compared;
      const kind = kinds.get(exchange.kind) ?? { requests: 0, differences: 0 };
      kinds.set(exchange.kind, kind);
      kind.requests += exchange.requests.length || 1;
      for (const [, status = ''] of before.matchAll(/^HTTP\/1\.1 (\d{3})/gm))
        increase(statuses, status);
      if (before === after) return;
      const wanted = intended.find(({ covers }) => covers(compared));
      if (wanted) return increase(reasons, wanted.reason);
      kind.differences++;
      differ(compared);
    },
    count: () => differences,
    print(title) {
      const total = kinds.values().reduce((sum, { requests }) => sum + requests, 0);
      write(`\n${title}: ${total} requests, ${differences} differences\n`);
      write(`  answers by status: ${pairsOf(statuses)}\n`);
      for (const [kind, { requests, differences }] of [...kinds].sort()) {
        const found = differences > 0 ? `, ${differences} differences` : '';
        write(`  ${kind}: ${requests}${found}\n`);
      }
      for (const [reason, count] of reasons) write(`  intended: ${reason}: ${count}\n`);
    },
  };
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function pairsOf(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort();
  return sorted.map(([key, count]) => `${key}: ${count}`).join(', ');
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** The text around a place, with what cannot be printed escaped. */
function shown(text: string, at = 0): string {
  const start = at > MOST_CHARACTERS ? at - 200 : 0;
  const part = text.slice(start, start + MOST_CHARACTERS);
  const escaped = part.replaceAll(
    /[^\n -~]/g,
    (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  const left = text.length - start - part.length;
  return `${start > 0 ? '… ' : ''}${escaped}${left > 0 ? ` … (${left} more)` : ''}`;
}
