import { inline } from '../../docs/markdown.ts';
import { type Markup, markup } from '../../docs/markup.ts';
import type { Change, Level } from './change.ts';
import type { Diff } from './diff.ts';
import { standalone } from './standalone.ts';

export const formats = ['text', 'markdown', 'html', 'json'] as const;
export type Format = (typeof formats)[number];

export function formatted(diff: Diff, format: Format): string {
  if (format === 'json') return `${JSON.stringify(diff, null, 2)}\n`;
  if (format === 'markdown') return asMarkdown(diff);
  if (format === 'html') return standalone('Contract diff', diffSection(diff));
  return asText(diff);
}

/** The verdict in a sentence. */
export function verdictLine({ verdict, changes }: Diff): string {
  if (changes.length === 0) return 'Nothing has changed.';
  const { level, asks, from, to, isMet } = verdict;
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  if (!from && !to) return `${level.toUpperCase()}: ${count}; there is no version to say so.`;
  const version = isMet ? `${from} → ${to} says so` : `the version goes from ${from} to ${to}`;
  return `${level.toUpperCase()}: ${count}, which ask for a ${asks} version; ${version}.`;
}

function asText(diff: Diff): string {
  const lines = diff.changes.map(
    ({ level, contract, message, place }) =>
      `${level.padEnd(9)}  ${contract}  ${message}\n           ${place}\n`,
  );
  return `${diff.from} → ${diff.to}\n\n${lines.join('')}${lines.length > 0 ? '\n' : ''}${verdictLine(diff)}\n`;
}

function asMarkdown(diff: Diff): string {
  const rows = diff.changes.map(
    ({ level, contract, message, place }) =>
      `| ${level} | ${contract} | ${message.replaceAll('|', '\\|')} | \`${place}\` |\n`,
  );
  const table = `| | contract | change | where |\n| --- | --- | --- | --- |\n${rows.join('')}`;
  return `## Contract diff: ${diff.from} → ${diff.to}\n\n**${verdictLine(diff)}**\n${rows.length > 0 ? `\n${table}` : ''}`;
}

/** The verdict and the changes in words and in place. */
export function diffSection(diff: Diff): Markup {
  const { changes, verdict } = diff;
  const groups: readonly Level[] = ['breaking', 'dangerous', 'safe'];
  return markup`<h1>What changes in the contracts</h1>
<p class="between">${diff.from} → ${diff.to}</p>
<p class="verdict ${changes.length > 0 ? verdict.level : 'safe'}">${verdictLine(diff)}</p>
${groups.map((level) => {
  const group = changes.filter((change) => change.level === level);
  return group.length === 0 ? '' : markup`<h2>${headings[level]}</h2>${group.map(changeEntry)}`;
})}`;
}

const headings: Readonly<Record<Level, string>> = {
  breaking: 'Breaking: a client that works today may fail',
  dangerous: 'Dangerous: a client keeps working, but may meet something new',
  safe: 'Safe: no client notices',
};

function changeEntry({ level, contract, message, place, before, after }: Change): Markup {
  const [old, now] = [before, after].map((text) => text?.split('\n') ?? []);
  const gone = old?.filter((line) => !now?.includes(line)) ?? [];
  const come = now?.filter((line) => !old?.includes(line)) ?? [];
  const inPlace = markup`<pre>${cut(gone).map((line) => markup`<del>- ${line}</del>\n`)}${cut(
    come,
  ).map((line) => markup`<ins>+ ${line}</ins>\n`)}</pre>`;
  return markup`<article class="change ${level}"><p><strong>${inline(message)}</strong></p>
<p class="place">${contract} <code>${place}</code></p>${gone.length + come.length > 0 ? inPlace : ''}</article>\n`;
}

function cut(lines: readonly string[]): readonly string[] {
  return lines.length > 12 ? [...lines.slice(0, 12), '…'] : lines;
}
