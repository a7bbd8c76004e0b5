import { createRandom, integerWithin, pick } from '../seeded-random.ts';
import { type Draft, type Part, partOf } from './pattern-parts.ts';

// Bounds on one search, so that it does not hold up others.
const MOST_TRIES = 500;
const MOST_REPEATS = 100_000;
// Repetitions beyond what is demanded: expressions may take time that is exponential in them.
const MOST_EXTRA = 10;

export type Lengths = { readonly minLength?: number; readonly maxLength?: number };

/** Tells which texts a regular expression of a contract matches. */
export function matcherOf(pattern: string): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u');
  return (text) => expression.test(text);
}

/** The first text that a regular expression matches; undefined where none is found. */
export function textFor(pattern: string, lengths: Lengths = {}): string | undefined {
  for (const text of textsFor(pattern, lengths)) return text;
  return undefined;
}

/**
 * Texts that a regular expression matches: one with the first of its alternatives, as short as its quantifiers allow,
 * then longer ones and others. A search that is bounded finds none where assertions demand what is rare.
 */
export function* textsFor(
  pattern: string,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Lengths = {},
  tries = MOST_TRIES,
): Generator<string> {
  const part = readable(pattern);
  if (!part) return;
  const matches = matcherOf(pattern);
  const random = createRandom(pattern);
  let repeats = 0;
  let missing = 0;
  for (let i = 0; i < tries; i++) {
    let extra = MOST_EXTRA;
    const countOf = [() => 0, () => missing][i] ?? drawn;
    const draft: Draft = {
      text: '',
      reach: 0,
      captures: new Map(),
      pick: (all) => (i < 2 ? all[0] : pick(random, all)),
      count: (least, most) => {
        const count = Math.min(most, least + countOf());
        repeats += count;
        return repeats > MOST_REPEATS ? 0 : count;
      },
    };
    part(draft);
    if (repeats > MOST_REPEATS) return;
    const { length } = [...draft.text];
    if (i === 0) missing = Math.max(0, minLength - length, draft.reach - length);
    const fits = length >= minLength && length <= maxLength;
    if (fits && matches(draft.text)) yield draft.text;

    function drawn(): number {
      const more = integerWithin(random, 0, extra);
      const share = Math.ceil(missing / integerWithin(random, 1, 4));
      const count = pick(random, [0, more, share]) ?? 0;
      extra -= count === more ? more : 0;
      return count;
    }
  }
}

function readable(pattern: string): Part | undefined {
  try {
    matcherOf(pattern);
    return partOf(pattern);
  } catch {
    return undefined;
  }
}
