import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type Run, requireKnown } from './bench-run.ts';
import { cases, getOne } from './cases.ts';
import { BOOKS } from './data.ts';
import { createData } from './databases.ts';
import { entrant } from './entrants.ts';
import { FEWEST, type Figure, ratio, verdict } from './figures.ts';
import { span, table } from './markdown.ts';
import { type Entrant, measurePairs } from './pairs.ts';
import { peers, root } from './servers.ts';

const file = join(root, 'bench/release.json');
const LONGEST = 300_000;
// Less is not told apart: equal builds differ by as much.
const MARGIN = 1.05;

/** Accord's CPU per request as a multiple of the floor's, by case, and what it was measured with. */
type Release = {
  readonly version: string;
  readonly node: string;
  readonly machine: string;
  readonly cases: Readonly<Record<string, Figure>>;
};

/** Says within five minutes what costs more than in the last release; `keeps` makes this tree the last release. */
export async function runQuick(run: Run, keeps: boolean): Promise<void> {
  const { source, folder, work, progress, only } = run;
  if (run.engine !== 'sqlite') throw new Error('--quick measures on SQLite');
  const known = cases.map(({ name }) => name);
  requireKnown('only', only, known);
  if (keeps && (only || work.pairs < FEWEST))
    throw new Error('--keep needs all cases and five pairs');
  const names = known.filter((name) => only?.includes(name) ?? true);
  const data = await createData(source, folder, root);
  const [accord, floor] = ['accord', 'floor'].map((name) => {
    const peer = peers.find((each) => each.name === name);
    if (!peer) throw new Error(`there is no ${name}`);
    return entrant(peer, data, cases);
  }) as [Entrant, Entrant];
  // What the floor does not do is compared with its cheapest case.
  const asked = (name: string) =>
    floor.asked(name) ?? { ...getOne(BOOKS), share: accord.asked(name)?.share ?? 1 };
  // What is kept is compared with often, and may take longer.
  const mayGoOn = keeps ? undefined : withinTime();
  const entrants = [accord, { ...floor, asked }];
  const samples = await measurePairs(entrants, names, work, progress.part, mayGoOn);
  progress.end();

  const found = names.flatMap((name) => {
    const figure = ratio(samples, name, ['accord', 'floor']);
    return figure ? [[name, figure] as const] : [];
  });
  if (keeps) keep(found);
  const release = readRelease();
  if (release) say(described(release));
  say(`${comparison(found, release)}\n`);
}

/** Whether there is time for another pair like the longest one. */
function withinTime(): () => boolean {
  const start = performance.now();
  let [last, longest] = [start, 0];
  return () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    return now + longest - start < LONGEST;
  };
}

function comparison(found: readonly (readonly [string, Figure])[], release: Release | undefined) {
  const rows = found.map(([name, figure]) => {
    const was = release?.cases[name];
    return [name, was ? span(was) : '–', span(figure), was ? change(figure, was) : 'undecided'];
  });
  const heads = ['Accord as a multiple of bare node:http', 'release', 'this tree', ''];
  return table(heads, rows);
}

/** Slower where the whole interval is above the release's, not slower where it is not above the release's median. */
function change(now: Figure, was: Figure): string {
  if (verdict(now, { most: MARGIN * was.high }) === 'not met') return '**slower**';
  return verdict(now, { most: MARGIN * was.median }) === 'met' ? 'not slower' : 'undecided';
}

function described({ version, node, machine }: Release): string {
  const isSame = machine === cpus()[0]?.model && node === process.versions.node;
  const where = isSame ? '' : `, measured on ${machine} with Node ${node}: ratios may differ there`;
  return `The last release is ${version}${where}.\n`;
}

function readRelease(): Release | undefined {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  say('No release is kept; `npm run bench -- --quick --keep` keeps this tree’s figures.\n');
  return undefined;
}

function keep(found: readonly (readonly [string, Figure])[]): void {
  const rounded = found.map(([name, { median, low, high, count }]) => {
    const [middle, least, most] = [median, low, high].map((each) => Number(each.toFixed(3)));
    return [name, { median: middle, low: least, high: most, count }];
  });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const machine = cpus()[0]?.model ?? '';
  const release: Release = {
    version,
    node: process.versions.node,
    machine,
    cases: Object.fromEntries(rounded),
  };
  writeFileSync(file, `${JSON.stringify(release, null, 2)}\n`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
