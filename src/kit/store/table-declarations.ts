import type { AnyColumns, Columns } from './columns.ts';
import type { ChildRecords, Collection, Identified, Records, StoreControls } from './store.ts';

declare const record: unique symbol;

type Declared<Kind extends string, R> = {
  readonly kind: Kind;
  readonly columns: AnyColumns;
  /** For the compiler: the record that a row is. */
  readonly [record]?: R;
};

export type CollectionTable<R = Identified> = Declared<'collection', R>;

export type RecordsTable<R = Identified> = Declared<'records', R> & {
  readonly unique: string | undefined;
};

export type ChildTable<R = Identified> = Declared<'children', R> & { readonly parent: Parent };

type Parent<Field = string> = {
  /** The name of the parents' table, and the field that holds the id of the parent. */
  readonly table: string;
  readonly field: Field;
};

/** Tables by name. Those that refer to another come after it. */
export type Tables = Readonly<Record<string, CollectionTable | RecordsTable | ChildTable>>;

/** The record of a table. */
export type RecordOf<T> = T extends { readonly [record]?: infer R extends Identified } ? R : never;

/** A store with these tables. */
export type StoreOf<T extends Tables> = StoreControls & {
  readonly [Name in keyof T]: T[Name] extends CollectionTable
    ? Collection<RecordOf<T[Name]>>
    : T[Name] extends ChildTable
      ? ChildRecords<RecordOf<T[Name]>>
      : Records<RecordOf<T[Name]>>;
};

/** A collection of REST: beside `id` its table has `version`, for entity tags. */
export function collection<R extends Identified>(columns: Columns<R>): CollectionTable<R> {
  return { kind: 'collection', columns: anyColumns(columns) };
}

/** Plain records. A second one with the same value of the unique field is a conflict. */
export function records<R extends Identified>(
  columns: Columns<R>,
  { unique }: { readonly unique?: Exclude<keyof R, 'id'> & string } = {},
): RecordsTable<R> {
  return { kind: 'records', columns: anyColumns(columns), unique };
}

/** Records that belong to a record of another table. */
export function children<R extends Identified>(
  columns: Columns<R>,
  parent: Parent<Exclude<keyof R, 'id'> & string>,
): ChildTable<R> {
  return { kind: 'children', columns: anyColumns(columns), parent };
}

// The values of Columns<R> are column types or never; of a generic R the compiler cannot tell.
function anyColumns<R>(columns: Columns<R>): AnyColumns {
  return columns as AnyColumns;
}
