import { andThen } from '../maybe-promise.ts';
import type { AnyRecord } from './columns.ts';
import type { Database } from './database.ts';
import type { ChildRecords, Readable } from './store.ts';
import { recordOf, textLengthOf } from './stored-value.ts';
import type { Relation, Table } from './table.ts';

// SQLite prepares a statement anew for each value of a bare parameter in LIMIT, which takes 4 to 10 µs.
export const limit = (parameter: string) => `LIMIT CAST(${parameter} AS integer)`;

/** Records by their ids, and by those that they refer to. */
export function createReading(
  db: Database,
  table: Table,
): Pick<Readable<AnyRecord>, 'find' | 'findAll' | 'textLength' | 'by'> {
  const { columns, relations } = table;
  const names = ['id', ...columns.map(({ name }) => name)].join();
  const record = recordOf(columns);
  const textLength = textLengthOf(columns);
  const select = (where: string) => db.read(`SELECT ${names} FROM ${table.sql} ${where}`, record);
  const byId = select('WHERE id = $1');
  const byIds = select(`WHERE id IN (${db.dialect.numbers('$1')}) ORDER BY id`);
  const byField = new Map(relations.map((each) => [each.column.field, children(each)]));

  function children({ column: { name, field } }: Relation): ChildRecords<AnyRecord> {
    const parentId = (record: AnyRecord) => Number(record[field]);
    // In the order of the index on the parent, so that LIMIT ends the scan and nothing is sorted.
    const ofParents = select(
      `WHERE ${name} IN (${db.dialect.numbers('$1')}) AND (${name}, id) > ($2, $3)
       ORDER BY ${name}, id ${limit('$4')}`,
    );
    return {
      ofParents(ids, { after, limit }) {
        const last = after ? parentId(after) : 0;
        const remaining = after ? ids.filter((id) => id >= last) : ids;
        return ofParents(JSON.stringify(remaining), last, after?.id ?? 0, limit);
      },
      parentId,
      textLength,
    };
  }

  return {
    find: (id) => andThen(byId(id), ([found]) => found),
    findAll: (ids) => byIds(JSON.stringify(ids)),
    textLength,
    by(field) {
      const known = byField.get(field);
      if (!known) throw new Error(`${table.name}.${field} is declared without references`);
      return known;
    },
  };
}
