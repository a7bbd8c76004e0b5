import { type Change, gravest, type Level, levels, type Reader, type Subject } from './change.ts';
import { changedLines, type Line, restText, sdlText } from './raw-lines.ts';
import type { createReach } from './reach.ts';
import type { MethodChange } from './sdk-diff.ts';
import type { Shown } from './shown-exchanges.ts';
import type { Sides } from './sides.ts';
import { graphqlRows, type Rows, restRows } from './subject-rows.ts';
import type { Usage, Use } from './usage.ts';
import type { Reviewed } from './verdict.ts';

/** One operation or type with all that changed in it. */
export type Section = {
  readonly subject: Subject;
  readonly contract: Change['contract'];
  readonly level: Level;
  readonly readers: readonly Reader[];
  readonly changes: readonly Reviewed[];
  readonly rows: readonly Row[];
  /** Rows that are what they were and are not shown. */
  readonly unchanged: number;
  /** The operations whose requests and whose answers have a shared part. */
  readonly reach: { readonly sentIn: readonly string[]; readonly answeredBy: readonly string[] };
  readonly lines: readonly Line[];
  readonly methods: readonly MethodChange[];
  readonly exchange: Shown | undefined;
  readonly use: Use | undefined;
};

export type Row = {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly mark: 'new' | 'gone' | 'changed' | '';
};

type Parts = Sides & {
  readonly changes: readonly Reviewed[];
  readonly reach: ReturnType<typeof createReach>;
  readonly methods: readonly MethodChange[];
  readonly shown: ReadonlyMap<string, Shown>;
  readonly usage: Usage;
};

/** The changes by operation and by type, the gravest first; those of words alone last. */
export function createSections(parts: Parts): Section[] {
  const { changes, documents, schemas, reach, methods, shown, usage } = parts;
  const groups = Map.groupBy(
    changes,
    ({ contract, subject }) =>
      `${contract === 'GraphQL' ? 'GraphQL' : 'REST'} ${subject.kind} ${subject.name}`,
  );
  const sections = [...groups.values()].flatMap((all): Section[] => {
    const [first] = all;
    if (!first) return [];
    const { subject } = first;
    const contract = first.contract === 'SDK' ? 'OpenAPI' : first.contract;
    const isRest = contract === 'OpenAPI';
    const isWording = all.every((each) => each.isWording);
    const old = isRest ? restRows(documents.before, subject) : graphqlRows(schemas.before, subject);
    const now = isRest ? restRows(documents.after, subject) : graphqlRows(schemas.after, subject);
    const rows = isWording ? [] : rowsOf(old, now);
    const { request, response } = reach(first.place);
    const own = methods.filter(({ operation }) => isRest && operation === subject.name);
    return [
      {
        ...{ subject, contract, changes: all, rows: rows.filter(({ mark }) => mark !== '') },
        level: gravest(all.map(({ level }) => level)),
        readers: [...new Set(all.flatMap((each) => each.readers))],
        unchanged: rows.filter(({ mark }) => mark === '').length,
        reach:
          subject.kind === 'type' && isRest
            ? { sentIn: [...request], answeredBy: [...response] }
            : { sentIn: [], answeredBy: [] },
        lines: isWording ? [] : linesOf(first, parts),
        methods: own,
        exchange: shown.get(subject.name),
        use: usage.get(subject.name) ?? usage.get(operationId(documents, subject.name)),
      },
    ];
  });
  return sections.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ level, subject, changes }: Section): number {
  const kinds = ['api', 'operation', 'type'];
  const isWording = changes.every((each) => each.isWording);
  return levels.indexOf(level) * 10 + kinds.indexOf(subject.kind) + (isWording ? 100 : 0);
}

function rowsOf(old: Rows, now: Rows): Row[] {
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names.map((name) => {
    const [before, after] = [old.get(name), now.get(name)];
    const mark =
      before === undefined
        ? 'new'
        : after === undefined
          ? 'gone'
          : before === after
            ? ''
            : 'changed';
    return { name, before: before ?? '', after: after ?? '', mark };
  });
}

function linesOf(change: Reviewed, { documents, schemas }: Sides): Line[] {
  if (change.contract === 'GraphQL') {
    return changedLines(sdlText(schemas.before, change), sdlText(schemas.after, change));
  }
  const { place } = change;
  return place.startsWith('#/')
    ? changedLines(restText(documents.before, place), restText(documents.after, place))
    : [];
}

function operationId({ before, after }: Sides['documents'], name: string): string {
  const [method = '', path = ''] = name.split(' ');
  const ids = [after, before].map(
    (each) => Object(Object(each?.paths[path])[method.toLowerCase()]).operationId,
  );
  return String(ids.find((each) => each !== undefined) ?? '');
}
