import { getOne } from './cases.ts';
import { BOOKS } from './data.ts';
import type { Data } from './databases.ts';
import { createEnlarged } from './enlarged.ts';
import { entrant } from './entrants.ts';
import { type Figure, ratio } from './figures.ts';
import { measurePairs, type Work } from './pairs.ts';
import { accord, root } from './servers.ts';

// A ratio near 1 needs more requests than a difference.
const MORE = 4;
const PATHS = 216;

/** What a request costs with 200 more paths in the contract, as a multiple of what it costs without. */
export async function measurePaths(
  folder: string,
  data: Data,
  work: Work,
  onProgress: (text: string) => void,
): Promise<Figure | undefined> {
  const trees = { plain: root, enlarged: createEnlarged(folder, { paths: PATHS }) };
  const entrants = Object.entries(trees).map(([name, tree]) =>
    entrant(accord(name, `Accord, ${name}`, tree), data, [getOne(BOOKS)]),
  );
  const more = { ...work, requests: MORE * work.requests };
  const samples = await measurePairs(entrants, ['get-one'], more, (_, stage) =>
    onProgress(`200 more paths, ${stage}`),
  );
  return ratio(samples, 'get-one', ['enlarged', 'plain']);
}
