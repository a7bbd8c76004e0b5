import fc from 'fast-check';

/** Makes the choices of which a generated value consists; the same seed makes the same ones. */
export type Choice = {
  /** A whole number from 0, below this one. */
  below(count: number): number;
  one<T>(from: readonly T[]): T;
  /** What one of several functions makes; each is as likely as its weight says. */
  make<T>(ways: readonly (readonly [weight: number, make: () => T])[]): T;
  /** True once in so many times. */
  isOnceIn(times: number): boolean;
  /** Whatever fast-check generates. */
  any<T>(arbitrary: () => fc.Arbitrary<T>): T;
};

/** So many values, each made by choices of its own. */
export function generate<T>(make: (choice: Choice) => T, seed: number, count: number): T[] {
  const values = fc.gen().map((generator) => make(choiceOf(generator)));
  return fc.sample(values, { seed, numRuns: count });
}

// fast-check prefers the ends of a range, which are not the interesting ones of a list.
const upTo = (most: number) => fc.noBias(fc.nat(most));

function choiceOf(generator: fc.GeneratorValue): Choice {
  const below = (count: number) => generator(upTo, count - 1);
  const one = <T>(from: readonly T[]): T => {
    if (from.length === 0) throw new Error('there is nothing to choose from');
    // An index within the bounds of the list.
    return from[below(from.length)] as T;
  };
  return {
    below,
    one,
    make(ways) {
      let at = below(ways.reduce((sum, [weight]) => sum + weight, 0));
      for (const [weight, make] of ways) {
        if (at < weight) return make();
        at -= weight;
      }
      throw new Error('the weights do not add up');
    },
    isOnceIn: (times) => below(times) === 0,
    any: (arbitrary) => generator(arbitrary),
  };
}
