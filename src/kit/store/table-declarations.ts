import type { Columns } from './column-declarations.ts';
import type { AnyColumns } from './columns.ts';
import type { Collection, Identified, Records, StoreControls } from './store.ts';

declare const record: unique symbol;
declare const input: unique symbol;

/** One kind of record, as `collection` or `records` declares it. */
export type TableDeclaration<Kind extends string = string, R = Identified, Input = never> = {
  readonly kind: Kind;
  readonly columns: AnyColumns;
  readonly unique: readonly string[];
  readonly filter: readonly string[];
  readonly sort: readonly string[];
  /** For the compiler: the record that a row is, and what it is made of. */
  readonly [record]?: R;
  readonly [input]?: (fields: Input) => void;
};

export type CollectionTable<R = Identified, Input = never> = TableDeclaration<
  'collection',
  R,
  Input
>;

export type RecordsTable<R = Identified, Input = never> = TableDeclaration<'records', R, Input>;

/** Tables by name. */
export type Tables = Readonly<Record<string, CollectionTable | RecordsTable>>;

/** The record of a table. */
export type RecordOf<T> = T extends { readonly [record]?: infer R extends Identified } ? R : never;

/** What a record of a table is made of. */
export type InputOf<T> = T extends { readonly [input]?: (fields: infer Input) => void }
  ? Input
  : never;

/** A store with these tables. */
export type StoreOf<T extends Tables> = StoreControls & {
  readonly [Name in keyof T]: T[Name] extends CollectionTable
    ? Collection<RecordOf<T[Name]>, InputOf<T[Name]>>
    : Records<RecordOf<T[Name]>, InputOf<T[Name]>>;
};

export type TableOptions<R> = {
  /** Fields of which no two records may have the same value: a second one is a conflict. */
  readonly unique?: readonly Field<R>[];
  /** Fields by which lists can be filtered; each has an index. */
  readonly filter?: readonly Field<R>[];
  /** Fields by which lists can be sorted, beside `id`; each has an index. */
  readonly sort?: readonly Field<R>[];
};

// Arrays and objects are not compared.
type Field<R> = {
  [Name in Exclude<keyof R, 'id'> & string]-?: Exclude<R[Name], null | undefined> extends Scalar
    ? Name
    : never;
}[Exclude<keyof R, 'id'> & string];

type Scalar = string | number | boolean;

/** A collection of REST: beside `id` its table has `version`, for entity tags. */
export function collection<R extends Identified, Input = Omit<R, 'id'>>(
  columns: Columns<R, Input>,
  options: TableOptions<R> = {},
): CollectionTable<R, Input> {
  return { kind: 'collection', ...declared(columns, options) };
}

/** Plain records. */
export function records<R extends Identified, Input = Omit<R, 'id'>>(
  columns: Columns<R, Input>,
  options: TableOptions<R> = {},
): RecordsTable<R, Input> {
  return { kind: 'records', ...declared(columns, options) };
}

function declared<R, Input>(
  columns: Columns<R, Input>,
  { unique = [], filter = [], sort = [] }: TableOptions<R>,
) {
  // The values of Columns are columns or never; of a generic record the compiler cannot tell.
  return { columns: columns as AnyColumns, unique, filter, sort };
}
