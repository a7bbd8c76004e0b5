import type { Demand } from './acceptance.ts';
import type { Case } from './cases.ts';
import type { Engine } from './engines.ts';
import {
  capacity,
  type Figure,
  figure,
  type Metric,
  perPair,
  ratio,
  type Samples,
  wholeCpu,
} from './figures.ts';
import { number, span, table } from './markdown.ts';
import type { Work } from './pairs.ts';
import { conditions, demandTable } from './report.ts';

type Measured = {
  readonly name: string;
  readonly title: string;
  readonly sizes: readonly number[];
  readonly cases: readonly Case[];
  /** By case and size. */
  readonly samples: Samples;
};

/** What was measured in one dimension. */
export type Grown = Measured & {
  /** A metric at a size, by default the largest, as a multiple of what it is at the smallest. */
  growth(name: string, of: Metric, size?: number): Figure | undefined;
};

export function growthOf(measured: Measured): Grown {
  const { sizes, samples } = measured;
  return {
    ...measured,
    growth: (name, of, size = sizes.at(-1)) =>
      ratio(samples, name, [String(size), String(sizes[0])], of),
  };
}

export function growthReport(
  engine: Engine,
  grown: readonly Grown[],
  demands: readonly Demand[],
  work: Work,
): string {
  return [
    `# How the cost of a request grows, on ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
    conditions(work),
    '![Cost by records, paths, types, clients and workers](growth.svg)',
    demandTable(demands),
    'Microseconds of CPU per request with the interval of the pairs, and as a multiple of the smallest size in the same round.',
    ...grown.flatMap((each) => [`## By ${each.title}`, growthTable(each)]),
    '',
  ].join('\n\n');
}

function growthTable({ title, sizes, cases, samples, growth }: Grown): string {
  const [first] = cases;
  const rows = sizes.map((size) => {
    const pairs = (name = '') => samples.get(name)?.get(String(size)) ?? [];
    const median = (of: Metric, name = first?.name) =>
      number(figure(perPair(pairs(name), of)).median);
    return [
      size.toLocaleString('en'),
      ...cases.flatMap(({ name }) => [
        span(figure(perPair(pairs(name), wholeCpu))),
        `× ${growth(name, wholeCpu, size)?.median.toFixed(2)}`,
      ]),
      median(({ perSecond }) => perSecond),
      median(capacity),
      median(({ p99 }) => p99),
      // After all cases.
      median(({ memory }) => memory / 1_000_000, cases.at(-1)?.name),
    ];
  });
  const costs = cases.flatMap((each) => [`${each.title}, µs`, '']);
  const heads = ['requests/s', 'per second of CPU', 'p99 ms', 'memory MB'];
  return table([title, ...costs, ...heads], rows);
}
