import { fromJson, type Json, type JsonStream, whole } from '../json-text.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { createReadPiece, type Piece, type ReadPiece } from './collection-piece.ts';
import type { AnyRecord } from './columns.ts';
import { cursorOf, positionAt } from './cursor.ts';
import type { Database } from './database.ts';
import { type Asked, askedOf, isPlain, positionOf } from './question.ts';
import { createReadQuestion } from './question-piece.ts';
import type { Cursor, Listing, Page, Range, Sort } from './store.ts';
import type { Table } from './table.ts';

/** The lists of a table. */
export type Lists = {
  list(range: Range<AnyRecord>): MaybePromise<Listing<AnyRecord>>;
  page(page: Page<AnyRecord>): MaybePromise<AnyRecord[]>;
  cursor(record: AnyRecord, sort?: Sort<AnyRecord>): Cursor;
};

// A list without a limit is streamed: a first piece of 100 records, then pieces of 1,000.
const FIRST_PIECE = 100;
const FURTHER_PIECE = 1000;

const plain: Asked = { conditions: [], terms: [], isDescending: false };

export function createLists(db: Database, table: Table): Lists {
  const readAll = createReadPiece(db, table);
  const readQuestion = createReadQuestion(db, table);

  function list({ after, limit, ...question }: Range<AnyRecord>): MaybePromise<Listing<AnyRecord>> {
    const isAll = isPlain(question);
    const asked = isAll ? plain : askedOf(table, question);
    const read = isAll ? readAll : readQuestion(asked);
    const start = after === undefined ? undefined : positionAt(table, asked, after);
    return andThen(read(start, limit ?? FIRST_PIECE), (first) => {
      const isPage = limit !== undefined || first.next === undefined;
      const { json, next } = first;
      const cursor = isPage && next ? cursorOf(table, asked, next) : undefined;
      if (isPage && json !== undefined) return { body: json, next: cursor };
      // Joined JSON lists are the JSON of one list.
      const body = joined(lists(read, first, isPage)) as JsonStream<AnyRecord[]>;
      return { body, next: cursor };
    });
  }

  function cursorAfter(record: AnyRecord, sort?: Sort<AnyRecord>): Cursor {
    const asked = askedOf(table, { sort });
    return cursorOf(table, asked, positionOf(asked, record));
  }

  return {
    list,
    page: ({ after, ...page }) => {
      const cursor = typeof after === 'object' ? cursorAfter(after, page.sort) : after;
      return andThen(list({ ...page, after: cursor }), ({ body }) =>
        typeof body === 'string' ? fromJson(body) : whole(body).then(fromJson),
      );
    },
    cursor: cursorAfter,
  };
}

async function* lists(
  read: ReadPiece,
  first: Piece,
  isPage: boolean,
): AsyncIterable<Json<AnyRecord[]>> {
  let { json, unread, next } = first;
  for (;;) {
    if (json !== undefined) yield json;
    for (const part of unread) yield part();
    if (isPage || next === undefined) return;
    // The status is out: the stream goes on for as long as its client reads it.
    ({ json, unread, next } = await read(next, FURTHER_PIECE, Number.POSITIVE_INFINITY));
  }
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
