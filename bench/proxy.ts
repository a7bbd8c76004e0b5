import { join } from 'node:path';
import { cases } from './cases.ts';
import type { createData } from './data.ts';
import { type Figure, ratio } from './figures.ts';
import type { Sample } from './measure.ts';
import { addTo, measureRound } from './rounds.ts';
import { accord, type Peer, root, startServer } from './servers.ts';

/** `accord proxy` before a server, with both contracts. */
const proxyBefore = (port: number): Peer => ({
  ...accord('proxy', 'accord proxy', root),
  arguments: (_, own) => [
    join(root, 'src/kit/cli/accord.ts'),
    ...['proxy', `http://127.0.0.1:${port}`, '--port', String(own)],
    ...['--openapi', join(root, 'openapi.yaml'), '--schema', join(root, 'schema.graphql')],
  ],
  environment: () => ({}),
});

/** The cases that are asked through the proxy. */
export const proxied = ['get-one', 'list-20', 'create', 'nested'] as const;

/** What the proxy itself costs a request, as a multiple of what the server that it stands before costs. */
export async function measureProxy(
  data: ReturnType<typeof createData>,
  { rounds, requests, warmUp }: Readonly<Record<'rounds' | 'requests' | 'warmUp', number>>,
  onProgress: (text: string) => void,
): Promise<Map<string, Figure>> {
  const direct = await startServer(accord('direct', 'Accord', root), data.copyDatabase('direct'));
  const behind = await startServer(accord('behind', 'Accord', root), data.copyDatabase('behind'));
  const proxy = await startServer(proxyBefore(behind.port), '');
  const figures = new Map<string, Figure>();
  for (const each of cases.filter(({ name }) => proxied.some((known) => known === name))) {
    const samples = new Map<string, Sample[]>();
    for (let round = 0; round <= rounds; round++) {
      onProgress(
        `proxy, ${each.title}: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`,
      );
      const found = await measureRound([direct, proxy], each, round === 0 ? warmUp : requests);
      if (round > 0) addTo(samples, found);
    }
    const found = ratio(new Map([[each.name, samples]]), each.name, 'proxy', 'direct');
    if (found) figures.set(each.name, found);
  }
  await Promise.all([direct, behind, proxy].map((server) => server.stop()));
  return figures;
}
