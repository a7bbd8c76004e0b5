import type { Columns } from './tables.ts';

export type Value = string | number | boolean | null;

/** A prepared statement: its rows, all of them. */
export type Query<Row> = (...values: Value[]) => Promise<Row[]>;

/**
 * An open database. Parameters are written `$1`, `$2`. A read may be run again when the connection to
 * the database broke; a write is not, because its outcome is not known then.
 */
export type Database = {
  read<Row>(sql: string): Query<Row>;
  write<Row>(sql: string): Query<Row>;
  readonly dialect: Dialect;
};

/** What each engine says in SQL of its own. Both write the same JSON, byte for byte. */
export type Dialect = {
  /** A row as the JSON text of its record. */
  record(columns: Columns): string;
  /** The records of many rows as one JSON text, in order of id. */
  list(record: string): string;
  /** The numbers in a parameter that holds a JSON list of them. */
  numbers(parameter: string): string;
};
