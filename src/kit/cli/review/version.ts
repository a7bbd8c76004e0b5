import type { Change } from './change.ts';

export type Bump = 'major' | 'minor' | 'patch' | 'none';

/** What the changes ask of the version, and whether it has gone as far. */
export type Version = {
  /** Empty where the contracts have none. */
  readonly from: string;
  readonly to: string;
  readonly asks: Bump;
  readonly isMet: boolean;
  /** The least version that the changes ask for; undefined where versions are not numbers. */
  readonly due: string | undefined;
};

const order: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

/** `changes` are those that the version has to tell: an accepted one counts as one that breaks nobody. */
export function versionOf(changes: readonly Change[], from: string, to: string): Version {
  const bumps = changes.map(bumpOf);
  const found = order.findLast((bump) => bumps.includes(bump)) ?? 'none';
  // Semantic Versioning, item 4: before 1.0.0 anything may change.
  const asks = found === 'major' && /^v?0\./.test(from) ? 'minor' : found;
  const isAbsent = from === '' && to === '';
  const isMet = isAbsent
    ? found !== 'major'
    : order.indexOf(bumped(from, to)) >= order.indexOf(asks);
  return { from, to, asks, isMet, due: dueVersion(from, asks) };
}

function bumpOf({ level, isWording }: Change): Bump {
  if (level === 'breaking') return 'major';
  return isWording ? 'patch' : 'minor';
}

function dueVersion(from: string, asks: Bump): string | undefined {
  const [, sign, ...numbers] = /^(v?)(\d+)\.(\d+)\.(\d+)/.exec(from) ?? [];
  const [major = 0, minor = 0, patch = 0] = numbers.map(Number);
  if (numbers.length === 0) return undefined;
  if (asks === 'major') return `${sign}${major + 1}.0.0`;
  if (asks === 'minor') return `${sign}${major}.${minor + 1}.0`;
  return asks === 'patch' ? `${sign}${major}.${minor}.${patch + 1}` : from;
}

function bumped(from: string, to: string): Bump {
  const [before, after] = [coreOf(from), coreOf(to)];
  // Where versions are dates or names, another one tells that something is other.
  if (!before && !after) return from === to ? 'none' : 'major';
  if (!before || !after) return 'none';
  const at = [0, 1, 2].find((i) => before[i] !== after[i]);
  if (at === undefined) return 'none';
  return (after[at] ?? 0) < (before[at] ?? 0) ? 'none' : (order[3 - at] ?? 'none');
}

/** The numbers of a version: what is behind `-` or `+` does not tell clients of a change. */
function coreOf(version: string): readonly number[] | undefined {
  const found = /^v?(\d+)(?:\.(\d+)(?:\.(\d+)(?:[-+].*)?)?)?$/.exec(version);
  return found?.slice(1).map((each) => Number(each ?? 0));
}
