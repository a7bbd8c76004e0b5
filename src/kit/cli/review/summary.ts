import type { Change, Level } from './change.ts';
import { nothing, type Reach } from './reach.ts';
import { listText } from './schema-text.ts';
import type { Sides } from './sides.ts';
import { newsOf } from './summary-news.ts';
import { counted } from './verdict.ts';

type ReachOf = (change: Change) => Reach;

export type Noticed = { readonly level: Level; readonly text: string };

/** What the changes come to, in at most so many sentences that a product manager understands. */
export function summaryOf(
  changes: readonly Change[],
  documents: Sides['documents'],
  reach: ReachOf,
  most = 5,
): string[] {
  const real = changes.filter(({ isWording }) => !isWording);
  const wording = changes.length - real.length;
  const [breaking, decision] = [atLevel(real, 'breaking'), atLevel(real, 'decision')];
  const safe = atLevel(real, 'safe');
  const taken = new Set<Change>();
  const news = newsOf(safe, documents, taken);
  const rest = safe.filter((change) => !taken.has(change) && !/^type-/.test(change.rule)).length;
  const last = [
    ...(rest > 0 ? [`${counted(rest, 'further change is', 'further changes are')} safe.`] : []),
    ...(wording > 0
      ? [`${counted(wording, 'text is', 'texts are')} reworded, which no program notices.`]
      : []),
  ];
  const tail = last.length > 0 ? [last.join(' ').replace('. ', ', and ')] : [];
  const isBoth = breaking.length > 0 && decision.length > 0;
  const room = most - tail.length - Math.min(isBoth ? 1 : 2, news.length);
  const [some, others] = decision.length > 0 ? [Math.max(1, room - 1), 1] : [room, 0];
  const first = [
    ...gathered(breaking, reach, some, 'breaks clients', 'break clients'),
    ...gathered(
      decision,
      reach,
      breaking.length > 0 ? others : room,
      'needs a decision',
      'need a decision',
    ),
  ];
  const left = most - first.length - tail.length;
  return [...first, ...news.slice(0, Math.max(0, left)), ...tail].slice(0, most + 1);
}

function atLevel(changes: readonly Change[], level: Change['level']): Change[] {
  return changes.filter((change) => change.level === level);
}

/** Some of the changes in words, and the others by number and place. */
function gathered(
  changes: readonly Change[],
  reach: ReachOf,
  most: number,
  one: string,
  many: string,
): string[] {
  const groups = groupsOf(changes);
  const say = (group: readonly Change[]) => sentenceOf(group, reach);
  if (groups.length <= most) return groups.map(say);
  const [shown, rest] = [
    groups.slice(0, Math.max(0, most - 1)),
    groups.slice(Math.max(0, most - 1)).flat(),
  ];
  const where = listText([...new Set(rest.map(({ subject }) => subject.name))], 4);
  const count = `${rest.length} ${shown.length > 0 ? 'further ' : ''}${rest.length === 1 ? `change ${one}` : `changes ${many}`}`;
  return [...shown.map(say), `${count}: in ${where}.`];
}

/** What clients may notice: one sentence for changes of one kind in the same part of several operations. */
export function noticed(changes: readonly Change[], reach: ReachOf): Noticed[] {
  return (['breaking', 'decision'] as const).flatMap((level) =>
    groupsOf(atLevel(changes, level)).map((group) => ({ level, text: sentenceOf(group, reach) })),
  );
}

function groupsOf(changes: readonly Change[]): Change[][] {
  const keyOf = ({ contract, rule, part, subject, message }: Change) => {
    if (subject.kind !== 'operation') return message;
    return part === '' ? message.replaceAll(subject.name, '') : `${contract} ${rule} ${part}`;
  };
  // What is gone first, then operations, then types.
  const rank = ({ rule, subject }: Change) =>
    subject.kind !== 'operation' ? 2 : /(removed|moved)$/.test(rule) ? 0 : 1;
  return [
    ...Map.groupBy(
      changes.toSorted((a, b) => rank(a) - rank(b)),
      keyOf,
    ).values(),
  ];
}

function sentenceOf(changes: readonly Change[], reach: ReachOf): string {
  const [first, ...others] = [
    ...new Map(changes.map((each) => [each.subject.name, each])).values(),
  ];
  const names = others.map(({ subject }) => subject.name);
  const { request, response } = first ? reach(first) : nothing;
  return [
    first?.brief ?? first?.message ?? '',
    ...(names.length > 0 ? [`Likewise for ${listText(names, 3)}.`] : []),
    ...(request.size > 0 ? [`Sent in ${listText([...request], 3)}.`] : []),
    ...(response.size > 0 ? [`Answered by ${listText([...response], 3)}.`] : []),
  ].join(' ');
}
