import type { Columns } from '../../api/tables.ts';
import { present } from '../errors.ts';
import type { Json } from '../json-text.ts';
import { type Soon, whenThere } from '../maybe-promise.ts';
import type { Database } from './database.ts';

/** Consecutive records as one statement saw them. */
export type Page<R> = {
  /** Absent where the text of the records is too long to be read at once. */
  readonly json: Json<R[]> | undefined;
  /** The ids of the records that are not in `json`, in parts that can be read at once. */
  readonly unread: readonly (readonly number[])[];
  /** The id of the last record, if there are more after it. */
  readonly next: number | undefined;
};

/**
 * Reads up to `limit` records after an id. Which they are and whether there are more comes from one
 * statement: between two, other writers could add records to the page or take some from it.
 */
type ReadPage<R> = (after: number, limit: number) => Soon<Page<R>>;

type Sized = { readonly id: number; readonly bytes: number };

// How many bytes of long text are read at once.
const MOST_BYTES = 65_536;
// Above every id.
const NO_END = Number.MAX_SAFE_INTEGER + 1;

export function createPage<R>(db: Database, table: string, columns: Columns<R>): ReadPage<R> {
  const { dialect } = db;
  const long = Object.entries(columns).filter(([, type]) => type === 'long text');
  // Neither engine loads a text to measure it.
  const bytes = long.map(([name]) => `octet_length(${name})`).join(' + ') || '0';
  // PostgreSQL would make a plan for each value at each execution (0.8 ms); those of subqueries it does
  // not know (0.2 ms).
  const after = '(SELECT CAST($1 AS bigint))';
  const limit = '(SELECT CAST($2 AS bigint))';
  // SQLite materializes a subquery with a limit; a range up to the first id beyond the page takes half the
  // time (20 records: 9 against 18 µs).
  const inPage = `FROM ${table} WHERE id > ${after} AND id < beyond`;
  const list = `(SELECT ${dialect.list(dialect.record(columns))} ${inPage})`;
  const isTooLong = `(SELECT sum(${bytes}) ${inPage}) > ${MOST_BYTES}`;
  const read = db.read(
    `SELECT ${long.length > 0 ? `CASE WHEN ${isTooLong} THEN NULL ELSE ${list} END` : list},
       (SELECT max(id) ${inPage}), beyond < ${NO_END}
     FROM (SELECT coalesce(
       (SELECT id FROM ${table} WHERE id > ${after} ORDER BY id LIMIT 1 OFFSET ${limit}),
       ${NO_END}) AS beyond) AS bound`,
    ([json, last, hasMore]: [Json<R[]> | null, number, boolean | number]): Page<R> => ({
      json: json ?? undefined,
      unread: [],
      next: hasMore ? last : undefined,
    }),
  );
  const sizes = db.read(
    `SELECT id, ${bytes} FROM ${table} WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
    ([id, bytes]: [number, number]): Sized => ({ id, bytes }),
  );

  function inParts(after: number, limit: number): Soon<Page<R>> {
    return whenThere(sizes(after, limit + 1), (sized) => {
      const page = sized.slice(0, limit);
      const next = sized.length > limit ? page.at(-1)?.id : undefined;
      return { json: undefined, unread: parts(page), next };
    });
  }

  return (after, limit) =>
    whenThere(read(after, limit), ([row]) => {
      const page = present(row);
      return page.json === undefined ? inParts(after, limit) : page;
    });
}

/** The ids of the records, split where the text of a part would be too long. */
function parts(sized: readonly Sized[]): number[][] {
  const parts: number[][] = [];
  let room = -1;
  for (const { id, bytes } of sized) {
    room -= bytes;
    if (room >= 0) parts.at(-1)?.push(id);
    else {
      parts.push([id]);
      room = MOST_BYTES - bytes;
    }
  }
  return parts;
}
