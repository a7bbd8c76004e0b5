import { cases } from './cases.ts';
import type { Engine } from './engines.ts';
import { databaseCpu, figure, perPair, type Samples, serverCpu } from './figures.ts';
import type { Peer } from './servers.ts';
import { svg, text } from './svg.ts';

const WIDTH = 860;
const LABEL = 230;
const BAR = 13;
const BAR_STEP = 17;
const GROUP_GAP = 34;
const VALUE = 70;

type Result = {
  readonly engine: Engine;
  readonly samples: Samples;
  readonly peers: readonly Peer[];
};

/** Bars of CPU per request for each case; an outlier is shown broken. */
export function chart({ engine, samples, peers }: Result): string {
  let y = 44;
  const groups: string[] = [];
  for (const { name, title } of cases.filter((each) => samples.has(each.name))) {
    const bars = peers.flatMap((peer) => {
      const own = samples.get(name)?.get(peer.name);
      if (!own) return [];
      const [server, database] = [serverCpu, databaseCpu].map(
        (of) => figure(perPair(own, of)).median,
      );
      return [{ peer, server: server ?? 0, cpu: (server ?? 0) + (database ?? 0) }];
    });
    bars.sort((a, b) => a.cpu - b.cpu);
    const most = longest(bars.map(({ cpu }) => cpu));
    groups.push(text(0, y, title, 'case'));
    y += 8;
    for (const each of bars) {
      groups.push(bar(each, most, y));
      y += BAR_STEP;
    }
    y += GROUP_GAP - BAR_STEP + 8;
  }
  const title = `CPU per request in microseconds${engine === 'postgres' ? ', the database’s part lighter' : ''}: shorter is better`;
  const content = [text(0, 16, title, 'title'), ...groups];
  return svg(WIDTH, y - 10, 'CPU per request of Accord and its peers', content);
}

/** The longest whole bar: an outlier costs more than three times as much as the one before. */
function longest(ascending: readonly number[]): number {
  const beyond = ascending.findIndex((cpu, i) => i > 1 && cpu > 3 * (ascending[i - 1] ?? cpu));
  return ascending.at(beyond < 0 ? -1 : beyond - 1) ?? 1;
}

type Bar = { readonly peer: Peer; readonly server: number; readonly cpu: number };

/** The server's part and that of the database, which is not there on SQLite. */
function bar({ peer: { name, title }, server, cpu }: Bar, most: number, y: number): string {
  const kind = name === 'accord' ? 'accord' : name === 'floor' ? 'floor' : 'peer';
  const space = WIDTH - LABEL - VALUE;
  const width = Math.max(1, (Math.min(cpu, most) / most) * space);
  const own = (server / cpu) * width;
  const rect = (x: number, wide: number, further = '') =>
    `<rect class="${kind}${further}" x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${BAR}" rx="2"/>`;
  const value = cpu.toLocaleString('en', { maximumFractionDigits: 0 });
  const whole = rect(LABEL, own) + (own < width ? rect(LABEL + own, width - own, ' database') : '');
  return [
    text(LABEL - 8, y + BAR - 3, title, kind === 'accord' ? 'name own' : 'name'),
    cpu > most ? rect(LABEL, width - 30) + rect(LABEL + width - 26, 26) : whole,
    text(LABEL + width + 6, y + BAR - 3, value, 'value'),
  ].join('\n');
}
