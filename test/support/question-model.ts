import type { Comparison, Question, SortField } from '../../src/kit/store/store.ts';

type AnyRecord = { readonly id: number; readonly [field: string]: unknown };
type Compared = string | number | boolean | null;

/** The records that a question asks for, in its order, as a plain list in memory tells them. */
export function answerOf<R extends AnyRecord>(records: readonly R[], question: Question<R>): R[] {
  const { where = {}, sort = [] } = question;
  const tests = Object.entries<Comparison<unknown> | undefined>(where);
  const last = sort.find(({ field }) => field === 'id') ?? sort.at(-1);
  const order: readonly SortField<R>[] = [
    ...sort,
    { field: 'id', isDescending: last?.isDescending },
  ];
  return records
    .filter((record) => tests.every(([field, test]) => meets(value(record, field), test ?? {})))
    .toSorted((a, b) => {
      for (const { field, isDescending } of order) {
        const difference = compare(value(a, field), value(b, field));
        if (difference !== 0) return isDescending ? -difference : difference;
      }
      return 0;
    });
}

function value(record: AnyRecord, field: string): Compared {
  return comparable(record[field] ?? null);
}

// Without the Z the order of these texts is that of their instants.
function comparable(value: unknown): Compared {
  if (typeof value !== 'string' || !/T\d\d:/.test(value)) return value as Compared;
  const [, text = value, fraction = '', offset] =
    value.match(/^(.*?)(\.\d+)?(Z|\+\d\d:\d\d)$/) ?? [];
  if (offset === 'Z') return `${text}${fraction}`;
  return `${new Date(`${text}${offset}`).toISOString().slice(0, 19)}${fraction}`;
}

function meets(value: Compared, test: Comparison<unknown>): boolean {
  const { eq, in: among, contains } = test;
  const holds = (bound: unknown, is: (difference: number) => boolean) =>
    bound === undefined || (value !== null && is(compare(value, comparable(bound))));
  return (
    (eq === undefined || value === comparable(eq)) &&
    (among === undefined || among.some((each) => value !== null && value === comparable(each))) &&
    (contains === undefined || (value !== null && String(value).includes(contains))) &&
    holds(test.gt, (difference) => difference > 0) &&
    holds(test.gte, (difference) => difference >= 0) &&
    holds(test.lt, (difference) => difference < 0) &&
    holds(test.lte, (difference) => difference <= 0)
  );
}

/** Null is the lowest, and text is compared by code point. */
function compare(a: Compared, b: Compared): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  return a < b ? -1 : 1;
}
