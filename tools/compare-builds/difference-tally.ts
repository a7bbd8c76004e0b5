import { placeOf, shown } from './difference-text.ts';
import { type Difference, intended } from './intended.ts';

/** Counts what was compared, and prints what differs. */
export type Tally = {
  add(compared: Difference): void;
  /** How many differences are not intended. */
  count(): number;
  print(title: string): void;
};

// How many differences are printed in full, of those that look alike and of all.
const MOST_ALIKE = 2;
const MOST_PRINTED = 40;

export function createTally(write: (text: string) => void): Tally {
  const kinds = new Map<string, number>();
  const differing = new Map<string, number>();
  const places = new Map<string, number>();
  const statuses = new Map<string, number>();
  const reasons = new Map<string, number>();

  function print({ variant, exchange, before, after }: Difference): void {
    const sent = exchange.pieces.map((piece) => shown(piece.toString('latin1')));
    write(`\n--- ${exchange.kind} (${variant})\n${sent.join('\n··· then\n')}\n`);
    write(`--- base\n${shown(before, after)}\n--- this tree\n${shown(after, before)}\n`);
  }

  return {
    add(compared) {
      const { exchange, before, after } = compared;
      increase(kinds, exchange.kind, exchange.requests.length || 1);
      for (const [status] of before.matchAll(/(?<=^HTTP\/1\.1 )\d{3}/gm))
        increase(statuses, status);
      if (before === after) return;
      const wanted = intended.find(({ covers }) => covers(compared));
      if (wanted) {
        increase(reasons, wanted.reason);
        return;
      }
      increase(differing, exchange.kind);
      const alike = increase(places, placeOf(before, after));
      if (alike <= MOST_ALIKE && places.size * MOST_ALIKE <= MOST_PRINTED) print(compared);
    },
    count: () => total(differing),
    print(title) {
      write(`\n${title}: ${total(kinds)} requests, ${total(differing)} differences\n`);
      const answered = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
      write(`  answers by status: ${answered.join(', ')}\n`);
      for (const [kind, count] of [...kinds].sort()) {
        const found = differing.get(kind);
        write(`  ${kind}: ${count}${found ? `, ${found} differences` : ''}\n`);
      }
      for (const [place, count] of places) write(`  differs: ${count} × ${place}\n`);
      for (const [reason, count] of reasons) write(`  intended: ${count} × ${reason}\n`);
    },
  };
}

function increase(counts: Map<string, number>, key: string, by = 1): number {
  const count = (counts.get(key) ?? 0) + by;
  counts.set(key, count);
  return count;
}

function total(counts: ReadonlyMap<string, number>): number {
  return counts.values().reduce((sum, count) => sum + count, 0);
}
