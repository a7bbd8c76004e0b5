import { ApiError, present } from '../errors.ts';
import { fromJson, type Json, type JsonStream, whole } from '../json-text.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { createReadPiece, type Piece } from './collection-piece.ts';
import { type AnyRecord, columnsOf, textLengthOf, type Value } from './columns.ts';
import { type Database, step } from './database.ts';
import type { Idempotent } from './idempotency.ts';
import type { Collection, Condition, Key, Listing, Range, Stored } from './store.ts';
import type { CollectionTable } from './table-declarations.ts';

type Fields = Omit<AnyRecord, 'id'>;

// A list without a limit is streamed: a first piece of 100 records, then pieces of 1,000.
const FIRST_PIECE = 100;
const FURTHER_PIECE = 1000;

/** A collection on its table. The database makes the JSON of what is read. */
export function createCollection(
  db: Database,
  idempotent: Idempotent,
  table: string,
  { columns: declared }: CollectionTable,
): Collection<AnyRecord> {
  const columns = columnsOf(declared);
  const names = columns.map(({ name }) => name);
  const { dialect } = db;
  const record = dialect.record(columns);
  const isAmong = `CAST($2 AS text) IS NULL OR version IN (${dialect.numbers('$2')})`;
  const isNotAmong = `CAST($3 AS text) IS NULL OR version NOT IN (${dialect.numbers('$3')})`;
  const matching = `id = $1 AND (${isAmong}) AND (${isNotAmong})`;
  const parameters = names.map((_, i) => `$${i + 1}`);
  const changes = names.map((name, i) => `${name} = $${i + 4}`);

  const stored = ([id, version, json]: [number, number, Json<AnyRecord>]): Stored<AnyRecord> => ({
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
  const piece = createReadPiece(db, table, columns);
  const among = db.read(
    `SELECT ${dialect.list(record)} FROM ${table} WHERE id IN (${dialect.numbers('$1')})`,
    only<Json<AnyRecord[]>>,
  );

  const values = (fields: Fields): Value[] => columns.map(({ field }) => fields[field] ?? null);

  /** The record of an insert, with the JSON that the database would write. */
  function created(id: number, fields: Fields): Stored<AnyRecord> {
    let text = `{"id":${id}`;
    for (const { field } of columns) text += `,"${field}":${JSON.stringify(fields[field])}`;
    // It has the id and every field of the record.
    const json = `${text}}` as Json<AnyRecord>;
    return { id, version: 1, json };
  }

  function list({ after = 0, limit }: Range): MaybePromise<Listing<AnyRecord>> {
    return andThen(piece(after, limit ?? FIRST_PIECE), (first) => {
      const isPage = limit !== undefined || first.next === undefined;
      const { json, next } = first;
      if (isPage && json !== undefined) return { body: json, next };
      // Joined JSON lists are the JSON of one list.
      const body = joined(lists(first, isPage)) as JsonStream<AnyRecord[]>;
      return { body, next: isPage ? next : undefined };
    });
  }

  async function* lists(first: Piece, isPage: boolean): AsyncIterable<Json<AnyRecord[]>> {
    let { json, unread, next } = first;
    for (;;) {
      if (json !== undefined) yield json;
      for (const ids of unread) yield one(await among(JSON.stringify(ids)));
      if (isPage || next === undefined) return;
      ({ json, unread, next } = await piece(next, FURTHER_PIECE));
    }
  }

  function createOnce(fields: Fields, { caller, key }: Key): Promise<Stored<AnyRecord>> {
    const attempt = { key: [table, caller, key], request: values(fields) };
    return idempotent(attempt, function* () {
      return created(one(yield* insertStep(...values(fields))), fields);
    });
  }

  /** The row of a conditional write; undefined if there is no such record. */
  async function written<T>([row]: T[], id: number, condition: Condition | undefined) {
    if (!row && condition && (await get(id)).length > 0) throw new ApiError('precondition-failed');
    return row;
  }

  return {
    find: (id) => andThen(get(id), ([found]) => found && fromJson(found.json)),
    page: ({ limit, after }) =>
      andThen(list({ limit, after: after?.id }), ({ body }) =>
        typeof body === 'string' ? fromJson(body) : whole(body).then(fromJson),
      ),
    textLength: textLengthOf(columns),
    list,
    get: (id) => andThen(get(id), ([found]) => found),
    create: async (fields, key) =>
      key ? createOnce(fields, key) : created(present(await insert(...values(fields))), fields),
    replace: async (id, fields, condition) => {
      const rows = isUnsatisfiable(condition)
        ? []
        : await replace(id, ...versions(condition), ...values(fields));
      return written(rows, id, condition);
    },
    remove: async (id, condition) => {
      const rows = isUnsatisfiable(condition) ? [] : await remove(id, ...versions(condition));
      return (await written(rows, id, condition)) !== undefined;
    },
  };
}

/** Several JSON lists as one; any of them may be empty. */
async function* joined(lists: AsyncIterable<string>): AsyncIterable<string> {
  let separator = '[';
  for await (const list of lists) {
    if (list === '[]') continue;
    yield separator + list.slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/** The column of a statement that has one. */
function only<T>([column]: [T]): T {
  return column;
}

/** The row of a statement that always gives one. */
function one<T>([row]: T[]): T {
  return present(row);
}

function isUnsatisfiable(condition: Condition | undefined): boolean {
  return condition?.notAmong === 'any';
}

function versions(condition: Condition | undefined): [among: string | null, not: string | null] {
  const { among, notAmong = [] } = condition ?? {};
  return [
    among ? JSON.stringify(among) : null,
    notAmong.length > 0 ? JSON.stringify(notAmong) : null,
  ];
}
