import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Demand } from './acceptance.ts';
import { cases } from './cases.ts';
import type { Engine } from './engines.ts';
import {
  databaseCpu,
  figure,
  type Metric,
  perPair,
  ratio,
  type Samples,
  serverCpu,
} from './figures.ts';
import { interval, limitText, number, span, table } from './markdown.ts';
import type { Work } from './pairs.ts';
import type { Peer } from './servers.ts';
import type { Start } from './starts.ts';

export type Result = {
  readonly engine: Engine;
  readonly samples: Samples;
  readonly peers: readonly Peer[];
  readonly starts: readonly Start[];
  readonly demands: readonly Demand[];
  readonly work: Work;
};

/** What else was measured. */
function others(engine: Engine): string {
  if (engine === 'postgres') return 'On SQLite: [results.md](results.md).';
  const isThere = existsSync(new URL('results-postgres.md', import.meta.url));
  const postgres = isThere ? 'On PostgreSQL: [results-postgres.md](results-postgres.md). ' : '';
  return `${postgres}How the cost grows: [growth.md](growth.md).\n\n![Cost by records, paths, types and clients](growth.svg)`;
}

/** The whole run as Markdown. */
export function report(result: Result): string {
  const { engine, samples, peers, work } = result;
  const measured = cases.filter(({ name }) => samples.has(name));
  return [
    `# Accord and its peers on ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
    `${conditions(work)} ${others(engine)}`,
    '## CPU per request',
    'Microseconds, the median of the pairs. A dash: the server does not do this.',
    ...(engine === 'sqlite'
      ? [overview(result, serverCpu)]
      : [
          'The server:',
          overview(result, serverCpu),
          'All processes of the database, meanwhile:',
          overview(result, databaseCpu),
        ]),
    '## What is demanded',
    demandTable(result.demands),
    ...startSection(result.starts),
    ...measured.flatMap(({ name, title, clients }) => [
      `## ${title[0]?.toUpperCase()}${title.slice(1)}`,
      `${clients} clients, each of which waits for its answer.`,
      caseTable(engine, samples, peers, name),
    ]),
    '',
  ].join('\n\n');
}

/** How much was measured, and on what. */
export function conditions({ pairs, rounds, requests }: Work): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`;
  return (
    `${pairs} times fresh processes, ${rounds} rounds each, on ${machine}, Node ${process.versions.node}, ` +
    `${requests} requests of the cheapest case a round and fewer of the others. How it is measured is in [README.md](README.md).`
  );
}

function overview({ samples, peers }: Result, of: Metric): string {
  const rows = cases
    .filter(({ name }) => samples.has(name))
    .map(({ name, title }) => [
      title,
      ...peers.map((peer) => cell(samples.get(name)?.get(peer.name), of)),
    ]);
  return table(['', ...peers.map(({ title }) => title)], rows);
}

function caseTable(engine: Engine, samples: Samples, peers: readonly Peer[], name: string): string {
  const isApart = engine === 'postgres';
  const rows = peers.flatMap(({ name: server, title }) => {
    const own = samples.get(name)?.get(server);
    if (!own) return [];
    const cpu = figure(perPair(own, serverCpu));
    const against = ratio(samples, name, [server, 'accord']);
    return [
      [
        title,
        number(cpu.median),
        interval(cpu),
        ...(isApart ? [cell(own, databaseCpu)] : []),
        server === 'accord' || !against ? '' : `× ${against.median.toFixed(2)}`,
        cell(own, ({ perSecond }) => perSecond),
        cell(own, ({ p50 }) => p50),
        cell(own, ({ p99 }) => p99),
        cell(own, ({ memory }) => memory / 1_000_000),
      ],
    ];
  });
  const columns = [
    ...['', 'CPU µs', 'interval', ...(isApart ? ['database µs'] : []), 'to Accord'],
    ...['requests/s', 'p50 ms', 'p99 ms', 'memory MB'],
  ];
  return table(columns, rows);
}

export function demandTable(demands: readonly Demand[]): string {
  const rows = demands.map(({ title, ratio: found, limit, verdict }) => [
    title,
    limitText(limit),
    found.median.toFixed(2),
    `${found.low.toFixed(2)}–${found.high.toFixed(2)}`,
    verdict === 'not met' ? '**not met**' : verdict,
  ]);
  return table(['a part or multiple of the other’s', 'demanded', 'median', 'interval', ''], rows);
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
    `The median of ${starts.length} starts in turn, and its interval.`,
    table(['', 'ms', 'CPU ms'], rows),
  ];
}

function cell(pairs: Parameters<typeof perPair>[0] | undefined, of: Metric): string {
  return pairs ? number(figure(perPair(pairs, of)).median) : '–';
}
