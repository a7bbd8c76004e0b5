import type { GraphQLSchema } from 'graphql';
import { stringify } from 'yaml';
import { type Document, pointer, valueAt } from '../../contract/openapi-document.ts';
import type { Change } from './change.ts';

/** A line of a contract: as it was, as it is, or in both. */
export type Line = { readonly sign: '-' | '+' | ' '; readonly text: string };

const MOST = 600;
const AROUND = 2;

/** The lines of two texts that differ, with a few around them; none where the texts are too long to compare. */
export function changedLines(before: string, after: string): Line[] {
  const [old, now] = [before, after].map((text) => (text === '' ? [] : text.trimEnd().split('\n')));
  if (!old || !now || before === after) return [];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end))
    end++;
  const middle = lines(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const same = (all: readonly string[]): Line[] => all.map((text) => ({ sign: ' ', text }));
  return near([...same(now.slice(0, start)), ...middle, ...same(now.slice(now.length - end))]);
}

/** The longest common subsequence, by the usual table. */
function lines(old: readonly string[], now: readonly string[]): Line[] {
  const gone = (text: string): Line => ({ sign: '-', text });
  const come = (text: string): Line => ({ sign: '+', text });
  if (old.length > MOST || now.length > MOST) return [...old.map(gone), ...now.map(come)];
  const width = now.length + 1;
  const table = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      table[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [a, b] = [old[i], now[j]];
    if (a !== undefined && a === b) {
      found.push({ sign: ' ', text: a });
      i++;
      j++;
    } else if (a !== undefined && (b === undefined || at(i + 1, j) >= at(i, j + 1))) {
      found.push(gone(a));
      i++;
    } else {
      found.push(come(b ?? ''));
      j++;
    }
  }
  return found;
}

function near(all: readonly Line[]): Line[] {
  const isNear = (i: number) =>
    all.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({ sign }) => sign !== ' ');
  return all.flatMap((line, i) => {
    if (isNear(i)) return [line];
    return isNear(i - 1) ? [{ sign: ' ', text: '…' }] : [];
  });
}

/** The text of a part of a REST description: the operation or the component that a place lies in. */
export function restText(document: Document | undefined, place: string): string {
  const names = pointer(place);
  const value = document && valueAt(document, names.slice(0, 3));
  return value === undefined
    ? ''
    : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** The text of the definition in an SDL that a place lies in: of a root, the field alone. */
export function sdlText(schema: GraphQLSchema | undefined, { place, subject }: Change): string {
  const [name = '', member = ''] = place.split('.');
  const type = schema?.getType(name);
  const field = type && 'getFields' in type ? type.getFields()[member] : undefined;
  const loc = (subject.kind === 'operation' ? field?.astNode : type?.astNode)?.loc;
  return loc ? loc.source.body.slice(loc.start, loc.end) : '';
}
