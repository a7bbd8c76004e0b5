import { present } from '../errors.ts';
import type { Json } from '../json-text.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { AnyRecord, Column } from './columns.ts';
import type { Database } from './database.ts';

/** Consecutive records as one statement saw them. */
export type Piece = {
  /** Absent where the text of the records is too long to be read at once. */
  readonly json: Json<AnyRecord[]> | undefined;
  /** The ids of the records that are not in `json`, in parts that can be read at once. */
  readonly unread: readonly (readonly number[])[];
  /** The id of the last record, if there are more after it. */
  readonly next: number | undefined;
};

/**
 * Reads up to `limit` records after an id. One statement tells the records and whether there are more:
 * between two, other writers could change the page.
 */
type ReadPiece = (after: number, limit: number) => MaybePromise<Piece>;

type Sized = { readonly id: number; readonly bytes: number };

// How many bytes of long text are read at once.
const MOST_BYTES = 65_536;
// Above every id.
const NO_END = Number.MAX_SAFE_INTEGER + 1;

export function createReadPiece(
  db: Database,
  table: string,
  columns: readonly Column[],
): ReadPiece {
  const { dialect } = db;
  const long = columns.filter(({ type }) => type === 'long text');
  // Neither engine loads a text for its octet_length.
  const bytes = long.map(({ name }) => `octet_length(${name})`).join(' + ') || '0';
  // PostgreSQL plans for each value at each execution (0.8 ms) unless it is hidden in a subquery (0.2 ms).
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
    ([json, last, hasMore]: [Json<AnyRecord[]> | null, number, boolean | number]): Piece => ({
      json: json ?? undefined,
      unread: [],
      next: hasMore ? last : undefined,
    }),
  );
  const sizes = db.read(
    `SELECT id, ${bytes} FROM ${table} WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
    ([id, bytes]: [number, number]): Sized => ({ id, bytes }),
  );

  function inParts(after: number, limit: number): MaybePromise<Piece> {
    return andThen(sizes(after, limit + 1), (sized) => {
      const page = sized.slice(0, limit);
      const next = sized.length > limit ? page.at(-1)?.id : undefined;
      return { json: undefined, unread: parts(page), next };
    });
  }

  return (after, limit) =>
    andThen(read(after, limit), ([row]) => {
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
