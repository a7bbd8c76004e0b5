import type { AnyRecord } from './columns.ts';
import type { Cursor, Question } from './store.ts';

/** A JSON object that one statement makes of records. */
export type JsonQuery = readonly JsonMember[];

export type JsonMember = { readonly key: string; readonly value: JsonValue };

export type JsonValue = JsonConstant | JsonColumn | JsonRecord | JsonParent | JsonList;

export type JsonConstant = { readonly kind: 'constant'; readonly text: string };

/** A field of the record. A value that has no such form declines the statement. */
export type JsonColumn = {
  readonly kind: 'column';
  readonly field: string;
  /** A list has the texts that are allowed; `id` is a text, whatever the column holds. */
  readonly as: 'text' | 'id' | 'int' | 'number' | 'boolean' | readonly string[];
  readonly isNullable: boolean;
};

type Selection = { readonly table: string; readonly members: JsonQuery };

/** The record with an id. */
export type JsonRecord = Selection & {
  readonly kind: 'record';
  /** Which of the questions it asks. */
  readonly at: number;
  readonly isNullable: boolean;
};

/** The record that a field refers to. */
export type JsonParent = Selection & {
  readonly kind: 'parent';
  readonly field: string;
  readonly isNullable: boolean;
};

/** The records of a table, or those that refer to the record by a field. */
export type JsonList = Selection & {
  readonly kind: 'list';
  readonly at: number;
  readonly parent: string | undefined;
};

/** What is asked in one place of a query: a record by its id, or a list. */
export type JsonAsked = Question<AnyRecord> & {
  readonly id?: number | undefined;
  readonly first?: number | undefined;
  readonly after?: Cursor | undefined;
};

/** How many records a statement may read, and how many bytes of text those in one place may have that it does not. */
export type JsonRoom = { readonly records: number; readonly bytes: number };

/** The members of these kinds make a level of their own. */
export function isNested(value: JsonValue): value is JsonRecord | JsonParent | JsonList {
  return value.kind !== 'constant' && value.kind !== 'column';
}
