import { cases } from './cases.ts';
import type { createData } from './data.ts';
import { createEnlarged } from './enlarged.ts';
import { type Figure, ratio } from './figures.ts';
import type { Sample } from './measure.ts';
import { addTo, measureRound } from './rounds.ts';
import { accord, root, startServer } from './servers.ts';

// A ratio near 1 needs more requests than a difference.
const MORE = 4;

/** What a request costs with 200 more paths in the contract, as a multiple of what it costs without. */
export async function measurePaths(
  folder: string,
  data: ReturnType<typeof createData>,
  { rounds, requests, warmUp }: Readonly<Record<'rounds' | 'requests' | 'warmUp', number>>,
  onProgress: (text: string) => void,
): Promise<Figure | undefined> {
  const chosen = cases.filter(({ name }) => name === 'get-one');
  const trees = { plain: root, enlarged: createEnlarged(folder) };
  const samples = new Map<string, Sample[]>();
  const servers = await Promise.all(
    Object.entries(trees).map(([name, tree]) =>
      startServer(accord(name, `Accord, ${name}`, tree), data.copyDatabase(name)),
    ),
  );
  for (let round = 0; round <= rounds; round++) {
    onProgress(`200 more paths: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`);
    for (const each of chosen) {
      const found = await measureRound(servers, each, round === 0 ? warmUp : MORE * requests);
      if (round > 0) addTo(samples, found);
    }
  }
  await Promise.all(servers.map((server) => server.stop()));
  return ratio(new Map([['get-one', samples]]), 'get-one', 'enlarged', 'plain');
}
