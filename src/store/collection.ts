import { ApiError, present } from '../errors.ts';
import type { Database, Value } from './database.ts';
import type { Json, JsonStream } from './json.ts';
import type { Collection, Listing, Range, Stored, Versions } from './store.ts';
import type { Columns } from './tables.ts';

// A list longer than one piece is read piece by piece: the first of so many records, each further
// one of about so many characters.
const FIRST_PIECE = 100;
const MOST_RECORDS = 1000;
const PIECE_LENGTH = 65_536;

type Piece = { json: string; count: number; last: number };
type Row<R> = Stored<R>;

/** One collection on one SQLite table; its statements are prepared once, and JSON is made by SQLite. */
export function createCollection<R extends { id: number }>(
  db: Database,
  table: string,
  columns: Columns<R>,
): Collection<R> {
  const names = Object.keys(columns) as (keyof typeof columns & keyof Omit<R, 'id'> & string)[];
  const record = jsonObject(columns);
  const returning = `RETURNING id, version, ${record} AS json`;
  const matching = 'id = ?1 AND (?2 IS NULL OR version IN (SELECT value FROM json_each(?2)))';

  const get = db.query<Row<R>>(`SELECT id, version, ${record} AS json FROM ${table} WHERE id = ?`);
  const create = db.query<Row<R>>(
    `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()}) ${returning}`,
  );
  const replace = db.query<Row<R>>(
    `UPDATE ${table} SET ${names.map((name, i) => `${name} = ?${i + 3}`).join()},
     version = version + 1 WHERE ${matching} ${returning}`,
  );
  const remove = db.query<{ id: number }>(`DELETE FROM ${table} WHERE ${matching} RETURNING id`);
  // The aggregate takes the records in the order in which the inner query gives them.
  const piece = db.query<Piece>(
    `SELECT json_group_array(${record}) AS json, count(*) AS count, max(id) AS last FROM
     (SELECT * FROM ${table} WHERE id > ? AND id <= ? ORDER BY id LIMIT ?)`,
  );
  const pageEnd = db.query<{ id: number }>(
    `SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT 2 OFFSET ?`,
  );

  const values = (fields: Omit<R, 'id'>): Value[] => names.map((name) => toValue(fields[name]));

  async function list({ after = 0, limit }: Range): Promise<Listing<R>> {
    const [end, beyond] = limit === undefined ? [] : pageEnd(after, limit - 1);
    const last = end?.id ?? Number.MAX_SAFE_INTEGER;
    const first = one(piece(after, last, FIRST_PIECE));
    const whole = first.count < FIRST_PIECE || first.last === last;
    // The text was made by SQLite from the columns of R's fields.
    const body = whole ? (first.json as Json<R[]>) : (pieces(first, last) as JsonStream<R[]>);
    return { body, next: beyond && end?.id };
  }

  async function* pieces(first: Piece, last: number): AsyncIterable<string> {
    let { json, count, last: cursor } = first;
    yield json.slice(0, -1);
    while (cursor < last) {
      const fitting = Math.floor((count * PIECE_LENGTH) / json.length);
      const wanted = Math.max(1, Math.min(MOST_RECORDS, fitting));
      const next = one(piece(cursor, last, wanted));
      if (next.count === 0) break;
      ({ json, count, last: cursor } = next);
      yield `,${json.slice(1, -1)}`;
      if (count < wanted) break;
    }
    yield ']';
  }

  /** What a conditional write made of its record: it, or nothing if there is none. */
  function written<T>(row: T | undefined, id: number, versions: Versions | undefined) {
    if (!row && versions && get(id).length > 0) throw new ApiError('precondition-failed');
    return row;
  }

  return {
    list,
    get: async (id) => get(id)[0],
    create: async (fields) => one(create(...values(fields))),
    replace: async (id, fields, versions) =>
      written(replace(id, condition(versions), ...values(fields))[0], id, versions),
    remove: async (id, versions) =>
      written(remove(id, condition(versions))[0], id, versions) !== undefined,
  };
}

/** The row of a statement that always gives one. */
function one<T>([row]: T[]): T {
  return present(row);
}

function jsonObject(columns: Columns): string {
  const members = Object.entries(columns).map(([name, type]) =>
    type === 'boolean' ? `'${name}', json(iif(${name}, 'true', 'false'))` : `'${name}', ${name}`,
  );
  return `json_object('id', id, ${members.join()})`;
}

function condition(versions: Versions | undefined): string | null {
  return versions ? JSON.stringify(versions) : null;
}

function toValue(value: unknown): Value {
  // A column's type is text, integer or boolean, and the contract admits no other value for it.
  return typeof value === 'boolean' ? Number(value) : (value as string | number);
}
