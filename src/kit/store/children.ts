import { fromJson, type Json } from '../json-text.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Piece } from './collection-piece.ts';
import { type AnyRecord, type Column, limitedBy } from './columns.ts';
import { positionAt } from './cursor.ts';
import type { Database } from './database.ts';
import { type Asked, askedOf, isPlain, positionOf } from './question.ts';
import { createReadQuestion } from './question-piece.ts';
import type { ChildPage, ChildRecords } from './store.ts';
import { recordOf, textLengthOf } from './stored-value.ts';
import type { Table } from './table.ts';

/** The records of a table by those that a column of it refers to. */
export function createChildren(
  db: Database,
  table: Table,
  parent: Column,
): ChildRecords<AnyRecord> {
  const { columns } = table;
  const { name } = parent;
  const parentId = (record: AnyRecord) => Number(record[parent.field]);
  const readQuestion = createReadQuestion(db, table);
  // In the order of the index on the parent, so that LIMIT ends the scan and nothing is sorted.
  const readAll = db.read(
    `SELECT ${['id', ...columns.map(({ name }) => name)].join()} FROM ${table.sql}
     WHERE ${name} IN (${db.dialect.numbers('$1')}) AND (${name}, id) > ($2, $3)
     ORDER BY ${name}, id ${limitedBy('$4')}`,
    recordOf(columns),
  );

  async function asked(ids: readonly number[], page: ChildPage<AnyRecord>): Promise<AnyRecord[]> {
    const { limit, after, first, start } = page;
    const own = askedOf(table, page);
    const [only] = ids.length === 1 ? ids : [];
    // The children of one parent are a list like any other. After some of `first` were read, their number is unknown.
    if (only !== undefined && (first === undefined || (after === undefined && first <= limit))) {
      const isChild = { column: parent, operator: 'eq', value: only } as const;
      const read = readQuestion({ ...own, conditions: [isChild, ...own.conditions] });
      const begin = start === undefined ? undefined : positionAt(table, own, start);
      const piece = await read(after ? positionOf(own, after) : begin, first ?? limit);
      return recordsOf(piece);
    }
    const isAmong = { column: parent, operator: 'in', value: JSON.stringify(ids) } as const;
    const all: Asked = {
      conditions: [isAmong, ...own.conditions],
      terms: [{ column: parent, isDescending: false }, ...own.terms],
      isDescending: own.isDescending,
    };
    const each = {
      ...{ parent, asked: own, first },
      start: start === undefined ? undefined : positionAt(table, own, start),
    };
    const read = readQuestion(all, first === undefined && start === undefined ? undefined : each);
    return recordsOf(await read(after && positionOf(all, after), limit));
  }

  return {
    listable: table,
    field: parent.field,
    ofParents(ids, page): MaybePromise<AnyRecord[]> {
      const { after, limit, first, start } = page;
      const last = after ? parentId(after) : 0;
      const remaining = ids.filter((id) => id >= last);
      if (!isPlain(page) || first !== undefined || start !== undefined) {
        return asked(remaining, page);
      }
      return readAll(JSON.stringify(remaining), last, after?.id ?? 0, limit);
    },
    parentId,
    textLength: textLengthOf(columns),
  };
}

async function recordsOf({ json, unread }: Piece): Promise<AnyRecord[]> {
  const texts: Json<AnyRecord[]>[] = json === undefined ? [] : [json];
  for (const part of unread) texts.push(await part());
  return texts.flatMap(fromJson);
}
