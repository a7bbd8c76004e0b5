import type { Outcome } from './attack.ts';
import { unfollowed } from './links.ts';
import { collections, type Run, walk } from './plan.ts';
import { sum } from './tally.ts';

const MOST_SEEDS = 8;

/**
 * How far the walks of a seed get is luck, and another with every change of the contract: where no
 * record has lived a whole life yet, or a link was never followed, one more walk; up to a limit.
 */
export function furtherWalks(outcomes: readonly Outcome[], links: readonly string[]): Run[] {
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
