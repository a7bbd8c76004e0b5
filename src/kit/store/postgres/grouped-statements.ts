import { type Column, sqlTypes, type Value } from '../columns.ts';
import type { Make } from '../database.ts';
import { withParameters } from '../sql-parameters.ts';
import { inGroups } from './turn-groups.ts';

/** Prepares a statement; lists are its array parameters. */
export type Prepare = <Row>(
  kind: 'read' | 'write',
  sql: string,
  make: Make<Row, never>,
) => (...values: (Value | readonly Value[])[]) => Promise<Row[]>;

// One session of the database answers all of them, one after another.
const MOST_READS = 16;
const MOST_INSERTS = 100;

/**
 * A read of at most one row; those of one turn of the event loop are one statement. Without `types` only those with the
 * same values are.
 */
export function groupedRead<Row>(
  prepare: Prepare,
  sql: string,
  types: readonly string[] | undefined,
  make: Make<Row, never>,
): (...values: Value[]) => Promise<Row | undefined> {
  const one = prepare('read', sql, make);
  const read = inGroups<Value[], Row | undefined>({
    alone: async (values) => (await one(...values))[0],
    together: types && readTogether(prepare, sql, types, make),
    most: MOST_READS,
    keyOf: (values) => JSON.stringify(values),
  });
  return (...values) => read(values);
}

function readTogether<Row>(
  prepare: Prepare,
  sql: string,
  types: readonly string[],
  make: Make<Row, never>,
): (asked: readonly Value[][]) => Promise<readonly (Row | undefined)[]> {
  const names = types.map((_, i) => `p${i + 1}`);
  const several = prepare(
    'read',
    `SELECT n, row.* FROM ${lists(types)} WITH ORDINALITY AS asked(${[...names, 'n'].join()}),
       LATERAL (${withParameters(sql, (number) => `asked.p${number}`)}) AS row`,
    // The columns of the statement follow the number.
    ([n, ...columns]: [number, ...unknown[]]) => [n, make(columns as never)] as const,
  );
  return async (asked) => {
    const rows = new Map(await several(...turned(types.length, asked)));
    return asked.map((_, i) => rows.get(i + 1));
  };
}

/** Inserts a row of given values; those that are asked for while another is inserted are one statement, and one commit. */
export function groupedInsert(
  prepare: Prepare,
  table: string,
  columns: readonly Column[],
): (...values: Value[]) => Promise<number> {
  const names = columns.map(({ name }) => name).join();
  const types = columns.map(({ type }) => sqlTypes[type]);
  const id = ([id]: [number]) => id;
  const parameters = columns.map((_, i) => `$${i + 1}`).join();
  const one = prepare(
    'write',
    `INSERT INTO ${table} (${names}) VALUES (${parameters}) RETURNING id`,
    id,
  );
  const several = prepare(
    'write',
    `INSERT INTO ${table} (${names})
     SELECT ${names} FROM ${lists(types)} WITH ORDINALITY AS given(${names}, "#") ORDER BY "#"
     RETURNING id`,
    id,
  );
  const insert = inGroups<Value[], number>({
    // It returns a row, or fails.
    alone: async (values) => (await one(...values))[0] as number,
    // Ids are given in order; PostgreSQL does not promise that it returns them so.
    together: async (rows) =>
      (await several(...turned(columns.length, rows))).sort((a, b) => a - b),
    most: MOST_INSERTS,
    waits: true,
    // Each of two that are equal is a row.
    keyOf: (values) => values,
  });
  return (...values) => insert(values);
}

function lists(types: readonly string[]): string {
  return `unnest(${types.map((type, i) => `CAST($${i + 1} AS ${type}[])`).join()})`;
}

/** The first values of all, the second ones, and so on. */
function turned(width: number, rows: readonly (readonly Value[])[]): (readonly Value[])[] {
  // Each row has a value for each column.
  return Array.from({ length: width }, (_, i) => rows.map((row) => row[i] as Value));
}
