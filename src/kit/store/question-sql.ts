import { type Column, comparedType, type Value } from './columns.ts';
import type { Dialect } from './database.ts';
import {
  type Asked,
  compareValues,
  id,
  type Operator,
  type Position,
  type Term,
  type Test,
} from './question.ts';
import type { Table } from './table.ts';

export type Statement = { readonly sql: string; readonly values: readonly Value[] };

const signs: Readonly<Record<Exclude<Operator, 'in' | 'contains'>, string>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

export type Read = {
  readonly dialect: Dialect;
  readonly table: Table;
  readonly asked: Asked;
  readonly after: Position | undefined;
  readonly limit: number;
  /** An expression that is read beside the id. */
  readonly payload: string | ((bound: Bound) => string);
  /** The condition whose index is used; without one it is that of the order. */
  readonly by?: Test | undefined;
  /** Only as many records of each parent, from a position on. */
  readonly each?: Each | undefined;
  /** Where its values go, if it is part of another statement. */
  readonly values?: Value[];
  /** Further conditions, in SQL. */
  readonly also?: readonly string[];
};

export type Each = {
  readonly parent: Column;
  /** The question about the children of one parent. */
  readonly asked: Asked;
  readonly start: Position | undefined;
  readonly first: number | undefined;
};

/**
 * Reads the id, a payload and the compared values of the terms of up to `limit` records after a position.
 * What comes after a position is read in ranges, each of which is a range of an index: first the records that
 * are equal in all terms, then those that are equal in all but the last, and so on.
 */
export function questionSql({
  dialect,
  table,
  asked: { conditions, terms, isDescending },
  after,
  limit,
  payload,
  by,
  each,
  values = [],
  also = [],
}: Read): Statement {
  const bound = (value: Value, type: string) => `CAST($${values.push(value)} AS ${type})`;
  const most = `LIMIT ${bound(limit, 'integer')}`;
  const tests = conditions.map((test) => {
    const isIndexed = by ? test === by : isInOrder(terms, test) && !isPassed(terms, test, after);
    return conditionSql(dialect, test, isIndexed, bound);
  });
  const where = [...also, ...tests];
  const source = each ? firstOfEach(dialect, table, each, where, bound) : table.sql;
  // A name with # is no field's, so that ORDER BY takes none for another.
  const keys = terms.map(({ column }, i) => `, ${dialect.compared(column)} AS "#${i}"`).join('');
  const inTable = by ? withoutIndexes(dialect) : dialect;
  const read = typeof payload === 'string' ? payload : payload(bound);
  const select = ({ conditions, constant }: Interval) => {
    const all = [...(each ? [] : where), ...conditions].join(' AND ');
    const order = orderOf(inTable, terms.slice(constant), isDescending);
    return `SELECT id, ${read} AS "#"${keys} FROM ${source}${all && ` WHERE ${all}`}
      ORDER BY ${order.join()} ${most}`;
  };
  if (!after) return { sql: select({ conditions: [], constant: 0 }), values };
  const [first, ...others] = intervals(inTable, terms, isDescending, after, bound).map(select);
  if (others.length === 0) return { sql: first ?? '', values };
  const parts = [first, ...others].map((sql, i) => `SELECT * FROM (${sql}) AS r${i}`);
  const order = [
    ...terms.map(({ isDescending }, i) => dialect.ordered(`"#${i}"`, isDescending)),
    `id${isDescending ? ' DESC' : ''}`,
  ];
  const union = `SELECT * FROM (${parts.join(' UNION ALL ')}) AS r`;
  return { sql: `${union} ORDER BY ${order.join()} ${most}`, values };
}

/** A range of an index, and how many of the terms are the same in all of it. */
type Interval = { readonly conditions: readonly string[]; readonly constant: number };

/** What comes after a position, in ranges that do not overlap. */
function intervals(
  dialect: Dialect,
  terms: readonly Term[],
  isDescending: boolean,
  after: Position,
  bound: Bound,
): Interval[] {
  const intervals: Interval[] = [];
  const same: string[] = [];
  let constant = 0;
  for (const [i, { column, isDescending }] of terms.entries()) {
    const value = after.values[i] ?? null;
    const beyond = beyondValue(dialect, column, value, isDescending, bound);
    intervals.unshift(...beyond.map((range) => ({ conditions: [...same, range], constant })));
    same.push(equality(dialect, column, value, bound));
    if (constant === i && dialect.isConstant(value)) constant++;
  }
  const beyondId = `${dialect.compared(id)} ${isDescending ? '<' : '>'} ${bound(after.id, 'bigint')}`;
  return [{ conditions: [...same, beyondId], constant }, ...intervals];
}

/** The rows of a table that are among the first of their parent. */
function firstOfEach(
  dialect: Dialect,
  table: Table,
  { parent, asked: { terms, isDescending }, start, first }: Each,
  where: readonly string[],
  bound: Bound,
): string {
  const later = start
    ? intervals(dialect, terms, isDescending, start, bound)
        .map(({ conditions }) => `(${conditions.join(' AND ')})`)
        .join(' OR ')
    : '';
  const all = [...where, ...(later ? [`(${later})`] : [])].join(' AND ');
  const order = orderOf(dialect, terms, isDescending).join();
  const place = `row_number() OVER (PARTITION BY ${parent.name} ORDER BY ${order})`;
  const most = first === undefined ? '' : ` WHERE "#place" <= ${bound(first, 'integer')}`;
  return `(SELECT * FROM (SELECT *, ${place} AS "#place" FROM ${table.sql} WHERE ${all}) AS every${most}) AS each`;
}

function withoutIndexes(dialect: Dialect): Dialect {
  return { ...dialect, compared: (column) => dialect.unindexed(dialect.compared(column)) };
}

function orderOf(dialect: Dialect, terms: readonly Term[], isDescending: boolean): string[] {
  const ordered = terms.map(({ column, isDescending }) =>
    dialect.ordered(dialect.compared(column), isDescending),
  );
  return [...ordered, `${dialect.compared(id)}${isDescending ? ' DESC' : ''}`];
}

/** A parameter with this value. */
export type Bound = (value: Value, type: string) => string;

/** A condition in SQL. */
export function conditionSql(
  dialect: Dialect,
  { column, operator, value }: Test,
  isIndexed: boolean,
  bound: Bound,
): string {
  const plain = dialect.compared(column);
  const compared = isIndexed ? plain : dialect.unindexed(plain);
  const type = comparedType(column);
  if (operator === 'in') return `${compared} IN (${dialect.items(bound(value, 'text'), type)})`;
  if (operator === 'contains') return dialect.contains(column.name, bound(value, 'text'));
  if (operator === 'eq' && value === null) return `${compared} IS NULL`;
  if (operator === 'eq') return `${compared} = ${bound(value, type)}`;
  return `${compared} ${signs[operator]} ${bound(value, type)}`;
}

/**
 * Whether an index has the records that meet a condition in the order of these terms: that of the first term,
 * and of a column for the records that are equal in it and in order of id.
 */
function isInOrder([first]: readonly Term[], { column, operator }: Test): boolean {
  if (column.name === 'id') return true;
  return first ? first.column === column && operator !== 'contains' : operator === 'eq';
}

/** The conditions that the index of the order does not serve. */
export function unserved({ conditions, terms }: Asked): Test[] {
  const served = conditions.filter((test) => isInOrder(terms, test));
  // In order of id one equality is served.
  const kept = terms.length > 0 ? served : served.slice(0, 1);
  return conditions.filter((test) => !kept.includes(test) && test.column.name !== 'id');
}

/**
 * Whether all that comes after a position is beyond the bound of a condition. Of two lower bounds SQLite takes the
 * first one for its search: from that of the condition it would read all that is before the position.
 */
function isPassed(
  [first]: readonly Term[],
  { column, operator, value }: Test,
  after: Position | undefined,
): boolean {
  const reached = after?.values[0] ?? null;
  if (!first || first.column !== column || reached === null || value === null) return false;
  const isBound = (first.isDescending ? ['lt', 'lte'] : ['gt', 'gte']).includes(operator);
  const difference = compareValues(reached, value);
  return isBound && (first.isDescending ? difference <= 0 : difference >= 0);
}

function equality(dialect: Dialect, column: Column, value: Value, bound: Bound): string {
  if (value === null) return `${dialect.compared(column)} IS NULL`;
  return `${dialect.compared(column)} = ${bound(value, comparedType(column))}`;
}

/** The ranges of a column that come after a value; NULL is the lowest. */
function beyondValue(
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
