import { expect, it } from 'vitest';
import { whenGathered } from '../../../src/kit/store/gathering.ts';

/** After how many turns of the event loop it goes on, where a group has these sizes: at first, and after each turn. */
async function turnsOf(sizes: readonly number[]): Promise<number> {
  let looks = 0;
  const size = () => sizes[looks++] ?? 0;
  await new Promise<void>((resolve) => whenGathered(size, resolve));
  return looks - 1;
}

it.each<[number[], number]>([
  [[1, 1, 2], 1],
  [[2, 1, 3], 1],
  [[1, 2, 2, 3], 2],
  [[1, 2, 3, 3, 4], 3],
  [[1, 2, 3, 4, 4, 5], 4],
  [[1, 2, 3, 4, 5, 6], 4],
])(
  'a group of the sizes %j is waited for %i turns, while each brings more',
  async (sizes, turns) => {
    expect(await turnsOf(sizes)).toBe(turns);
  },
);
