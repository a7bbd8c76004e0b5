import { capacity, type Metric, wholeCpu } from './figures.ts';
import type { Grown } from './growth-report.ts';
import { svg, text } from './svg.ts';

const [COLUMNS, PANEL_WIDTH, PANEL_HEIGHT] = [3, 280, 190];
const [LEFT, TOP, WIDTH, HEIGHT] = [34, 36, 220, 112];
const kinds = ['first', 'second', 'third'];

/** A panel for each dimension: the cost of each case as a multiple of that at the smallest size. */
export function growthChart(grown: readonly Grown[]): string {
  const panels = grown.map((each, i) => {
    const [x, y] = [(i % COLUMNS) * PANEL_WIDTH, 56 + Math.floor(i / COLUMNS) * PANEL_HEIGHT];
    return `<g transform="translate(${x} ${y})">\n${panel(each)}\n</g>`;
  });
  const legend = (grown[0]?.cases ?? []).map(({ title }, i) => {
    const x = LEFT + i * 200;
    return `<path class="curve ${kinds[i]}" d="M${x} 40h18"/>${text(x + 24, 44, title, 'legend')}`;
  });
  const title = text(0, 16, 'CPU per request as a multiple of the smallest', 'title');
  const height = 56 + Math.ceil(grown.length / COLUMNS) * PANEL_HEIGHT;
  const label = 'Cost of a request by records, paths, types, clients and workers';
  return svg(COLUMNS * PANEL_WIDTH, height, label, [title, ...legend, ...panels]);
}

function panel({ name, title, sizes, cases, growth }: Grown): string {
  // More workers do not make a request cheaper, but serve more of them.
  const of: Metric = name === 'workers' ? capacity : wholeCpu;
  const curves = cases.map((each) =>
    sizes.map((size) => growth(each.name, of, size)?.median ?? Number.NaN),
  );
  const most = Math.max(2, ...curves.flat().filter(Number.isFinite));
  const x = (i: number) => LEFT + (i * WIDTH) / Math.max(1, sizes.length - 1);
  const y = (value: number) => TOP + HEIGHT - (value / most) * HEIGHT;
  const line = (value: number) =>
    `<path class="axis" d="M${LEFT} ${y(value).toFixed(1)}h${WIDTH}"/>${text(LEFT - 6, y(value) + 4, `× ${value.toFixed(value % 1 ? 1 : 0)}`, 'name')}`;
  const path = (values: readonly number[], kind = '') => {
    const points = values.map((value, i) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`);
    return `<path class="curve ${kind}" d="M${points.join('L')}"/>`;
  };
  const heading = name === 'workers' ? `${title}: requests per second of CPU` : title;
  return [
    text(LEFT, 22, heading, 'case'),
    ...[0, 1, most].map(line),
    ...curves.map((values, i) => path(values, kinds[i])),
    ...sizes.map((size, i) => text(x(i), TOP + HEIGHT + 16, size.toLocaleString('en'), 'middle')),
  ].join('\n');
}
