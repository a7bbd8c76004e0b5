import type { DatabaseSync } from 'node:sqlite';
import { plainName, type Schema, type SchemaDialect, storageType } from '../table-schema.ts';

/** As SQLite's catalogue says it. An index has the rowid, which is the id, as its last key. */
export const sqliteSchemaDialect: SchemaDialect = {
  type: (column) => (storageType(column) === 'text' ? 'TEXT' : 'INTEGER'),
  isSorted: ([first, second], column) =>
    first === `${column.type === 'number' ? 'number ' : ''}${plainName(column)}` &&
    (second === undefined || second === 'id'),
};

export function readSqliteSchema(database: DatabaseSync): Schema {
  const all = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object(row));
  const columns = Map.groupBy(all(columnsSql), ({ of }) => String(of));
  const references = Map.groupBy(all(referencesSql), ({ of }) => String(of));
  const keys = Map.groupBy(all(keysSql), ({ of }) => String(of));
  return new Map(
    [...columns].map(([table, rows]) => [
      table,
      {
        columns: new Map(
          rows.map(({ name, type, isRequired, isGiven }) => [
            String(name),
            { type: String(type), isNullable: !isRequired, hasDefault: Boolean(isGiven) },
          ]),
        ),
        references: (references.get(table) ?? []).map((row) => ({
          column: String(row.column),
          table: String(row.table),
          onDelete: deletions.get(row.onDelete) ?? 'other',
        })),
        indexes: [...Map.groupBy(keys.get(table) ?? [], ({ index }) => String(index)).values()].map(
          (index) => ({
            isUnique: Boolean(index[0]?.isUnique),
            keys: index.map(({ name, sql }) => name ?? numberKey(String(sql))),
          }),
        ),
      },
    ]),
  );
}

const deletions = new Map<unknown, 'restrict' | 'cascade'>([
  ['NO ACTION', 'restrict'],
  ['RESTRICT', 'restrict'],
  ['CASCADE', 'cascade'],
]);

/** The catalogue has no expressions of an index, only its text. */
function numberKey(sql: string): string {
  const [before = ''] = sql.split(' AS double precision)');
  return `number ${before.split('CAST(').at(-1)?.replaceAll('"', '')}`;
}

const columnsSql = `SELECT t.name AS of, c.name, c.type, c."notnull" AS isRequired,
    c.dflt_value IS NOT NULL OR c.pk AS isGiven
  FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'`;
const referencesSql = `SELECT t.name AS of, r."from" AS "column", r."table", r.on_delete AS onDelete
  FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS r WHERE t.type = 'table'`;
const keysSql = `SELECT t.name AS of, i.name AS "index", i."unique" AS isUnique, k.name, s.sql
  FROM sqlite_schema AS t, pragma_index_list(t.name) AS i, pragma_index_xinfo(i.name) AS k
  LEFT JOIN sqlite_schema AS s ON s.name = i.name
  WHERE t.type = 'table' AND NOT i.partial AND k.key ORDER BY i.name, k.seqno`;
