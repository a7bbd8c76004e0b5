import { ApiError, present } from '../errors.ts';
import { type Database, step, type Value } from './database.ts';
import type { Json, JsonStream } from './json.ts';
import type { Once } from './once.ts';
import { type Soon, whenThere } from './soon.ts';
import type { Collection, Key, Listing, Range, Stored, Versions } from './store.ts';
import type { Columns } from './tables.ts';

// A list is read in pieces: the first of so many records, the others of more, and each of less where
// the records are so long that it would be larger than this.
const FIRST_PIECE = 100;
const FURTHER_PIECE = 1000;
const MOST_BYTES = 65_536;

/** Some records of a list; `end` is the id of the last among them. */
type Piece<R> = { readonly json: Json<R[]>; readonly end: number; readonly isLast: boolean };

/** One collection on one table. Its statements are prepared once; the JSON of what is read comes from there. */
export function createCollection<R extends { id: number }>(
  db: Database,
  once: Once,
  table: string,
  columns: Columns<R>,
): Collection<R> {
  const names = Object.keys(columns) as (keyof typeof columns & keyof Omit<R, 'id'> & string)[];
  const { dialect } = db;
  const record = dialect.record(columns);
  const isNamed = `CAST($2 AS text) IS NULL OR version IN (${dialect.numbers('$2')})`;
  const matching = `id = $1 AND (${isNamed})`;
  const parameters = names.map((_, i) => `$${i + 1}`);
  const changes = names.map((name, i) => `${name} = $${i + 3}`);

  // The text was made by the database from the columns of R's fields.
  const stored = ([id, version, json]: [number, number, Json<R>]): Stored<R> => ({
    id,
    version,
    json,
  });
  const get = db.read(`SELECT id, version, ${record} FROM ${table} WHERE id = $1`, stored);
  const row = `(${names.join()}) VALUES (${parameters.join()})`;
  const insert = db.insert(table, row);
  const insertStep = step(`INSERT INTO ${table} ${row} RETURNING id`, only<number>);
  const replace = db.write(
    `UPDATE ${table} SET ${changes.join()}, version = version + 1 WHERE ${matching}
     RETURNING id, version, ${record}`,
    stored,
  );
  const remove = db.write(`DELETE FROM ${table} WHERE ${matching} RETURNING id`, only<number>);
  // A range costs a quarter of as many rows with a limit, which SQLite first puts aside.
  const range = db.read(
    `SELECT ${dialect.list(record)} FROM ${table} WHERE id > $1 AND id <= $2`,
    only<Json<R[]>>,
  );
  const long = Object.entries(columns).filter(([, type]) => type === 'long text');
  const bytes = long.map(([name]) => `octet_length(${name})`).join(' + ');
  // Measured in the inner query, where the text itself need not be loaded.
  const size =
    long.length > 0
      ? db.read(
          `SELECT CAST(sum(bytes) AS bigint) FROM (SELECT ${bytes} AS bytes FROM ${table}
           WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3) AS piece`,
          only<number | null>,
        )
      : undefined;
  // The last of so many records, and one beyond them.
  const ends = db.read(
    `SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT 2 OFFSET $2`,
    only<number>,
  );

  // A column's type is text, integer or boolean, and the contract admits no other value for it.
  const values = (fields: Omit<R, 'id'>) => names.map((name) => fields[name] as Value);

  /** A record that was just added is known without another look at it, and written as the database would. */
  function created(id: number, fields: Omit<R, 'id'>): Stored<R> {
    let text = `{"id":${id}`;
    for (const name of names) text += `,"${name}":${JSON.stringify(fields[name])}`;
    // The id and the fields of R are R.
    const json = `${text}}` as Json<R>;
    return { id, version: 1, json };
  }

  function list({ after = 0, limit }: Range): Soon<Listing<R>> {
    if (limit === undefined) return stream(after, Number.MAX_SAFE_INTEGER);
    return whenThere(ends(after, limit - 1), ([end, beyond]) => {
      const last = end ?? Number.MAX_SAFE_INTEGER;
      const next = beyond === undefined ? undefined : end;
      if (limit > FIRST_PIECE || size) return stream(after, last, next);
      return whenThere(range(after, last), (rows) => ({ body: one(rows), next }));
    });
  }

  async function stream(after: number, last: number, next?: number): Promise<Listing<R>> {
    const first = await read(after, last, FIRST_PIECE);
    // A list in pieces is the list.
    const body = first.isLast ? first.json : (pieces(first, last) as JsonStream<R[]>);
    return { body, next };
  }

  async function* pieces(first: Piece<R>, last: number): AsyncIterable<string> {
    let text = first.json.slice(0, -1);
    // Records may go after the end of a piece was found, all of them even.
    let isEmpty = text === '[';
    let cursor = first.end;
    for (;;) {
      yield text;
      const next = await read(cursor, last, FURTHER_PIECE);
      const records = next.json.slice(1, -1);
      text = isEmpty || records === '' ? records : `,${records}`;
      isEmpty &&= records === '';
      if (next.isLast) break;
      cursor = next.end;
    }
    yield `${text}]`;
  }

  /** The records after one id and up to another, as many as are wanted and fit. */
  async function read(after: number, last: number, most: number): Promise<Piece<R>> {
    let wanted = most;
    while (size && wanted > 1 && Number(one(await size(after, last, wanted))) > MOST_BYTES) {
      wanted = Math.ceil(wanted / 2);
    }
    const [found, beyond] = await ends(after, wanted - 1);
    const end = Math.min(found ?? last, last);
    const json = one(await range(after, end));
    return { json, end, isLast: beyond === undefined || end === last };
  }

  function createOnce(fields: Omit<R, 'id'>, { caller, key }: Key): Promise<Stored<R>> {
    const attempt = { key: [table, caller, key], request: values(fields) };
    return once(attempt, function* () {
      return created(one(yield* insertStep(...values(fields))), fields);
    });
  }

  /** What a conditional write made of its record: it, or nothing if there is none. */
  async function written<T>([row]: T[], id: number, versions: Versions | undefined) {
    if (!row && versions && (await get(id)).length > 0) throw new ApiError('precondition-failed');
    return row;
  }

  return {
    list,
    get: (id) => whenThere(get(id), ([record]) => record),
    create: async (fields, key) =>
      key ? createOnce(fields, key) : created(present(await insert(...values(fields))), fields),
    replace: async (id, fields, versions) =>
      written(await replace(id, condition(versions), ...values(fields)), id, versions),
    remove: async (id, versions) =>
      (await written(await remove(id, condition(versions)), id, versions)) !== undefined,
  };
}

/** The column of a statement that has one. */
function only<T>([column]: [T]): T {
  return column;
}

/** The row of a statement that always gives one. */
function one<T>([row]: T[]): T {
  return present(row);
}

function condition(versions: Versions | undefined): string | null {
  return versions ? JSON.stringify(versions) : null;
}
