import { cpus } from 'node:os';
import type { Demand } from './acceptance.ts';
import { cases } from './cases.ts';
import { type Figure, figure, ratio, type Samples } from './figures.ts';
import type { Sample } from './measure.ts';
import type { Peer } from './servers.ts';
import type { Start } from './starts.ts';

export type Result = {
  readonly samples: Samples;
  readonly peers: readonly Peer[];
  readonly starts: readonly Start[];
  readonly demands: readonly Demand[];
  readonly rounds: number;
  readonly requests: number;
};

/** The whole run as Markdown. */
export function report(result: Result): string {
  const { samples, peers, rounds, requests } = result;
  const measured = cases.filter(({ name }) => samples.has(name));
  return [
    '# Accord and its peers',
    `${rounds} rounds on ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, Node ${process.versions.node}, ` +
      `${requests} requests of the cheapest case a round and fewer of the others. How it is measured is in [README.md](README.md).`,
    '## CPU per request',
    'Microseconds, the median of the rounds. A dash: the server does not do this.',
    overview(result),
    '## What is demanded',
    demandTable(result.demands),
    ...startSection(result.starts),
    ...measured.flatMap(({ name, title, clients }) => [
      `## ${title[0]?.toUpperCase()}${title.slice(1)}`,
      `${clients} clients, each of which waits for its answer.`,
      caseTable(samples, peers, name),
    ]),
    '',
  ].join('\n\n');
}

function overview({ samples, peers }: Result): string {
  const rows = cases
    .filter(({ name }) => samples.has(name))
    .map(({ name, title }) => [
      title,
      ...peers.map((peer) => cell(samples.get(name)?.get(peer.name), ({ cpu }) => cpu)),
    ]);
  return table(['', ...peers.map(({ title }) => title)], rows);
}

function caseTable(samples: Samples, peers: readonly Peer[], name: string): string {
  const rows = peers.flatMap(({ name: server, title }) => {
    const own = samples.get(name)?.get(server);
    if (!own) return [];
    const cpu = figure(own.map(({ cpu }) => cpu));
    const against = ratio(samples, name, server, 'accord');
    return [
      [
        title,
        number(cpu.median),
        `${number(cpu.least)}–${number(cpu.most)}`,
        server === 'accord' || !against ? '' : `× ${against.median.toFixed(2)}`,
        cell(own, ({ perSecond }) => perSecond),
        cell(own, ({ p50 }) => p50),
        cell(own, ({ p99 }) => p99),
        cell(own, ({ memory }) => memory / 1_000_000),
      ],
    ];
  });
  const columns = [
    '',
    'CPU µs',
    'least–most',
    'to Accord',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'memory MB',
  ];
  return table(columns, rows);
}

export function demandTable(demands: readonly Demand[]): string {
  const rows = demands.map(({ title, ratio, most, isMet }) => [
    title,
    most === 1 ? '< 1' : `≤ ${most}`,
    ratio.median.toFixed(2),
    `${ratio.least.toFixed(2)}–${ratio.most.toFixed(2)}`,
    isMet ? 'yes' : '**no**',
  ]);
  return table(
    ['Accord’s CPU as a part of the other’s', 'demanded', 'median', 'least–most', 'met'],
    rows,
  );
}

function startSection(starts: readonly Start[]): string[] {
  if (starts.length === 0) return [];
  const row = (title: string, server: 'accord' | 'fastify') => [
    title,
    span(figure(starts.map((start) => start[server].elapsed))),
    span(figure(starts.map((start) => start[server].cpu))),
  ];
  const rows = [row('Accord', 'accord'), row('Fastify + fastify-openapi-glue', 'fastify')];
  return [
    '## From start to first answer',
    `The median of ${starts.length} starts in turn, and the least and the greatest.`,
    table(['', 'ms', 'CPU ms'], rows),
  ];
}

function span({ median, least, most }: Figure): string {
  return `${number(median)} (${number(least)}–${number(most)})`;
}

function cell(samples: readonly Sample[] | undefined, of: (sample: Sample) => number): string {
  return samples ? number(figure(samples.map(of)).median) : '–';
}

function number(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString('en', {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, i) => (i === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map(line).join('\n');
}
