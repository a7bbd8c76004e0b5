import type { Json, JsonStream } from '../json-text.ts';
import type { MaybePromise } from '../maybe-promise.ts';

export type Identified = { readonly id: number };

/** What every table offers. What is not there is `undefined`; only a broken rule throws. */
export type Readable<R> = {
  find(id: number): MaybePromise<R | undefined>;
  /** Records in order of id. */
  page(page: Page<R>): MaybePromise<R[]>;
  /** How many characters the text fields of a record have. */
  textLength(record: R): number;
};

/** At most `limit` records of a list, from its start or after a record that was read before. */
export type Page<R> = { readonly limit: number; readonly after?: R | undefined };

export type Records<R> = Readable<R> & {
  /** A value of a unique field that another record has is a conflict. */
  create(fields: Omit<R, 'id'>): Promise<R>;
  update(id: number, changes: Partial<Omit<R, 'id'>>): Promise<R | undefined>;
};

export type ChildRecords<R> = Readable<R> & {
  /** The children of many parents, in order of the parents' ids and then of their own. */
  ofParents(ids: readonly number[], page: Page<R>): MaybePromise<R[]>;
  parentId(record: R): number;
  /** Undefined when there is no such parent. */
  create(fields: Omit<R, 'id'>): Promise<R | undefined>;
  update(id: number, changes: Partial<Omit<R, 'id'>>): Promise<R | undefined>;
};

/** Records with versions, and their JSON text as the database writes it. */
export type Collection<R> = Readable<R> & {
  list(range: Range): MaybePromise<Listing<R>>;
  get(id: number): MaybePromise<Stored<R> | undefined>;
  /** Under an idempotency key that was used with the same fields, the record as it was stored then. */
  create(fields: Omit<R, 'id'>, key?: Key): Promise<Stored<R>>;
  /** A record that is there but does not meet the condition is precondition-failed. */
  replace(id: number, fields: Omit<R, 'id'>, condition?: Condition): Promise<Stored<R> | undefined>;
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

export type Range = { readonly after?: number | undefined; readonly limit?: number | undefined };

/**
 * Records in order of id. A long list is streamed in pieces, each read by a statement of its own: it shows
 * each record as it was when its piece was read.
 */
export type Listing<R> = {
  readonly body: Json<R[]> | JsonStream<R[]>;
  /** The id to continue after, when the limit left records out. */
  readonly next: number | undefined;
};

export type StoreControls = {
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
