import type { Outcome } from './attack.ts';
import { unfollowed } from './links.ts';
import { type Run, walk } from './plan.ts';
import { sum } from './tally.ts';

const MOST_SEEDS = 8;

/**
 * A seed may leave links unfollowed, and others with every change of the contract: then its collection has one
 * more walk with the next seed.
 */
export function furtherWalks(
  outcomes: readonly Outcome[],
  links: readonly string[],
  collections: readonly string[],
): Run[] {
  const { links: followed, lives } = sum(outcomes.map(({ tally }) => tally));
  const missed = unfollowed(links, followed.keys());
  return collections
    .filter((tag) => !lives.has(tag) || missed.some((link) => link.includes(` /${tag}`)))
    .map((tag) => walk(tag, 1 + lastSeed(outcomes, tag), 100))
    .filter(({ seed }) => seed <= MOST_SEEDS);
}

function lastSeed(outcomes: readonly Outcome[], tag: string): number {
  return Math.max(...outcomes.filter(({ run }) => run.tag === tag).map(({ run }) => run.seed));
}
