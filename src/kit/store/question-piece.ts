import type { Json } from '../json-text.ts';
import { andThen } from '../maybe-promise.ts';
import { bytesOf, parts, type ReadPiece } from './collection-piece.ts';
import type { AnyRecord, Value } from './columns.ts';
import type { Database, Read } from './database.ts';
import type { Asked } from './question.ts';
import { type Each, questionSql, type Statement } from './question-sql.ts';
import type { Table } from './table.ts';

type Row = readonly [id: number, payload: Json<AnyRecord> | number, ...keys: Value[]];

// The conditions and the order of a question make a statement; of more shapes the oldest is forgotten.
const MOST_SHAPES = 100;

/** Reads the records that a question asks for. */
export function createReadQuestion(
  db: Database,
  table: Table,
): (asked: Asked, each?: Each) => ReadPiece {
  const { dialect } = db;
  const bytes = bytesOf(table);
  const record = dialect.record(table.columns);
  const run = createShapes(db);
  const among = db.read(
    `SELECT id, ${record} FROM ${table.sql} WHERE id IN (${dialect.numbers('$1')})`,
    (row: [id: number, json: Json<AnyRecord>]) => row,
  );

  /** Records in the order of their ids in the list; those that are gone are left out. */
  const readAmong = (ids: readonly number[]) =>
    andThen(among(JSON.stringify(ids)), (rows) => {
      const texts = new Map(rows);
      return listOf(ids.flatMap((id) => texts.get(id) ?? []));
    });

  return (asked, each) => (after, limit) => {
    const payload = bytes ?? record;
    const statement = questionSql({
      ...{ dialect, table, asked, after, payload, each },
      limit: limit + 1,
    });
    return andThen(run(statement), (rows) => {
      const page = rows.slice(0, limit);
      const [id, , ...keys] = page.at(-1) ?? [0, 0];
      const next = rows.length > limit ? { values: keys, id } : undefined;
      if (bytes === undefined) {
        // Where nothing is measured the payload is the record.
        const texts = page.map(([, json]) => json as Json<AnyRecord>);
        return { json: listOf(texts), unread: [], next };
      }
      const sized = page.map(([id, length]) => ({ id, bytes: Number(length) }));
      const unread = parts(sized).map((part) => () => readAmong(part.map(({ id }) => id)));
      return { json: undefined, unread, next };
    });
  };
}

/** Runs statements of many shapes, each prepared once. */
function createShapes(db: Database) {
  const shapes = new Map<string, Read<Row>>();
  return ({ sql, values }: Statement) => {
    const known = shapes.get(sql) ?? db.read(sql, (row: Row) => row);
    shapes.delete(sql);
    shapes.set(sql, known);
    const [oldest] = shapes.keys();
    if (shapes.size > MOST_SHAPES && oldest !== undefined) shapes.delete(oldest);
    return known(...values);
  };
}

function listOf(texts: readonly Json<AnyRecord>[]): Json<AnyRecord[]> {
  // Joined JSON texts are the JSON of their list.
  return `[${texts.join()}]` as Json<AnyRecord[]>;
}
