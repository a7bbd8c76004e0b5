import { type Column, comparedType, type Value } from './columns.ts';
import type { Dialect } from './database.ts';
import type { Asked, Operator, Position, Test } from './question.ts';
import type { Table } from './table.ts';

export type Statement = { readonly sql: string; readonly values: readonly Value[] };

const signs: Readonly<Record<Exclude<Operator, 'in' | 'contains'>, string>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/**
 * Reads the id, a payload and the compared values of the terms of up to `limit` records after a position.
 * What comes after a position is read in ranges, each of which is a range of an index: first the records that
 * are equal in all terms, then those that are equal in all but the last, and so on.
 */
export function questionSql(
  dialect: Dialect,
  table: Table,
  { conditions, terms, isDescending }: Asked,
  after: Position | undefined,
  limit: number,
  payload: string,
): Statement {
  const values: Value[] = [];
  const bound = (value: Value, type: string) => `CAST($${values.push(value)} AS ${type})`;
  const most = `LIMIT ${bound(limit, 'integer')}`;
  const where = conditions.map((test) => condition(dialect, test, bound));
  const keys = terms.map(({ column }, i) => `, ${dialect.compared(column)} AS k${i}`).join('');
  const orderBy = (expressions: readonly string[]) => {
    const all = terms.map((term, i) => dialect.ordered(expressions[i] ?? '', term.isDescending));
    return `ORDER BY ${[...all, `id${isDescending ? ' DESC' : ''}`].join()}`;
  };
  const inTable = orderBy(terms.map(({ column }) => dialect.compared(column)));
  const select = (range: readonly string[]) => {
    const all = [...where, ...range].join(' AND ');
    return `SELECT id, ${payload} AS payload${keys} FROM ${table.sql}${all && ` WHERE ${all}`}
      ${inTable} ${most}`;
  };
  if (!after) return { sql: select([]), values };

  const ranges: string[][] = [];
  const same: string[] = [];
  for (const [i, { column, isDescending }] of terms.entries()) {
    const beyond = rangesBeyond(dialect, column, after.values[i] ?? null, isDescending, bound);
    ranges.unshift(...beyond.map((range) => [...same, range]));
    same.push(equality(dialect, column, after.values[i] ?? null, bound));
  }
  ranges.unshift([...same, `id ${isDescending ? '<' : '>'} ${bound(after.id, 'bigint')}`]);
  if (ranges.length === 1) return { sql: select(ranges[0] ?? []), values };
  const parts = ranges.map((range, i) => `SELECT * FROM (${select(range)}) AS r${i}`);
  const order = orderBy(terms.map((_, i) => `k${i}`));
  return { sql: `SELECT * FROM (${parts.join(' UNION ALL ')}) AS r ${order} ${most}`, values };
}

type Bound = (value: Value, type: string) => string;

function condition(dialect: Dialect, { column, operator, value }: Test, bound: Bound): string {
  const compared = dialect.compared(column);
  const type = comparedType(column);
  if (operator === 'in') return `${compared} IN (${dialect.items(bound(value, 'text'), type)})`;
  if (operator === 'contains') return dialect.contains(column.name, bound(value, 'text'));
  if (operator === 'eq') return equality(dialect, column, value, bound);
  return `${compared} ${signs[operator]} ${bound(value, type)}`;
}

function equality(dialect: Dialect, column: Column, value: Value, bound: Bound): string {
  if (value === null) return `${dialect.compared(column)} IS NULL`;
  return `${dialect.compared(column)} = ${bound(value, comparedType(column))}`;
}

/** The ranges of a column that come after a value; NULL is the lowest. */
function rangesBeyond(
  dialect: Dialect,
  column: Column,
  value: Value,
  isDescending: boolean,
  bound: Bound,
): string[] {
  const compared = dialect.compared(column);
  const type = comparedType(column);
  if (!isDescending) {
    if (value !== null) return [`${compared} > ${bound(value, type)}`];
    // SQLite does not search an index for IS NOT NULL.
    return [`${compared} >= ${bound(lowest(column), type)}`];
  }
  if (value === null) return [];
  const lower = `${compared} < ${bound(value, type)}`;
  return column.absent === 'never' ? [lower] : [lower, `${compared} IS NULL`];
}

function lowest({ type }: Column): Value {
  if (type === 'integer') return Number.MIN_SAFE_INTEGER;
  if (type === 'number') return -Number.MAX_VALUE;
  return type === 'boolean' ? false : '';
}
