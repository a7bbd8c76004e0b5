import { cases } from './cases.ts';
import { type Figure, figure, ratio, type Samples } from './figures.ts';
import type { Peer } from './servers.ts';
import type { Start } from './starts.ts';

/** A ratio of CPU times with its upper bound. */
export type Demand = {
  readonly title: string;
  readonly ratio: Figure;
  readonly most: number;
  readonly isMet: boolean;
};

const limits: readonly (readonly [peer: string, name: string, most: number])[] = [
  ['fastify', 'get-one', 0.9],
  ['fastify', 'list-20', 0.65],
  ['fastify', 'list-all', 0.5],
  ['fastify', 'create', 0.45],
  ['fastify', 'nested', 0.75],
  ['fastify', 'mutation', 0.65],
  ['floor', 'get-one', 1.15],
];
/** What `accord proxy` may cost beside the server that it stands before: it reads and writes everything twice. */
const MOST_PROXY = 8;
const limited = new Set(limits.map(([peer]) => peer));

/** What is measured beside the cases of the peers. */
type Others = {
  readonly starts: readonly Start[];
  readonly paths: Figure | undefined;
  /** By case. */
  readonly proxy: ReadonlyMap<string, Figure> | undefined;
};

/** The demands that this run measured. */
export function demands(
  samples: Samples,
  peers: readonly Peer[],
  { starts, paths, proxy }: Others,
): Demand[] {
  const compared = (peer: Peer, name: string, most: number): Demand[] => {
    const title = `${titleOf(name)} against ${peer.title}`;
    return demand(title, ratio(samples, name, 'accord', peer.name), most);
  };
  const named = limits.flatMap(([name, ...limit]) =>
    peers.filter((peer) => peer.name === name).flatMap((peer) => compared(peer, ...limit)),
  );
  const others = peers
    .filter(({ name }) => !limited.has(name) && name !== 'accord')
    .flatMap((peer) => cases.flatMap(({ name }) => compared(peer, name, 1)));
  return [
    ...named,
    ...demand('get one with 200 more paths, against without', paths, 1.05),
    ...[...(proxy ?? [])].flatMap(([name, found]) =>
      demand(
        `${titleOf(name)}: accord proxy itself, against the server behind it`,
        found,
        MOST_PROXY,
      ),
    ),
    ...startDemand('time to be ready, against Fastify + glue', starts, 'elapsed'),
    ...startDemand('CPU to be ready, against Fastify + glue', starts, 'cpu'),
    ...others,
  ];
}

function titleOf(name: string): string | undefined {
  return cases.find((each) => each.name === name)?.title;
}

function demand(title: string, found: Figure | undefined, most: number): Demand[] {
  return found
    ? [
        {
          title,
          ratio: found,
          most, // Ahead of the others means ahead, not level.
          isMet: most === 1 ? found.median < 1 : found.median <= most,
        },
      ]
    : [];
}

function startDemand(title: string, starts: readonly Start[], what: 'elapsed' | 'cpu'): Demand[] {
  const ratios = starts.map(({ accord, fastify }) => accord[what] / fastify[what]);
  return ratios.length > 0 ? demand(title, figure(ratios), 2) : [];
}
