import type { Columns } from '../../api/tables.ts';
import { ApiError, present } from '../errors.ts';
import type { Json, JsonStream } from '../json-text.ts';
import { type Soon, whenThere } from '../maybe-promise.ts';
import { createPage, type Page } from './collection-page.ts';
import { type Database, step, type Value } from './database.ts';
import type { Once } from './idempotency.ts';
import type { Collection, Condition, Key, Listing, Range, Stored } from './store.ts';

// A list without a limit is streamed: a first piece of 100 records, then pieces of 1,000.
const FIRST_PIECE = 100;
const FURTHER_PIECE = 1000;

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
  const isAmong = `CAST($2 AS text) IS NULL OR version IN (${dialect.numbers('$2')})`;
  const isNotAmong = `CAST($3 AS text) IS NULL OR version NOT IN (${dialect.numbers('$3')})`;
  const matching = `id = $1 AND (${isAmong}) AND (${isNotAmong})`;
  const parameters = names.map((_, i) => `$${i + 1}`);
  const changes = names.map((name, i) => `${name} = $${i + 4}`);

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
  const page = createPage(db, table, columns);
  const among = db.read(
    `SELECT ${dialect.list(record)} FROM ${table} WHERE id IN (${dialect.numbers('$1')})`,
    only<Json<R[]>>,
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
    return whenThere(page(after, limit ?? FIRST_PIECE), (first) => {
      const isPage = limit !== undefined || first.next === undefined;
      const { json, next } = first;
      if (isPage && json !== undefined) return { body: json, next };
      // Lists that are joined are the list.
      const body = joined(lists(first, isPage)) as JsonStream<R[]>;
      return { body, next: isPage ? next : undefined };
    });
  }

  async function* lists(first: Page<R>, isPage: boolean): AsyncIterable<Json<R[]>> {
    let { json, unread, next } = first;
    for (;;) {
      if (json !== undefined) yield json;
      for (const ids of unread) yield one(await among(JSON.stringify(ids)));
      if (isPage || next === undefined) return;
      ({ json, unread, next } = await page(next, FURTHER_PIECE));
    }
  }

  function createOnce(fields: Omit<R, 'id'>, { caller, key }: Key): Promise<Stored<R>> {
    const attempt = { key: [table, caller, key], request: values(fields) };
    return once(attempt, function* () {
      return created(one(yield* insertStep(...values(fields))), fields);
    });
  }

  /** What a conditional write made of its record: it, or nothing if there is none. */
  async function written<T>([row]: T[], id: number, condition: Condition | undefined) {
    if (!row && condition && (await get(id)).length > 0) throw new ApiError('precondition-failed');
    return row;
  }

  return {
    list,
    get: (id) => whenThere(get(id), ([record]) => record),
    create: async (fields, key) =>
      key ? createOnce(fields, key) : created(present(await insert(...values(fields))), fields),
    replace: async (id, fields, condition) => {
      const rows = isHopeless(condition)
        ? []
        : await replace(id, ...versions(condition), ...values(fields));
      return written(rows, id, condition);
    },
    remove: async (id, condition) => {
      const rows = isHopeless(condition) ? [] : await remove(id, ...versions(condition));
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

/** Whether no version of a record can meet it. */
function isHopeless(condition: Condition | undefined): boolean {
  return condition?.notAmong === 'any';
}

function versions(condition: Condition | undefined): [among: string | null, not: string | null] {
  const { among, notAmong = [] } = condition ?? {};
  return [
    among ? JSON.stringify(among) : null,
    notAmong.length > 0 ? JSON.stringify(notAmong) : null,
  ];
}
