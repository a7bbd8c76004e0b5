import { join } from 'node:path';
import { cases } from './cases.ts';
import type { Data } from './databases.ts';
import { entrant } from './entrants.ts';
import { type Figure, ratio } from './figures.ts';
import { type Entrant, measurePairs, type Work } from './pairs.ts';
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
const proxied = ['get-one', 'list-20', 'create', 'nested'];

/** What the proxy itself costs a request, as a multiple of what the server that it stands before costs. */
export async function measureProxy(
  data: Data,
  work: Work,
  onProgress: (text: string) => void,
): Promise<Map<string, Figure>> {
  const direct = entrant(accord('direct', 'Accord', root), data, cases);
  const proxy: Entrant = {
    ...entrant(accord('behind', 'Accord behind the proxy', root), data, cases),
    name: 'proxy',
    async start() {
      const behind = await startServer(accord('behind', 'Accord', root), await data.copy('behind'));
      const before = await startServer(proxyBefore(behind.port), '');
      const stop = async () => void (await Promise.all([before.stop(), behind.stop()]));
      return { ...before, stop };
    },
  };
  const samples = await measurePairs([direct, proxy], proxied, work, (_, stage) =>
    onProgress(`proxy, ${stage}`),
  );
  const figures = proxied.map((name) => [name, ratio(samples, name, ['proxy', 'direct'])] as const);
  return new Map(figures.flatMap(([name, found]) => (found ? [[name, found]] : [])));
}
