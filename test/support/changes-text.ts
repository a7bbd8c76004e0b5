import type { Contracts } from '../../src/kit/cli/contract/contract-texts.ts';
import type { Change } from '../../src/kit/cli/review/change.ts';
import { contractChanges } from '../../src/kit/cli/review/diff.ts';

/** All that is said of each change between two contracts, a line each. */
export async function changesText(
  before: Partial<Contracts>,
  after: Partial<Contracts>,
): Promise<string> {
  const none = { openapi: '', sdl: '' };
  const changes = await contractChanges(
    { name: 'before', ...none, ...before },
    { name: 'after', ...none, ...after },
  );
  return changes.map((change) => `${changeText(change)}\n`).join('');
}

function changeText(change: Change): string {
  const { level, rule, subject, part, place, message, brief, before, after, readers } = change;
  const marks = Object.entries({
    words: change.isWording,
    gone: change.isGone,
    looser: change.isLooser,
  }).flatMap(([mark, isSet]) => (isSet ? [mark] : []));
  return [
    `${[level, ...marks, rule].join(' ')} | ${subject.kind} ${subject.name} | ${part} | ${place}`,
    `  ${message}${brief === undefined || brief === message ? '' : `\n  in short: ${brief}`}`,
    `  ${JSON.stringify(before) ?? '-'} → ${JSON.stringify(after) ?? '-'} for ${readers.join(', ')}`,
  ].join('\n');
}
