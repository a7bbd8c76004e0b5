import { present } from '../errors.ts';
import type { AnyRecord, Column } from '../store/columns.ts';
import { columnIn } from '../store/listable.ts';
import type { Listable, Question, SortField } from '../store/store.ts';
import { codedError } from './graphql-errors.ts';

/** The arguments that a field with a list may have, all of them optional. */
export type ListArguments = {
  /** Conditions by field, such as `{ size: { gte: 1 } }`. */
  readonly where?: object | null | undefined;
  /** Values of an enum: `CREATED_AT` is the field `createdAt`, `CREATED_AT_DESC` the same from the highest on. */
  readonly sort?: string | readonly string[] | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
};

/** What the arguments of a list ask for. */
export type AskedList = Question<AnyRecord> & {
  readonly first: number | undefined;
  readonly after: string | undefined;
};

export function askedByArguments(listable: Listable, args: ListArguments): AskedList {
  const { where, sort, first, after } = args;
  if ((first ?? 0) < 0) throw refused('first', 'must not be negative');
  return {
    where: where ? conditionsOf(listable, where) : undefined,
    // At start each value was compared with the table.
    sort: sort ? [sort].flat().map((value) => present(sortField(listable, value))) : undefined,
    first: first ?? undefined,
    after: after ?? undefined,
  };
}

/** The order that a value of a sort argument names; undefined where the table does not declare it. */
export function sortField({ sort }: Listable, value: string): SortField<AnyRecord> | undefined {
  const fields = ['id', ...sort.map(({ field }) => field)];
  const find = (name: string) => fields.find((field) => enumValue(field) === name);
  const ascending = find(value);
  const field = ascending ?? find(value.replace(/_DESC$/, ''));
  return field === undefined ? undefined : { field, isDescending: ascending === undefined };
}

/** `createdAt` in the case of enum values: `CREATED_AT`. */
function enumValue(field: string): string {
  return field.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();
}

function conditionsOf({ filter }: Listable, where: object): Question<AnyRecord>['where'] {
  const conditions = Object.entries(where).map(([field, comparison]) => {
    if (comparison === null) throw refused(`where.${field}`, 'must not be null');
    const column = columnIn(filter, field);
    const tests = Object.entries(comparison).map(([operator, value]) => {
      // A condition that null silently takes away would show records that nobody asked for.
      if (value === null && (operator !== 'eq' || column?.absent === 'never')) {
        throw refused(`where.${field}.${operator}`, 'must not be null');
      }
      return [operator, comparable(column, value)];
    });
    return [field, Object.fromEntries(tests)];
  });
  return Object.fromEntries(conditions);
}

/** An ID is text, whatever the column holds. */
function comparable(column: Column | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => comparable(column, each));
  if (column?.type !== 'integer' || typeof value !== 'string') return value;
  // Another text is refused as no integer.
  return /^-?[0-9]{1,16}$/.test(value) ? Number(value) : Number.NaN;
}

function refused(path: string, message: string): Error {
  return codedError('BAD_USER_INPUT', `Argument "${path}" ${message}.`);
}
