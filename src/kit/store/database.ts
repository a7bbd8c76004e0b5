import { ApiError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Semaphore } from '../semaphore.ts';
import type { Column, Value } from './columns.ts';

/** A prepared statement: its rows, all of them. */
export type Query<Row> = (...values: Value[]) => Promise<Row[]>;

/** A prepared statement that reads; SQLite gives its rows synchronously. */
export type Read<Row> = (...values: Value[]) => MaybePromise<Row[]>;

/** A prepared statement that reads at most one row. */
export type ReadOne<Row> = (...values: Value[]) => MaybePromise<Row | undefined>;

/** A prepared INSERT: the id of the row, or undefined where there was none to insert. */
export type Insert = (...values: Value[]) => Promise<number | undefined>;

export type InsertedRow = {
  /** What follows the table's name. */
  readonly sql: string;
  /** The columns that are given the values `$1`, `$2`…; undefined where there may be no row. */
  readonly plain: readonly Column[] | undefined;
};

/** Statements that are run one after another; each is given the rows of the one before. */
export type Steps<T> = Generator<Run, T, unknown[]>;

/** A prepared statement as one of several steps: `const rows = yield* statement(…)`. */
export type Step<Row> = (...values: Value[]) => Steps<Row[]>;

/** One statement with its values, as each engine knows it. */
export type Run = {
  readonly statement: string;
  readonly make: Make<unknown, never>;
  readonly values: readonly Value[];
};

/** Makes a row of the columns of a statement, in the order in which it names them. */
export type Make<Row, Columns extends readonly unknown[]> = (columns: Columns) => Row;

/**
 * An open database. Parameters are written `$1`, `$2`. When the connection breaks a read is run again; a
 * write is not, because its outcome is unknown.
 */
export type Database = {
  read<Row, Columns extends readonly unknown[]>(sql: string, make: Make<Row, Columns>): Read<Row>;
  /**
   * Engines may answer several at once: `types` are those of the parameters, undefined where only reads with the same
   * values are to be answered together.
   */
  readOne<Row, Columns extends readonly unknown[]>(
    sql: string,
    types: readonly string[] | undefined,
    make: Make<Row, Columns>,
  ): ReadOne<Row>;
  write<Row, Columns extends readonly unknown[]>(sql: string, make: Make<Row, Columns>): Query<Row>;
  /** INSERT INTO a table. */
  insert(table: string, row: InsertedRow): Insert;
  /** Runs several statements in one transaction. */
  writeAll<T>(steps: () => Steps<T>): Promise<T>;
  readonly dialect: Dialect;
  readonly scans: Scans;
};

/** Lists with conditions that the index of their order does not serve: they may look at every record. */
export type Scans = {
  /** Lets some of them in at a time, so that there is room for everybody else. */
  readonly enter: Semaphore;
  /** After how many milliseconds one is given up. */
  readonly longest: number;
};

/** A statement for `writeAll`. */
export function step<Row, Columns extends readonly unknown[]>(
  statement: string,
  make: Make<Row, Columns>,
): Step<Row> {
  return function* (...values) {
    // The engine gives back what `make` made.
    return (yield { statement, make, values }) as Row[];
  };
}

/** Where the engines' SQL differs. Both write the same JSON, byte for byte, and have the same order. */
export type Dialect = {
  /** A row as the JSON text of its record. */
  record(columns: readonly Column[]): string;
  /** The records of many rows as one JSON text, in order of id. */
  list(columns: readonly Column[]): string;
  /** The numbers in a parameter that holds a JSON list of them. */
  numbers(parameter: string): string;
  /** The values of a type in a parameter that holds a JSON list of them. */
  items(parameter: string, type: string): string;
  /** A column as it is compared. */
  compared(column: Column): string;
  /** An expression in ORDER BY or an index; NULL is the lowest. */
  ordered(expression: string, isDescending: boolean): string;
  /** Whether a statement holds up the event loop while it runs. */
  readonly isBlocking: boolean;
  /** Follows AS of a subquery in WITH that is worth keeping where its value is used more than once. */
  readonly kept: string;
  /** An expression for which no index is to be used. */
  unindexed(expression: string): string;
  /** Whether the planner knows that a column which is equal to this value need not be sorted. */
  isConstant(value: Value): boolean;
  /** Whether a text has another as its part. */
  contains(text: string, part: string): string;
  readonly json: JsonDialect;
};

/** JSON values in SQL, and how they are made. An expression that is NULL gives NULL. */
export type JsonDialect = {
  object(members: readonly (readonly [key: string, value: string])[]): string;
  /** The objects of all rows. */
  array(object: string): string;
  constant(text: string): string;
  text(expression: string): string;
  /** A whole number as text. */
  id(expression: string): string;
  integer(expression: string): string;
  /** A number that is kept as JSON text. */
  number(expression: string): string;
  boolean(expression: string): string;
  readonly null: string;
  orNull(expression: string): string;
};

const BROKEN = 'It refers to a record that is not there, or others refer to it.';

/** A write that would break a foreign key. SQLite does not tell which side of the reference it is on. */
export function brokenReference(cause: unknown): ApiError {
  return new ApiError('conflict', { detail: BROKEN, cause });
}

export function isBrokenReference(error: unknown): boolean {
  return error instanceof ApiError && error.detail === BROKEN;
}
