export type Level = 'breaking' | 'dangerous' | 'safe';
export type Bump = 'major' | 'minor' | 'patch' | 'none';

/** One difference between two contracts and what it means for those who use the API. */
export type Change = {
  readonly contract: 'OpenAPI' | 'GraphQL';
  readonly level: Level;
  /** Whether only words changed, which no program reads. */
  readonly isWording: boolean;
  readonly message: string;
  /** Where it is: a JSON pointer or a schema coordinate. */
  readonly place: string;
  readonly before?: string;
  readonly after?: string;
};

export type Verdict = {
  readonly level: Level;
  /** What of the version has to change. */
  readonly asks: Bump;
  /** The versions; empty where the contracts have none. */
  readonly from: string;
  readonly to: string;
  /** Whether the version says what the changes do. */
  readonly isMet: boolean;
};

const order: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

/** One verdict over all changes, and whether the version has gone as far as they ask. */
export function verdictOn(changes: readonly Change[], from: string, to: string): Verdict {
  const has = (level: Level) => changes.some((change) => change.level === level);
  const level = has('breaking') ? 'breaking' : has('dangerous') ? 'dangerous' : 'safe';
  const asks = changes.map(bumpOf).reduce(larger, 'none');
  return { level, asks, from, to, isMet: order.indexOf(bumped(from, to)) >= order.indexOf(asks) };
}

function bumpOf({ level, isWording }: Change): Bump {
  if (level === 'breaking') return 'major';
  return isWording ? 'patch' : 'minor';
}

function larger(a: Bump, b: Bump): Bump {
  return order.indexOf(a) > order.indexOf(b) ? a : b;
}

function bumped(from: string, to: string): Bump {
  const [before, after] = [from, to].map((version) => version.replace(/^v/, '').split('.'));
  const at = [0, 1, 2].find((i) => before?.[i] !== after?.[i]);
  // A version without numbers, such as a date, only tells that it is another.
  if (at === undefined || Number(after?.[at]) < Number(before?.[at])) return 'none';
  return order[3 - at] ?? 'none';
}
