import type { Sample } from './measure.ts';

/** The samples of a run by case and server: for each pair those of its rounds. */
export type Samples = ReadonlyMap<string, ReadonlyMap<string, readonly (readonly Sample[])[]>>;

export type Metric = (sample: Sample) => number;
export const serverCpu: Metric = ({ cpu }) => cpu;
export const databaseCpu: Metric = ({ database }) => database;
export const wholeCpu: Metric = ({ cpu, database }) => cpu + database;
/** Requests per second if each process had a core of its own and the busiest one's were full. */
export const capacity: Metric = ({ busiest }) => 1_000_000 / busiest;

/** The median of several values, and an interval in which the median of many more would lie. */
export type Figure = {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
};

/** Fewer values leave the interval of the sign test less than 93 % sure. */
export const FEWEST = 5;
const DOUBT = 2 / 2 ** FEWEST;

export function figure(values: readonly number[]): Figure {
  const ascending = [...values].sort((a, b) => a - b);
  const count = ascending.length;
  const at = (index: number) => ascending[index] ?? Number.NaN;
  const cut = outside(count);
  const middle = (count - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    low: at(cut),
    high: at(count - 1 - cut),
    count,
  };
}

/**
 * How many values lie outside on each side: none of five to eight, so that the interval is the least and the greatest.
 * Each value is above the true median with a chance of one half, whatever its distribution.
 */
function outside(count: number): number {
  let [cut, chance, doubt] = [0, 1, 2 / 2 ** count];
  for (;;) {
    chance = (chance * (count - cut)) / (cut + 1);
    doubt += (2 * chance) / 2 ** count;
    if (cut + 1 > (count - 1) / 2 || doubt > DOUBT) return cut;
    cut++;
  }
}

export type Verdict = 'met' | 'not met' | 'undecided';

/** Whether a figure is within a limit; undecided where its interval has the limit in it, or is of too few values. */
export function verdict({ low, high, count }: Figure, limit: Limit): Verdict {
  if (count < FEWEST) return 'undecided';
  if (isWithin(low, limit) && isWithin(high, limit)) return 'met';
  return isWithin(low, limit) || isWithin(high, limit) ? 'undecided' : 'not met';
}

export type Limit = { readonly [How in 'most' | 'below' | 'least']?: number };

function isWithin(value: number, { most = Infinity, below = Infinity, least = 0 }: Limit): boolean {
  return value <= most && value < below && value >= least;
}

/** One value for each pair, the median of its rounds. */
export function perPair(pairs: readonly (readonly Sample[])[], of: Metric): number[] {
  return pairs.map((rounds) => figure(rounds.map(of)).median);
}

/**
 * A metric of one server as a multiple of another's. They are compared round by round, where both had the same machine
 * at nearly the same time; a pair of processes gives one ratio, the median of its rounds.
 */
export function ratios(
  samples: Samples,
  name: string,
  [server, to]: readonly [string, string],
  of: Metric = wholeCpu,
): number[] {
  const [own, other] = [server, to].map((each) => samples.get(name)?.get(each) ?? []);
  return (own ?? []).flatMap((rounds, pair) => {
    const others = other?.[pair];
    if (!others) return [];
    return figure(rounds.map((each, i) => of(each) / of(others[i] ?? each))).median;
  });
}

export function ratio(...compared: Parameters<typeof ratios>): Figure | undefined {
  const found = ratios(...compared);
  return found.length > 0 ? figure(found) : undefined;
}
