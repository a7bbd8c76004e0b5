import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { demands } from './acceptance.ts';
import { type Case, cases } from './cases.ts';
import { chart } from './chart.ts';
import { createData } from './data.ts';
import type { Sample } from './measure.ts';
import { measurePaths } from './paths.ts';
import { createProgress } from './progress.ts';
import { measureProxy } from './proxy.ts';
import { demandTable, report } from './report.ts';
import { addTo, measureRound } from './rounds.ts';
import { accord, peers as known, type Peer, root, type Server, startServer } from './servers.ts';
import { measureStarts } from './starts.ts';

/** Measures Accord and its peers in one run, and writes what was found beside this file. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    requests: { type: 'string' },
    'warm-up': { type: 'string' },
    only: { type: 'string' },
    peers: { type: 'string' },
    base: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const inShort = {
  cases: ['get-one', 'list-20', 'list-all', 'create', 'nested', 'mutation'],
  peers: ['floor', 'fastify', 'paths', 'starts'],
};
// With fewer requests V8 still compiles the larger servers while they are measured.
const warmUp = Number(values['warm-up'] ?? (values.short ? 16_000 : 40_000));
const rounds = Number(values.rounds ?? (values.short ? 5 : 7));
const requests = Number(values.requests ?? (values.short ? 2000 : 6000));
const work = { rounds, requests, warmUp };
const chosenCases = values.only?.split(',') ?? (values.short ? inShort.cases : undefined);
const chosenPeers = values.peers?.split(',') ?? (values.short ? inShort.peers : undefined);
// Another checkout beside this one tells whether a change made anything slower.
const base = values.base ? [accord('base', `Accord in ${values.base}`, resolve(values.base))] : [];
const isWhole = !chosenCases && !chosenPeers && !values.base;
// Only a whole run replaces what the README shows.
const place = join(root, isWhole ? 'bench' : 'artefacts/bench');
const isChosen = (name: string) => chosenPeers?.includes(name) ?? !values.base;
requireKnown('only', chosenCases, cases);
requireKnown('peers', chosenPeers, [
  ...known,
  { name: 'paths' },
  { name: 'starts' },
  { name: 'proxy' },
]);

if (!existsSync(join(root, 'bench/node_modules'))) {
  execFileSync('npm', ['ci', '--prefix', join(root, 'bench')], { stdio: 'inherit' });
}
const folder = mkdtempSync(join(tmpdir(), 'accord-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Servers are killed when this process exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const progress = createProgress();
const servers: Server[] = [];
try {
  await run();
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}

async function run(): Promise<void> {
  const data = createData(folder, root);
  const others = known.filter(({ name }) => name === 'accord' || isChosen(name));
  const peers = [...base, ...others];
  const starts = isChosen('starts') ? await measureStarts(data, rounds, progress.say) : [];
  const paths = isChosen('paths')
    ? await measurePaths(folder, data, work, progress.say)
    : undefined;
  const proxy = isChosen('proxy') ? await measureProxy(data, work, progress.say) : undefined;

  for (const peer of peers) {
    progress.say(`starting ${peer.title}`);
    const file = peer.data === 'json' ? data.copyJson(peer.name) : data.copyDatabase(peer.name);
    servers.push(await startServer(peer, file));
  }
  const samples = await measureAll(cases.filter(({ name }) => chosenCases?.includes(name) ?? true));
  const found = demands(samples, peers, { starts, paths, proxy });
  const result = { samples, peers, starts, demands: found, ...work };
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'results.md'), report(result));
  writeFileSync(join(place, 'results.svg'), chart(result));
  progress.end();
  process.stdout.write(
    `${demandTable(found)}\n\nMore is in ${relative(process.cwd(), place)}/results.md and results.svg.\n`,
  );
}

/** Round by round, case by case; the first round only warms up. */
async function measureAll(chosen: readonly Case[]) {
  const samples = new Map(chosen.map(({ name }) => [name, new Map<string, Sample[]>()]));
  for (let round = 0; round <= rounds; round++) {
    for (const [i, each] of chosen.entries()) {
      const part = (round + i / chosen.length) / (rounds + 1);
      const stage = `${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}: ${each.title}`;
      const able = servers.filter(({ peer }) => does(peer, each));
      const onProgress = (server: Server) => progress.part(part, stage, server.peer.title);
      const found = await measureRound(able, each, round === 0 ? warmUp : requests, onProgress);
      if (round > 0) addTo(samples.get(each.name) ?? new Map(), found);
    }
  }
  return samples;
}

function does({ protocols, omits }: Peer, { name, protocol }: Case): boolean {
  return protocols.includes(protocol) && !omits?.includes(name);
}

function requireKnown(
  option: string,
  chosen: readonly string[] | undefined,
  all: readonly { readonly name: string }[],
): void {
  const names = all.map(({ name }) => name);
  const unknown = chosen?.find((name) => !names.includes(name));
  if (unknown) throw new Error(`--${option} takes ${names.join()}, not ${unknown}`);
}
