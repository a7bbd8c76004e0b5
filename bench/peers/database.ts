import { databaseUrl } from './settings.ts';

export type MaybePromise<T> = T | Promise<T>;
export type Value = string | number | readonly number[];
export type Ask<T> = (...values: Value[]) => MaybePromise<T>;

/** A database as the peers use it: one prepared statement for each SQL text, with a question mark for each value. */
export type Database = {
  all<T>(sql: string): Ask<T[]>;
  one<T>(sql: string): Ask<T | undefined>;
  /** Gives the id of the new row. */
  insert(sql: string): Ask<number>;
  /** Gives the number of rows that were changed. */
  change(sql: string): Ask<number>;
  /** The condition that a column is among several ids, and those ids as its value. */
  readonly isAmong: string;
  list(ids: readonly number[]): Value;
};

/** Opens the database that the runner names; the driver of the other engine is not loaded. */
export async function openDatabase(): Promise<Database> {
  const { open } = databaseUrl.startsWith('postgres:')
    ? await import('./postgres-database.ts')
    : await import('./sqlite-database.ts');
  return open(databaseUrl);
}

/** Goes on with a value, at once where it is there: SQLite answers without a promise. */
export function after<T, U>(value: MaybePromise<T>, make: (value: T) => U): MaybePromise<U> {
  return value instanceof Promise ? value.then(make) : make(value);
}
