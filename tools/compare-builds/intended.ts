import type { Exchange } from './exchange.ts';

/** Two answers that are not the same. */
export type Difference = {
  /** The settings of the pair of servers. */
  readonly variant: string;
  readonly exchange: Exchange;
  /** The answers of the base and of this tree, masked. */
  readonly before: string;
  readonly after: string;
};

export type Intended = {
  readonly reason: string;
  readonly covers: (difference: Difference) => boolean;
};

/** The differences that are wanted. */
export const intended: readonly Intended[] = [];
