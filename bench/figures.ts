import type { Sample } from './measure.ts';

/** The samples of a run, one for each round, by case and server. */
export type Samples = ReadonlyMap<string, ReadonlyMap<string, readonly Sample[]>>;

/** The middle of several figures, and the least and the greatest of them. */
export type Figure = { readonly median: number; readonly least: number; readonly most: number };

export function figure(values: readonly number[]): Figure {
  const ascending = [...values].sort((a, b) => a - b);
  const middle = (ascending.length - 1) / 2;
  const [low = Number.NaN, high = Number.NaN] = [
    ascending[Math.floor(middle)],
    ascending[Math.ceil(middle)],
  ];
  return {
    median: (low + high) / 2,
    least: ascending[0] ?? Number.NaN,
    most: ascending.at(-1) ?? Number.NaN,
  };
}

/**
 * CPU per request of one server as a multiple of another's. The two are compared round by round, where
 * both had the same machine at nearly the same time.
 */
export function ratio(samples: Samples, name: string, server: string, to: string) {
  const [own, other] = [server, to].map((each) => samples.get(name)?.get(each) ?? []);
  const ratios = (own ?? []).flatMap(({ cpu }, round) => {
    const reference = other?.[round];
    return reference ? [cpu / reference.cpu] : [];
  });
  return ratios.length > 0 ? figure(ratios) : undefined;
}
