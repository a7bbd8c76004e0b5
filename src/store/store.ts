import type { components } from '../../generated/openapi.d.ts';
import type { Json, JsonStream } from './json.ts';

type Schemas = components['schemas'];

/** The record of each collection, as the contract writes it. */
export type Records = {
  books: Schemas['Book'];
  tasks: Schemas['Task'];
  notes: Schemas['Note'];
  items: Schemas['Item'];
};

/** The collections by name, and what both engines offer beside them. */
export type Store = {
  readonly [Name in keyof Records]: Collection<Records[Name]>;
} & {
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

/** One kind of record. What is not there is `undefined`; only a broken rule throws. */
export type Collection<R extends { id: number }> = {
  list(range: Range): Promise<Listing<R>>;
  get(id: number): Promise<Stored<R> | undefined>;
  create(fields: Omit<R, 'id'>): Promise<Stored<R>>;
  /** With `versions`, only when the record's version is one of them: else precondition-failed. */
  replace(id: number, fields: Omit<R, 'id'>, versions?: Versions): Promise<Stored<R> | undefined>;
  /** Whether there was such a record. */
  remove(id: number, versions?: Versions): Promise<boolean>;
};

/** A record as it is stored; its version changes with every write. */
export type Stored<R> = { readonly id: number; readonly version: number; readonly json: Json<R> };

export type Versions = readonly number[];

export type Range = { readonly after?: number | undefined; readonly limit?: number | undefined };

/**
 * Records in order of id. A long list comes in pieces read one after another, so that it takes little
 * memory and holds up no writer: it shows each record as it was when its piece was read.
 */
export type Listing<R> = {
  readonly body: Json<R[]> | JsonStream<R[]>;
  /** The id to continue after, when the limit left records out. */
  readonly next: number | undefined;
};
