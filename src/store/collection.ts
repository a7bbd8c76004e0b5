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

/** One collection on one table; its statements are prepared once, and JSON is made by the database. */
export function createCollection<R extends { id: number }>(
  db: Database,
  table: string,
  columns: Columns<R>,
): Collection<R> {
  const names = Object.keys(columns) as (keyof typeof columns & keyof Omit<R, 'id'> & string)[];
  const { dialect } = db;
  const record = dialect.record(columns);
  const returning = `RETURNING id, version, ${record} AS json`;
  const isNamed = `CAST($2 AS text) IS NULL OR version IN (${dialect.numbers('$2')})`;
  const matching = `id = $1 AND (${isNamed})`;
  const parameters = names.map((_, i) => `$${i + 1}`);
  const changes = names.map((name, i) => `${name} = $${i + 3}`);

  const get = db.read<Row<R>>(`SELECT id, version, ${record} AS json FROM ${table} WHERE id = $1`);
  const create = db.write<Row<R>>(
    `INSERT INTO ${table} (${names.join()}) VALUES (${parameters.join()}) ${returning}`,
  );
  const replace = db.write<Row<R>>(
    `UPDATE ${table} SET ${changes.join()}, version = version + 1 WHERE ${matching} ${returning}`,
  );
  const remove = db.write<{ id: number }>(`DELETE FROM ${table} WHERE ${matching} RETURNING id`);
  const piece = db.read<Piece>(
    `SELECT ${dialect.list(record)} AS json, count(*) AS count, max(id) AS last FROM
     (SELECT * FROM ${table} WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3) AS piece`,
  );
  const pageEnd = db.read<{ id: number }>(
    `SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT 2 OFFSET $2`,
  );

  // A column's type is text, integer or boolean, and the contract admits no other value for it.
  const values = (fields: Omit<R, 'id'>) => names.map((name) => fields[name] as Value);

  async function list({ after = 0, limit }: Range): Promise<Listing<R>> {
    const [end, beyond] = limit === undefined ? [] : await pageEnd(after, limit - 1);
    const last = end?.id ?? Number.MAX_SAFE_INTEGER;
    const first = one(await piece(after, last, FIRST_PIECE));
    const whole = first.count < FIRST_PIECE || first.last === last;
    // The text was made by the database from the columns of R's fields.
    const body = whole ? (first.json as Json<R[]>) : (pieces(first, last) as JsonStream<R[]>);
    return { body, next: beyond && end?.id };
  }

  async function* pieces(first: Piece, last: number): AsyncIterable<string> {
    let { json, count, last: cursor } = first;
    yield json.slice(0, -1);
    while (cursor < last) {
      const fitting = Math.floor((count * PIECE_LENGTH) / json.length);
      const wanted = Math.max(1, Math.min(MOST_RECORDS, fitting));
      const next = one(await piece(cursor, last, wanted));
      if (next.count === 0) break;
      ({ json, count, last: cursor } = next);
      yield `,${json.slice(1, -1)}`;
      if (count < wanted) break;
    }
    yield ']';
  }

  /** What a conditional write made of its record: it, or nothing if there is none. */
  async function written<T>([row]: T[], id: number, versions: Versions | undefined) {
    if (!row && versions && (await get(id)).length > 0) throw new ApiError('precondition-failed');
    return row;
  }

  return {
    list,
    get: async (id) => (await get(id))[0],
    create: async (fields) => one(await create(...values(fields))),
    replace: async (id, fields, versions) =>
      written(await replace(id, condition(versions), ...values(fields)), id, versions),
    remove: async (id, versions) =>
      (await written(await remove(id, condition(versions)), id, versions)) !== undefined,
  };
}

/** The row of a statement that always gives one. */
function one<T>([row]: T[]): T {
  return present(row);
}

function condition(versions: Versions | undefined): string | null {
  return versions ? JSON.stringify(versions) : null;
}
