import { execFileSync } from 'node:child_process';
import { growthDemands } from './acceptance.ts';
import { type Run, requireKnown, writeResults } from './bench-run.ts';
import { type Case, getOne, list20, nestedFirst } from './cases.ts';
import { BOOKS, POSTS_EACH } from './data.ts';
import { createData, type Data } from './databases.ts';
import { createEnlarged } from './enlarged.ts';
import { entrant } from './entrants.ts';
import { growthChart } from './growth-chart.ts';
import { type Grown, growthOf, growthReport } from './growth-report.ts';
import { type Entrant, measurePairs } from './pairs.ts';
import { demandTable } from './report.ts';
import { accord, root } from './servers.ts';

/** What grows, and how to start a server at each of its sizes. */
type Dimension = {
  readonly name: string;
  readonly title: string;
  readonly sizes: readonly number[];
  entrant(size: number, run: Run, usual: Data): Entrant | Promise<Entrant>;
};

const [SERVER_CORE, CLIENT_CORE] = ['0', '1'];
const asked = (books = BOOKS): Case[] => [getOne(books), list20, nestedFirst];
const at = (size: number, tree = root, settings = {}) =>
  accord(String(size), `Accord, ${size}`, tree, settings);

const dimensions: readonly Dimension[] = [
  {
    name: 'records',
    title: 'records',
    sizes: [1000, 100_000, 1_000_000],
    async entrant(books, { source, folder }) {
      const size = { books, users: Math.floor(books / POSTS_EACH) };
      return entrant(at(books), await createData(source, folder, root, size), asked(books));
    },
  },
  {
    name: 'paths',
    title: 'paths',
    sizes: [10, 100, 811],
    entrant: (paths, { folder }, data) =>
      entrant(at(paths, createEnlarged(folder, { paths })), data, asked()),
  },
  {
    name: 'types',
    title: 'GraphQL types',
    sizes: [10, 300, 1600],
    entrant: (types, { folder }, data) =>
      entrant(at(types, createEnlarged(folder, { types })), data, asked()),
  },
  {
    name: 'clients',
    title: 'clients',
    sizes: [1, 32, 1000],
    entrant: (clients, _, data) =>
      entrant(
        at(clients),
        data,
        asked().map((each) => ({ ...each, clients })),
      ),
  },
  {
    name: 'workers',
    title: 'workers',
    sizes: [1, 2],
    // Each worker is asked as much, by as many clients, as one alone.
    entrant: (workers, _, data) =>
      pinned(
        entrant(
          at(workers, root, { WORKERS: String(workers) }),
          data,
          asked().map((each) => ({
            ...each,
            clients: each.clients * workers,
            share: each.share * workers,
          })),
        ),
      ),
  },
];

/** Measures what requests cost as data, contracts, clients and workers grow; the sizes of one are measured in turn. */
export async function runGrowth(run: Run): Promise<void> {
  const { source, folder, work, progress, only } = run;
  const names = dimensions.map(({ name }) => name);
  requireKnown('only', only, names);
  const usual = await createData(source, folder, root);
  const grown: Grown[] = [];
  for (const { name, title, sizes, entrant: make } of dimensions) {
    if (only && !only.includes(name)) continue;
    progress.say(`${title}: data and contracts`);
    const entrants: Entrant[] = [];
    for (const size of sizes) entrants.push(await make(size, run, usual));
    const cases = asked();
    const samples = await measurePairs(
      entrants,
      cases.map((each) => each.name),
      work,
      (part, stage, server) => progress.part(part, `${title}, ${stage}`, server),
    );
    grown.push(growthOf({ name, title, sizes, cases, samples }));
  }
  const found = growthDemands(grown);
  const files = {
    'growth.md': growthReport(run.engine, grown, found, work),
    'growth.svg': growthChart(grown),
  };
  const place = writeResults(work, !only && run.engine === 'sqlite', files);
  progress.end();
  process.stdout.write(`${demandTable(found)}\n\nMore is in ${place}/growth.md and growth.svg.\n`);
}

/** The server, with all its processes, has one core, and the clients another. */
function pinned(each: Entrant): Entrant {
  return {
    ...each,
    async start() {
      // A process begins on the core of the one that starts it.
      runOn(SERVER_CORE);
      const server = await each.start();
      runOn(CLIENT_CORE);
      return server;
    },
  };
}

function runOn(core: string): void {
  if (process.platform !== 'linux') return;
  execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', core, String(process.pid)]);
}
