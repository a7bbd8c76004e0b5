import { ApiError } from '../errors.ts';
import { type AnyFields, quoted, sqlTypes } from './columns.ts';
import { brokenReference, type Database, type InsertedRow, isBrokenReference } from './database.ts';
import { storedValue } from './stored-value.ts';
import type { Relation, Table } from './table.ts';

/** Which relation a write would have broken, and on which side of it the write was. */
export type BrokenReference = {
  readonly kind: 'unknown' | 'referenced';
  /** The table and the field that refer. */
  readonly table: string;
  readonly field: string;
};

/** The relation that an error of the store is about. */
export function brokenReferenceOf(error: unknown): BrokenReference | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { cause } = error;
  return isReference(cause) ? cause.reference : undefined;
}

type Cause = { readonly reference: BrokenReference };

function isReference(cause: unknown): cause is Cause {
  return typeof cause === 'object' && cause !== null && 'reference' in cause;
}

export type Relations = {
  /** The values `$1`, `$2`… as a row to insert; no row where one of them breaks a rule. */
  readonly row: InsertedRow;
  /** Runs a write of these fields; undefined and a broken reference are told as what they are. */
  writing<T>(fields: AnyFields, write: () => Promise<T | undefined>): Promise<T>;
  /** Runs a write of these fields that may find no record. */
  changing<T>(fields: AnyFields, write: () => Promise<T>): Promise<T>;
  /** Runs a removal. */
  removing<T>(id: number, remove: () => Promise<T>): Promise<T>;
};

// Others may add or remove records between a refusal and the look for its reason.
const ATTEMPTS = 5;

/** The rules that a table's records keep with others, and how a write that breaks one is told. */
export function createRelations(db: Database, table: Table): Relations {
  const { columns, unique, relations, referring } = table;
  const parameter = (i: number) => `CAST($${i + 1} AS ${sqlTypes[columns[i]?.type ?? 'text']})`;
  const parameterOf = (field: string) =>
    parameter(columns.findIndex((each) => each.field === field));
  // A refused insert may use up an id, so it is not attempted; of two at the same time the table's
  // constraint refuses one.
  const conditions = [
    ...relations.map(({ column, parent }) => {
      const value = parameterOf(column.field);
      return `(${value} IS NULL OR EXISTS (SELECT 1 FROM ${quoted(parent)} WHERE id = ${value}))`;
    }),
    ...unique.map(
      ({ field, name }) =>
        `NOT EXISTS (SELECT 1 FROM ${table.sql} WHERE ${name} = ${parameterOf(field)})`,
    ),
  ];
  const names = columns.map(({ name }) => name).join();
  const hasRules = conditions.length > 0;
  const row = hasRules
    ? `(${names}) SELECT ${columns.map((_, i) => parameter(i)).join()} WHERE ${conditions.join(' AND ')}`
    : `(${names}) VALUES (${columns.map((_, i) => `$${i + 1}`).join()})`;

  const parents = relations.map((relation) => ({
    relation,
    find: db.read(`SELECT 1 FROM ${quoted(relation.parent)} WHERE id = $1`, () => {}),
  }));
  const taken = unique.map((column) => ({
    column,
    find: db.read(`SELECT 1 FROM ${table.sql} WHERE ${column.name} = $1`, () => {}),
  }));
  const children = referring
    .filter(({ onDelete }) => onDelete === 'restrict')
    .map((relation) => ({
      relation,
      find: db.read(
        `SELECT 1 FROM ${quoted(relation.child)} WHERE ${relation.column.name} = $1 LIMIT 1`,
        () => {},
      ),
    }));

  async function unknownParent(fields: AnyFields): Promise<ApiError | undefined> {
    for (const { relation, find } of parents) {
      const id = storedValue(relation.column, fields[relation.column.field]);
      if (id !== null && (await find(id)).length === 0) return unknown(relation);
    }
    return undefined;
  }

  async function takenValue(fields: AnyFields): Promise<ApiError | undefined> {
    for (const { column, find } of taken) {
      const value = storedValue(column, fields[column.field]);
      if (value !== null && (await find(value)).length > 0) return new ApiError('conflict');
    }
    return undefined;
  }

  async function knownChild(id: number): Promise<ApiError | undefined> {
    for (const { relation, find } of children) {
      if ((await find(id)).length > 0) return referenced(relation);
    }
    return undefined;
  }

  return {
    row: { sql: row, plain: hasRules ? undefined : columns },
    writing<T>(fields: AnyFields, write: () => Promise<T | undefined>) {
      const reason = async () => (await unknownParent(fields)) ?? takenValue(fields);
      const isRefused = (result: T | undefined) => result === undefined;
      // Without rules there is a row, and `explained` gives no result that is refused.
      return (hasRules ? explained(write, reason, isRefused) : write()) as Promise<T>;
    },
    changing: (fields, write) => explained(write, () => unknownParent(fields)),
    removing: (id, remove) => explained(remove, () => knownChild(id)),
  };
}

/** Runs a write; where it is refused, its reason is looked for, and without one it is tried again. */
async function explained<T>(
  write: () => Promise<T>,
  reason: () => Promise<ApiError | undefined>,
  isRefused: (result: T) => boolean = () => false,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await write().then(
      (result) => (isRefused(result) ? { error: brokenReference(undefined) } : { result }),
      (error: unknown) => {
        if (isBrokenReference(error)) return { error };
        throw error;
      },
    );
    if ('result' in outcome) return outcome.result;
    const known = await reason();
    if (known) throw known;
    if (attempt === ATTEMPTS) throw outcome.error;
  }
}

/** `userId` refers to a user. */
function unknown({ child, column: { field } }: Relation): ApiError {
  const detail = `No ${field.replace(/_?id$/i, '') || field} has this id.`;
  return refused('not-found', detail, { kind: 'unknown', table: child, field });
}

function referenced({ child, column: { field } }: Relation): ApiError {
  const detail = `Records of ${child} refer to it.`;
  return refused('conflict', detail, { kind: 'referenced', table: child, field });
}

function refused(
  code: 'not-found' | 'conflict',
  detail: string,
  reference: BrokenReference,
): ApiError {
  const cause: Cause = { reference };
  return new ApiError(code, { detail, cause });
}
