import { type Column, comparedType, literal } from '../columns.ts';
import type { Dialect } from '../database.ts';
import { sqliteJson } from './sqlite-json.ts';

export const sqliteDialect: Dialect = {
  record: (columns) => (isPlain(columns) ? object(columns) : joined(columns)),
  // The aggregate takes the rows in scan order, which is that of the rowid.
  list: (columns) =>
    isPlain(columns)
      ? `json_group_array(${object(columns)})`
      : `'[' || coalesce(group_concat(${joined(columns)}, ','), '') || ']'`,
  numbers: (parameter) => `SELECT value FROM json_each(${parameter})`,
  items: (parameter) => `SELECT value FROM json_each(${parameter})`,
  compared: (column) =>
    column.type === 'number' ? `CAST(${column.name} AS ${comparedType(column)})` : column.name,
  ordered: (expression, isDescending) => `${expression}${isDescending ? ' DESC' : ''}`,
  isBlocking: true,
  kept: 'NOT MATERIALIZED',
  unindexed: (expression) => `+${expression}`,
  isConstant: () => true,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  json: sqliteJson,
};

// SQLite's parser refuses JSON of more than 1,000 levels, and json_object cannot leave a member out.
function isPlain(columns: readonly Column[]): boolean {
  return columns.every(({ type, absent }) => type !== 'json' && absent !== 'left out');
}

function object(columns: readonly Column[]): string {
  const members = columns.map((column) => `${literal(column.field)}, ${member(column)}`);
  return `json_object('id', id, ${members.join()})`;
}

function member({ type, name }: Column): string {
  if (type === 'boolean') return sqliteJson.boolean(name);
  if (type === 'number') return sqliteJson.number(name);
  return type === 'date-time' ? `${name} || 'Z'` : name;
}

function joined(columns: readonly Column[]): string {
  const members = columns.map((column) => {
    const key = literal(`,${JSON.stringify(column.field)}:`);
    if (column.absent === 'never') return `${key} || ${text(column)}`;
    if (column.absent === 'null') return `${key} || coalesce(${text(column)}, 'null')`;
    return `coalesce(${key} || ${text(column)}, '')`;
  });
  return [`'{"id":' || id`, ...members, `'}'`].join(' || ');
}

function text({ type, name }: Column): string {
  if (type === 'boolean') return `CASE ${name} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
  if (type === 'integer' || type === 'number' || type === 'json') return name;
  if (type === 'date-time') return `'"' || ${name} || 'Z"'`;
  // json_quote of NULL is the text null.
  return `iif(${name} IS NULL, NULL, json_quote(${name}))`;
}
