import type { Json } from '../json-text.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { bytesOf, type Piece, parts, type ReadPiece } from './collection-piece.ts';
import type { AnyRecord } from './columns.ts';
import type { Database } from './database.ts';
import type { Asked, Test } from './question.ts';
import { createShapes, type Row } from './question-shapes.ts';
import { type Each, questionSql, unserved } from './question-sql.ts';
import { createWalk, type Hit, placeOf } from './question-walk.ts';
import type { Table } from './table.ts';

/** Reads the records that a question asks for. */
export function createReadQuestion(
  db: Database,
  table: Table,
): (asked: Asked, each?: Each) => ReadPiece {
  const { dialect } = db;
  const bytes = bytesOf(table);
  const record = dialect.record(table.columns);
  const payload = bytes ?? record;
  const run = createShapes(db);
  const { rareOf, walk } = createWalk(db, table, run, bytes);
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

  function inParts(hits: readonly Hit[], limit: number): Piece {
    const page = hits.slice(0, limit);
    return {
      json: undefined,
      unread: parts(page).map((part) => () => readAmong(part.map(({ id }) => id))),
      next: hits.length > limit ? page.at(-1) : undefined,
    };
  }

  function ofRows(rows: readonly Row[], limit: number): Piece {
    if (bytes !== undefined) {
      const sized = rows.map(([id, size, ...values]) => ({ id, bytes: Number(size), values }));
      return inParts(sized, limit);
    }
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      // Where nothing is measured the payload is the record.
      json: listOf(page.map(([, json]) => json as Json<AnyRecord>)),
      unread: [],
      next: rows.length > limit && last ? placeOf(last) : undefined,
    };
  }

  async function inTurn(read: () => MaybePromise<Piece>, until: number): Promise<Piece> {
    const leave = await db.scans.enter(until);
    return Promise.try(read).finally(leave);
  }

  return (asked, each) =>
    (after, limit, until = performance.now() + db.scans.longest) => {
      const read = (by?: Test): MaybePromise<Piece> => {
        const question = { dialect, table, asked, after, payload, by, each };
        return andThen(run(questionSql({ ...question, limit: limit + 1 })), (rows) =>
          ofRows(rows, limit),
        );
      };
      const others = each ? [] : unserved(asked);
      if (others.length === 0) return read();
      if (!dialect.isBlocking) return inTurn(read, until);
      return andThen(rareOf(others), (rare) => {
        if (rare) return read(rare);
        return walk(asked, others, after, limit + 1, until).then((hits) => inParts(hits, limit));
      });
    };
}

function listOf(texts: readonly Json<AnyRecord>[]): Json<AnyRecord[]> {
  // Joined JSON texts are the JSON of their list.
  return `[${texts.join()}]` as Json<AnyRecord[]>;
}
