import type { Diff } from './diff.ts';

export const diffFormats = ['text', 'json'] as const;

export function diffText(diff: Diff, format: (typeof diffFormats)[number]): string {
  if (format === 'json') return `${JSON.stringify(diff, null, 2)}\n`;
  const lines = diff.changes.map(
    ({ level, contract, message, place }) =>
      `${level.padEnd(8)}  ${contract.padEnd(7)}  ${message.replaceAll('`', '')}\n${' '.repeat(19)}${place}\n`,
  );
  return `${diff.from} → ${diff.to}\n\n${lines.join('')}${lines.length > 0 ? '\n' : ''}${verdictLine(diff)}\n`;
}

/** The verdict in a sentence. */
export function verdictLine({ level, version, changes }: Diff): string {
  if (changes.length === 0) return 'Nothing has changed.';
  const { from, to, asks, isMet, due } = version;
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  if (!from && !to) return `${level.toUpperCase()}: ${count}; there is no version to say so.`;
  const said = isMet
    ? `${from} → ${to} says so`
    : `${from} → ${to} does not say so${due ? `: ${due} is due` : ''}`;
  return `${level.toUpperCase()}: ${count}, which ask for a ${asks} version; ${said}.`;
}
