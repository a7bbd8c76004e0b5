import { cases } from './cases.ts';
import { figure, type Samples } from './figures.ts';
import type { Peer } from './servers.ts';

const WIDTH = 860;
const LABEL = 230;
const BAR = 13;
const BAR_STEP = 17;
const GROUP_GAP = 34;
const VALUE = 70;

type Result = { readonly samples: Samples; readonly peers: readonly Peer[] };

/** Bars of CPU per request for each case; an outlier is shown broken. */
export function chart({ samples, peers }: Result): string {
  let y = 44;
  const groups: string[] = [];
  for (const { name, title } of cases.filter((each) => samples.has(each.name))) {
    const bars = peers.flatMap((peer) => {
      const own = samples.get(name)?.get(peer.name);
      return own ? [{ peer, cpu: figure(own.map(({ cpu }) => cpu)).median }] : [];
    });
    bars.sort((a, b) => a.cpu - b.cpu);
    const most = longest(bars.map(({ cpu }) => cpu));
    groups.push(text(0, y, title, 'case'));
    y += 8;
    for (const { peer, cpu } of bars) {
      groups.push(bar(peer, cpu, most, y));
      y += BAR_STEP;
    }
    y += GROUP_GAP - BAR_STEP + 8;
  }
  const label = 'CPU per request of Accord and its peers';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y - 10}" role="img" aria-label="${label}">
<style>${style}</style>
${text(0, 16, 'CPU per request in microseconds: shorter is better', 'title')}
${groups.join('\n')}
</svg>
`;
}

/** The longest whole bar: an outlier costs more than three times as much as the one before. */
function longest(ascending: readonly number[]): number {
  const beyond = ascending.findIndex((cpu, i) => i > 1 && cpu > 3 * (ascending[i - 1] ?? cpu));
  return ascending.at(beyond < 0 ? -1 : beyond - 1) ?? 1;
}

function bar({ name, title }: Peer, cpu: number, most: number, y: number): string {
  const kind = name === 'accord' ? 'accord' : name === 'floor' ? 'floor' : 'peer';
  const space = WIDTH - LABEL - VALUE;
  const width = Math.max(1, (Math.min(cpu, most) / most) * space);
  const rect = (x: number, wide: number) =>
    `<rect class="${kind}" x="${x}" y="${y}" width="${wide.toFixed(1)}" height="${BAR}" rx="2"/>`;
  const value = cpu.toLocaleString('en', { maximumFractionDigits: 0 });
  return [
    text(LABEL - 8, y + BAR - 3, title, kind === 'accord' ? 'name own' : 'name'),
    cpu > most ? rect(LABEL, width - 30) + rect(LABEL + width - 26, 26) : rect(LABEL, width),
    text(LABEL + width + 6, y + BAR - 3, value, 'value'),
  ].join('\n');
}

function text(x: number, y: number, content: string, kind: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text class="${kind}" x="${x.toFixed(1)}" y="${y}">${escaped}</text>`;
}

// Readable on white and on black.
const style = `
text { font: 12px system-ui, sans-serif; fill: #57606a }
.title { font-size: 15px; font-weight: 600 }
.case { font-size: 13px; font-weight: 600 }
.name { text-anchor: end }
.own { font-weight: 700 }
.accord { fill: #1f7a5c }
.peer { fill: #9aa4af }
.floor { fill: none; stroke: #9aa4af; stroke-dasharray: 3 2 }
@media (prefers-color-scheme: dark) {
  text { fill: #adb6c0 }
  .accord { fill: #35b88c }
  .peer { fill: #6b7681 }
  .floor { stroke: #6b7681 }
}
`;
