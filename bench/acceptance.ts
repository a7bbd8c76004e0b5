import { cases } from './cases.ts';
import type { Engine } from './engines.ts';
import {
  capacity,
  databaseCpu,
  type Figure,
  figure,
  type Limit,
  type Metric,
  ratio,
  type Samples,
  serverCpu,
  type Verdict,
  verdict,
  wholeCpu,
} from './figures.ts';
import type { Peer } from './servers.ts';
import type { Start } from './starts.ts';

/** A ratio with its bound, and whether it is kept. */
export type Demand = {
  readonly title: string;
  readonly ratio: Figure;
  readonly limit: Limit;
  readonly verdict: Verdict;
};

/** Whose CPU is compared; on SQLite the database is in the server. */
const parts = { server: serverCpu, database: databaseCpu, whole: wholeCpu } satisfies Record<
  string,
  Metric
>;
type Part = keyof typeof parts;
type Limited = readonly [peer: string, name: string, limit: Limit, part?: Part];

const limits: Readonly<Record<Engine, readonly Limited[]>> = {
  sqlite: [
    ['fastify', 'get-one', { most: 0.9 }],
    ['fastify', 'list-20', { most: 0.65 }],
    ['fastify', 'list-all', { most: 0.5 }],
    ['fastify', 'create', { most: 0.45 }],
    ['fastify', 'nested', { most: 0.35 }],
    ['fastify', 'by-variables', { most: 0.8 }],
    ['fastify', 'mutation', { most: 0.5 }],
    ['floor', 'get-one', { most: 1.15 }],
  ],
  postgres: [
    ['fastify', 'get-one', { most: 0.85 }, 'server'],
    ['fastify', 'list-20', { most: 0.6 }, 'server'],
    ['fastify', 'create', { most: 0.6 }, 'server'],
    ['fastify', 'get-one', { most: 1 }, 'database'],
    ['fastify', 'list-20', { most: 1 }, 'database'],
    ['fastify', 'create', { most: 1 }, 'database'],
    ['postgraphile', 'nested', { most: 0.6 }],
  ],
};
/** Those whose every case is not compared with a limit of 1. */
const limited = new Set(['fastify', 'floor', 'accord']);
/** Refusals come from express-openapi-validator, and may cost more than NestJS's own. */
const excepted = new Set(['nest invalid', 'nest not-allowed']);
/** Equal builds differ by as much. */
const baseLimit = { most: 1.05 };
/** What `accord proxy` may cost beside the server that it stands before: it reads and writes everything twice. */
const proxyLimit = { most: 8 };

/** What is measured beside the cases of the peers. */
type Others = {
  readonly starts: readonly Start[];
  readonly paths: Figure | undefined;
  /** By case. */
  readonly proxy: ReadonlyMap<string, Figure> | undefined;
};

/** The demands that this run measured. */
export function demands(
  engine: Engine,
  samples: Samples,
  peers: readonly Peer[],
  { starts, paths, proxy }: Others,
): Demand[] {
  const compared = (peer: Peer, name: string, limit: Limit, part: Part = 'whole'): Demand[] => {
    const told = { server: ', server', database: ', database', whole: ', server and database' };
    const title = `${titleOf(name)} against ${peer.title}${engine === 'sqlite' ? '' : told[part]}`;
    return demand(title, ratio(samples, name, ['accord', peer.name], parts[part]), limit);
  };
  const isNamed = (peer: string, name: string) =>
    limits[engine].some((each) => each[0] === peer && each[1] === name);
  const named = limits[engine].flatMap(([name, ...limit]) =>
    peers.filter((peer) => peer.name === name).flatMap((peer) => compared(peer, ...limit)),
  );
  const others = peers
    .filter(({ name }) => !limited.has(name))
    .flatMap((peer) =>
      cases
        .filter(({ name }) => !isNamed(peer.name, name) && !excepted.has(`${peer.name} ${name}`))
        .flatMap(({ name }) =>
          compared(peer, name, peer.name === 'base' ? baseLimit : { below: 1 }),
        ),
    );
  const ready = starts.map(({ accord, fastify }) => accord.elapsed / fastify.elapsed);
  return [
    ...named,
    ...demand('get one with 200 more paths, against without', paths, { most: 1.05 }),
    ...[...(proxy ?? [])].flatMap(([name, found]) => {
      const title = `${titleOf(name)}: accord proxy itself, against the server behind it`;
      return demand(title, found, proxyLimit);
    }),
    ...demand(
      'time to be ready, against Fastify + glue',
      ready.length > 0 ? figure(ready) : undefined,
      { most: 1.2 },
    ),
    ...others,
  ];
}

export function demand(title: string, found: Figure | undefined, limit: Limit): Demand[] {
  return found ? [{ title, ratio: found, limit, verdict: verdict(found, limit) }] : [];
}

/** How often the cost of the smallest may be paid at the largest, by dimension and case. */
const growthLimits: readonly (readonly [dimension: string, name: string, limit: Limit])[] = [
  ['records', 'get-one', { most: 1.2 }],
  ['records', 'list-20', { most: 1.2 }],
  ['paths', 'get-one', { most: 1.1 }],
  ['paths', 'list-20', { most: 1.1 }],
  ['types', 'nested', { most: 1.1 }],
];
const workersLimit = { least: 1.7 };

/** A dimension in which something grows, with the cost at its largest size as a multiple of that at its smallest. */
type Grown = {
  readonly name: string;
  readonly title: string;
  growth(name: string, of: Metric): Figure | undefined;
};

export function growthDemands(grown: readonly Grown[]): Demand[] {
  const costs = growthLimits.flatMap(([dimension, name, limit]) =>
    grown
      .filter((each) => each.name === dimension)
      .flatMap((each) =>
        demand(
          `${titleOf(name)}, ${each.title}: the most against the fewest`,
          each.growth(name, wholeCpu),
          limit,
        ),
      ),
  );
  const workers = grown.filter(({ name }) => name === 'workers');
  return [
    ...costs,
    ...workers.flatMap(({ growth }) =>
      demand(
        'get one, two workers against one, requests per second of the busiest process’s CPU',
        growth('get-one', capacity),
        workersLimit,
      ),
    ),
  ];
}

function titleOf(name: string): string | undefined {
  return cases.find((each) => each.name === name)?.title;
}
