import { resolve } from 'node:path';
import { demands } from './acceptance.ts';
import { type Run, requireKnown, writeResults } from './bench-run.ts';
import { cases } from './cases.ts';
import { chart } from './chart.ts';
import { usual } from './data.ts';
import { createData } from './databases.ts';
import { entrant } from './entrants.ts';
import { measurePairs } from './pairs.ts';
import { measurePaths } from './paths.ts';
import { measureProxy } from './proxy.ts';
import { demandTable, report } from './report.ts';
import { accord, peers as known, root } from './servers.ts';
import { measureStarts } from './starts.ts';

const inShort = {
  cases: ['get-one', 'list-20', 'list-all', 'create', 'nested', 'mutation'],
  peers: ['floor', 'fastify', 'postgraphile', 'paths', 'starts'],
};
/** What is measured beside the cases; they say nothing of PostgreSQL. */
const beside = ['paths', 'starts', 'proxy'];
// Starts are cheap, and vary more than requests.
const STARTS_PER_PAIR = 3;

type Chosen = {
  /** Another checkout, which tells whether a change made anything slower. */
  readonly base: string | undefined;
  readonly isShort: boolean;
  /** The names in `--peers`. */
  readonly chosen: readonly string[] | undefined;
};

/** Measures Accord and its peers in one run. */
export async function runPeers(run: Run, { base, isShort, chosen }: Chosen): Promise<void> {
  const { engine, source, folder, work, progress } = run;
  const only = run.only ?? (isShort ? inShort.cases : undefined);
  const named = chosen ?? (isShort ? inShort.peers : undefined);
  const caseNames = cases.map(({ name }) => name);
  requireKnown('only', only, caseNames);
  requireKnown('peers', named, [...known.map(({ name }) => name), ...beside]);
  const isChosen = (name: string) => named?.includes(name) ?? !base;
  const also = (name: string) => engine === 'sqlite' && isChosen(name);

  const data = await createData(source, folder, root);
  const others = known
    .filter(({ engines }) => engines.includes(engine))
    .filter(({ name }) => name === 'accord' || isChosen(name));
  const earlier = base ? [await baseEntrant(run, resolve(base))] : [];
  const peers = [...earlier.map(({ peer }) => peer), ...others];
  const starts = also('starts')
    ? await measureStarts(data, STARTS_PER_PAIR * work.pairs, progress.say)
    : [];
  const paths = also('paths') ? await measurePaths(folder, data, work, progress.say) : undefined;
  const proxy = also('proxy') ? await measureProxy(data, work, progress.say) : undefined;
  const samples = await measurePairs(
    [...earlier.map(({ entrant }) => entrant), ...others.map((peer) => entrant(peer, data, cases))],
    caseNames.filter((name) => only?.includes(name) ?? true),
    work,
    progress.part,
  );

  const found = demands(engine, samples, peers, { starts, paths, proxy });
  const result = { engine, samples, peers, starts, demands: found, work };
  const name = engine === 'sqlite' ? 'results' : 'results-postgres';
  const files = { [`${name}.md`]: report(result), [`${name}.svg`]: chart(result) };
  const place = writeResults(work, !only && !named && !base, files);
  progress.end();
  process.stdout.write(
    `${demandTable(found)}\n\nMore is in ${place}/${name}.md and ${name}.svg.\n`,
  );
}

/** Another checkout on data of its own: it does not know later migrations. */
async function baseEntrant({ source, folder }: Run, tree: string) {
  const peer = accord('base', `Accord in ${tree}`, tree);
  const own = await createData(source, folder, tree, usual, 'seed_base');
  return { peer, entrant: entrant(peer, own, cases) };
}
