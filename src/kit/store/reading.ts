import { andThen } from '../maybe-promise.ts';
import { createChildren } from './children.ts';
import type { AnyRecord } from './columns.ts';
import type { Database } from './database.ts';
import type { Readable } from './store.ts';
import { recordOf, textLengthOf } from './stored-value.ts';
import type { Table } from './table.ts';

/** Records by their ids, and by those that they refer to. */
export function createReading(
  db: Database,
  table: Table,
): Pick<Readable<AnyRecord>, 'listable' | 'find' | 'findAll' | 'textLength' | 'by'> {
  const { columns, relations } = table;
  const names = ['id', ...columns.map(({ name }) => name)].join();
  const select = (where: string) =>
    db.read(`SELECT ${names} FROM ${table.sql} ${where}`, recordOf(columns));
  const byId = select('WHERE id = $1');
  const byIds = select(`WHERE id IN (${db.dialect.numbers('$1')}) ORDER BY id`);
  const children = new Map(
    relations.map(({ column }) => [column.field, createChildren(db, table, column)]),
  );
  return {
    listable: table,
    find: (id) => andThen(byId(id), ([found]) => found),
    findAll: (ids) => byIds(JSON.stringify(ids)),
    textLength: textLengthOf(columns),
    by(field) {
      const known = children.get(field);
      if (!known) throw new Error(`${table.name}.${field} is declared without references`);
      return known;
    },
  };
}
