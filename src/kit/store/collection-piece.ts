import { present } from '../errors.ts';
import type { Json } from '../json-text.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { type AnyRecord, isLong } from './columns.ts';
import type { Database } from './database.ts';
import type { Position } from './question.ts';
import type { Table } from './table.ts';

/** Consecutive records as one statement saw them. */
export type Piece = {
  /** Absent where the text of the records is too long to be read at once. */
  readonly json: Json<AnyRecord[]> | undefined;
  /** Reads the records that are not in `json`, in parts that can be read at once. */
  readonly unread: readonly (() => MaybePromise<Json<AnyRecord[]>>)[];
  /** The place of the last record, if there are more after it. */
  readonly next: Position | undefined;
};

/**
 * Reads up to `limit` records after a place. One statement tells the records and whether there are more:
 * between two, other writers could change the page. What is not found when `performance.now()` is `until` is refused.
 */
export type ReadPiece = (
  after: Position | undefined,
  limit: number,
  until?: number,
) => MaybePromise<Piece>;

export type Sized = { readonly id: number; readonly bytes: number };

// How many bytes of long text are read at once.
const MOST_BYTES = 65_536;
type PieceColumns = [json: Json<AnyRecord[]> | null, last: number, hasMore: boolean | number];

// Who asks for more would hold up those who are answered together with them.
const FEW = 100;
// Above every id.
const NO_END = Number.MAX_SAFE_INTEGER + 1;

/** How many bytes the long columns of a row have; undefined where the table has none. */
export function bytesOf({ columns }: Table): string | undefined {
  // Neither engine loads a text for its octet_length.
  const lengths = columns.filter(isLong).map(({ name }) => `coalesce(octet_length(${name}), 0)`);
  return lengths.length > 0 ? lengths.join(' + ') : undefined;
}

/** All records, in order of id. */
export function createReadPiece(db: Database, { sql: table, columns, ...rest }: Table): ReadPiece {
  const { dialect } = db;
  const bytes = bytesOf({ ...rest, sql: table, columns }) ?? '0';
  // PostgreSQL plans for each value at each execution (0.8 ms) unless it is hidden in a subquery (0.2 ms).
  const after = '(SELECT CAST($1 AS bigint))';
  const limit = '(SELECT CAST($2 AS bigint))';
  // SQLite materializes a subquery with a limit; a range up to the first id beyond the page takes half the
  // time (20 records: 9 against 18 µs).
  const inPage = `FROM ${table} WHERE id > ${after} AND id < beyond`;
  const list = `(SELECT ${dialect.list(columns)} ${inPage})`;
  const isTooLong = `(SELECT sum(${bytes}) ${inPage}) > ${MOST_BYTES}`;
  const sql = `WITH bound AS ${dialect.kept} (SELECT coalesce(
       (SELECT id FROM ${table} WHERE id > ${after} ORDER BY id LIMIT 1 OFFSET ${limit}),
       ${NO_END}) AS beyond)
     SELECT ${bytes !== '0' ? `CASE WHEN ${isTooLong} THEN NULL ELSE ${list} END` : list},
       (SELECT max(id) ${inPage}), beyond < ${NO_END}
     FROM bound`;
  const piece = ([json, last, hasMore]: PieceColumns): Piece => ({
    json: json ?? undefined,
    unread: [],
    next: hasMore ? { values: [], id: last } : undefined,
  });
  const readFew = db.readOne(sql, ['bigint', 'bigint'], piece);
  const readMany = db.read(sql, piece);
  const read = (after: number, limit: number): MaybePromise<Piece | undefined> =>
    limit > FEW ? andThen(readMany(after, limit), ([row]) => row) : readFew(after, limit);
  const sizes = db.read(
    `SELECT id, ${bytes} FROM ${table} WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
    ([id, bytes]: [number, number]): Sized => ({ id, bytes }),
  );

  const among = db.read(
    `SELECT ${dialect.list(columns)} FROM ${table} WHERE id IN (${dialect.numbers('$1')})`,
    ([json]: [Json<AnyRecord[]>]) => json,
  );
  const readAmong = (ids: readonly number[]) =>
    andThen(among(JSON.stringify(ids)), ([json]) => present(json));

  function inParts(after: number, limit: number): MaybePromise<Piece> {
    return andThen(sizes(after, limit + 1), (sized) => {
      const page = sized.slice(0, limit);
      const last = page.at(-1);
      return {
        json: undefined,
        unread: parts(page).map((part) => () => readAmong(part.map(({ id }) => id))),
        next: sized.length > limit && last ? { values: [], id: last.id } : undefined,
      };
    });
  }

  return (after, limit) => {
    const last = after?.id ?? 0;
    return andThen(read(last, limit), (row) => {
      const page = present(row);
      return page.json === undefined ? inParts(last, limit) : page;
    });
  };
}

/** Records, split where the text of a part would be too long. */
export function parts<T extends Sized>(sized: readonly T[]): T[][] {
  const parts: T[][] = [];
  let room = -1;
  for (const each of sized) {
    room -= each.bytes;
    if (room >= 0) parts.at(-1)?.push(each);
    else {
      parts.push([each]);
      room = MOST_BYTES - each.bytes;
    }
  }
  return parts;
}
