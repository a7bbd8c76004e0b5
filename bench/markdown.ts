import type { Figure, Limit } from './figures.ts';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, i) => (i === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map(line).join('\n');
}

/** Three digits that count, with separators. */
export function number(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString('en', {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  });
}

export function interval({ low, high }: Figure): string {
  return `${number(low)}–${number(high)}`;
}

export function span(given: Figure): string {
  return `${number(given.median)} (${interval(given)})`;
}

export function limitText({ most, below, least }: Limit): string {
  if (below !== undefined) return `< ${below}`;
  return most === undefined ? `≥ ${least}` : `≤ ${most}`;
}
