import type { Json, JsonStream } from '../json-text.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Column } from './columns.ts';

export type Identified = { readonly id: number };

/** What lists of a table can be asked: the fields that it declares for filters and for sorting. */
export type Listable = {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly filter: readonly Column[];
  readonly sort: readonly Column[];
};

/** What every table offers. What is not there is `undefined`; only a broken rule throws. */
export type Readable<R> = {
  readonly listable: Listable;
  find(id: number): MaybePromise<R | undefined>;
  /** Those of these records that are there, in order of id. */
  findAll(ids: readonly number[]): MaybePromise<R[]>;
  page(page: Page<R>): MaybePromise<R[]>;
  /** Where a list in this order continues after a record. */
  cursor(record: R, sort?: Sort<R>): Cursor;
  /** How many characters the text fields of a record have. */
  textLength(record: R): number;
  /** The records by one that they refer to; the field is declared with `references`. */
  by(field: Exclude<keyof R, 'id'> & string): ChildRecords<R>;
};

/** Which records, and in which order: that of their ids where no other is asked for. */
export type Question<R> = {
  readonly where?: Where<R> | undefined;
  readonly sort?: Sort<R> | undefined;
};

/** Conditions, all of which a record meets. Only fields that the table declares as filters take them. */
export type Where<R> = { readonly [Field in keyof R]?: Comparison<R[Field]> | undefined };

/**
 * Text is compared by code point; `contains` is exact, case included. A record without a value meets no
 * condition but `eq: null`.
 */
export type Comparison<T> = {
  readonly eq?: Exclude<T, undefined> | null | undefined;
  readonly in?: readonly NonNullable<T>[] | undefined;
  readonly gt?: NonNullable<T> | undefined;
  readonly gte?: NonNullable<T> | undefined;
  readonly lt?: NonNullable<T> | undefined;
  readonly lte?: NonNullable<T> | undefined;
  readonly contains?: (T extends string ? string : never) | undefined;
};

/**
 * Fields that the table declares for sorting, and `id`. Ties are in the order of their ids, which has the
 * direction of the last field, so that an index has it. Records without a value are the lowest.
 */
export type Sort<R> = readonly SortField<R>[];

export type SortField<R> = {
  readonly field: keyof R & string;
  readonly isDescending?: boolean | undefined;
};

/** Where a list continues: after an id, or in another order after the record that an opaque text stands for. */
export type Cursor = number | string;

/** At most `limit` records of a list, from its start or after a record that was read before. */
export type Page<R> = Question<R> & {
  readonly limit: number;
  readonly after?: R | Cursor | undefined;
};

/**
 * Children in order of the parents' ids and then in their own. `first` and `start` are about the children of
 * each parent, `limit` and `after` about all of them.
 */
export type ChildPage<R> = Question<R> & {
  readonly limit: number;
  readonly after?: R | undefined;
  /** At most so many of each parent. */
  readonly first?: number | undefined;
  /** Where the list of each parent starts. */
  readonly start?: Cursor | undefined;
};

/** The records that refer to others by one field. */
export type ChildRecords<R> = {
  readonly listable: Listable;
  /** The field that refers. */
  readonly field: string;
  /** The children of many parents. */
  ofParents(ids: readonly number[], page: ChildPage<R>): MaybePromise<R[]>;
  parentId(record: R): number;
  textLength(record: R): number;
};

/**
 * Records without versions. A reference to a record that is not there is not-found, a value of a unique field
 * that another record has is a conflict, and so is the removal of a record that others refer to, unless they
 * are declared to go with it. `brokenReferenceOf` tells which relation it was.
 */
export type Records<R, Input = Omit<R, 'id'>> = Readable<R> & {
  create(fields: Input): Promise<R>;
  update(id: number, changes: Partial<Omit<R, 'id'>>): Promise<R | undefined>;
  /** Whether there was such a record. */
  remove(id: number): Promise<boolean>;
};

/** Records with versions, and their JSON text as the database writes it. References as in `Records`. */
export type Collection<R, Input = Omit<R, 'id'>> = Readable<R> & {
  list(range: Range<R>): MaybePromise<Listing<R>>;
  get(id: number): MaybePromise<Stored<R> | undefined>;
  /** Under an idempotency key that was used with the same fields, the record as it was stored then. */
  create(fields: Input, key?: Key): Promise<Stored<R>>;
  /** A record that is there but does not meet the condition is precondition-failed. */
  replace(id: number, fields: Input, condition?: Condition): Promise<Stored<R> | undefined>;
  /** Whether there was such a record. */
  remove(id: number, condition?: Condition): Promise<boolean>;
};

/** An idempotency key, in the namespace of its caller. */
export type Key = { readonly caller: string; readonly key: string };

/** A record as it is stored; its version changes with every write. */
export type Stored<R> = { readonly id: number; readonly version: number; readonly json: Json<R> };

/** Which versions of a record a write may change: one among these, and none of those. */
export type Condition = {
  readonly among: readonly number[] | undefined;
  readonly notAmong: readonly number[] | 'any';
};

/** A list, or as much of it as the limit says. */
export type Range<R> = Question<R> & {
  readonly after?: Cursor | undefined;
  readonly limit?: number | undefined;
};

/**
 * Records in their order. A long list is streamed in pieces, each read by a statement of its own: it shows
 * each record as it was when its piece was read.
 */
export type Listing<R> = {
  readonly body: Json<R[]> | JsonStream<R[]>;
  /** Where to continue, when the limit left records out. */
  readonly next: Cursor | undefined;
};

export type StoreControls = {
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
