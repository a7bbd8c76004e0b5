import { type Column, comparedType, literal, sqlTypes } from '../columns.ts';
import type { Dialect } from '../database.ts';
import { postgresJson } from './postgres-json.ts';

export const postgresDialect: Dialect = {
  record,
  list: (columns) => `concat('[', string_agg(${record(columns)}, ',' ORDER BY id), ']')`,
  numbers: (parameter) =>
    `SELECT CAST(json_array_elements_text(CAST(${parameter} AS json)) AS bigint)`,
  items: (parameter, type) =>
    `SELECT CAST(json_array_elements_text(CAST(${parameter} AS json)) AS ${type})`,
  compared(column) {
    if (column.type === 'number') return `CAST(${column.name} AS ${comparedType(column)})`;
    // The collation C compares bytes, which in UTF-8 is the order of code points, as in SQLite.
    return sqlTypes[column.type] === 'text' ? `${column.name} COLLATE "C"` : column.name;
  },
  ordered: (expression, isDescending) =>
    `${expression} ${isDescending ? 'DESC NULLS LAST' : 'NULLS FIRST'}`,
  isBlocking: false,
  // It would compute the value wherever it is used.
  kept: 'MATERIALIZED',
  // PostgreSQL knows how many records each condition leaves, and chooses the index itself.
  unindexed: (expression) => expression,
  isConstant: (value) => value !== null,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  json: postgresJson,
};

// json_build_object writes spaces that SQLite does not write; to_json of a value is the same. concat leaves out NULL.
function record(columns: readonly Column[]): string {
  const members = columns.map((column) => {
    const key = literal(`,${JSON.stringify(column.field)}:`);
    if (column.absent === 'never') return `${key}, ${text(column)}`;
    if (column.absent === 'null') return `${key}, coalesce(CAST(${text(column)} AS text), 'null')`;
    return `${key} || ${text(column)}`;
  });
  return `concat('{"id":', id, ${[...members, `'}'`].join()})`;
}

function text({ type, name }: Column): string {
  if (type === 'number' || type === 'json') return name;
  return type === 'date-time' ? `'"' || ${name} || 'Z"'` : `to_json(${name})`;
}
