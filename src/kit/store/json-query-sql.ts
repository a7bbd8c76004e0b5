import { invalid, present } from '../errors.ts';
import { type Column, isLong, type Value } from './columns.ts';
import { positionAt } from './cursor.ts';
import type { Dialect } from './database.ts';
import {
  isNested,
  type JsonAsked,
  type JsonColumn,
  type JsonList,
  type JsonQuery,
  type JsonRoom,
  type JsonValue,
} from './json-query.ts';
import { columnOf, mostOf, type Tables, unreadBytes } from './json-query-size.ts';
import { askedOf } from './question.ts';
import { type Bound, questionSql, type Statement, unserved } from './question-sql.ts';
import type { Table } from './table.ts';

/** Stands in the text for a value that the statement cannot tell. A record may have it too: it is declined as well. */
export const DECLINED = '\u0003';

// A longer text is left to who reads records one by one.
const LONGEST_TEXT = 16_384;

type Parts = {
  readonly dialect: Dialect;
  readonly tables: Tables;
  readonly asked: readonly JsonAsked[];
};

/** A statement that serves for all ids. */
export type JsonStatement = Statement & {
  /** At which places of its values are ids, and by which of the questions. */
  readonly ids: readonly (readonly [value: number, at: number])[];
};

type Written = {
  readonly values: Value[];
  readonly ids: JsonStatement['ids'][number][];
  readonly bytes: number;
};

/** Where a selection stands. */
type Place = {
  /** Its name in SQL, and its table; the root has neither. */
  readonly record: { readonly alias: string; readonly table: Table } | undefined;
  /** How many records there may be below each. */
  readonly room: number;
};

/**
 * The statement that makes a JSON text. It throws where the questions are those that may look at every record, or ask
 * for more than there is room for.
 */
export function jsonSql(parts: Parts, query: JsonQuery, room: JsonRoom): JsonStatement {
  const values: Value[] = [];
  const ids: JsonStatement['ids'][number][] = [];
  const write = createWrite(parts, { values, ids, bytes: room.bytes });
  const object = write(query, { record: undefined, room: room.records });
  return { sql: `SELECT ${object}`, values, ids };
}

function createWrite({ dialect, tables, asked }: Parts, { values, ids, bytes }: Written) {
  const { json } = dialect;
  const bound: Bound = (value, type) => `CAST($${values.push(value)} AS ${type})`;
  const declined = json.constant(DECLINED);
  let aliases = 0;

  function object(members: JsonQuery, place: Place): string {
    const nested = members.filter(({ value }) => isNested(value)).length;
    const inner = { ...place, room: place.room / Math.max(nested, 1) };
    return json.object(members.map(({ key, value }) => [key, valueSql(value, inner)]));
  }

  function valueSql(value: JsonValue, place: Place): string {
    if (value.kind === 'constant') return json.constant(value.text);
    if (value.kind === 'list') return listSql(value, place);
    const { record } = place;
    if (value.kind === 'column') return columnSql(value, present(record).table);
    const table = present(tables.get(value.table));
    const alias = `t${aliases++}`;
    const own = object(value.members, { ...place, record: { alias, table } });
    const select = (made: string, id: string) =>
      `(SELECT ${made} FROM ${table.sql} AS ${alias} WHERE ${alias}.id = ${id})`;
    if (value.kind === 'record') {
      ids.push([values.length, value.at]);
      const found = select(own, bound(null, 'bigint'));
      return value.isNullable ? json.orNull(found) : `coalesce(${found}, ${declined})`;
    }
    const unread = unreadBytes(table, value.members);
    const made = unread ? when(`${unread} > ${bound(bytes, 'bigint')}`, declined, own) : own;
    const outer = present(record);
    const reference = `${outer.alias}.${columnOf(outer.table, value.field).name}`;
    const found = `coalesce(${select(made, reference)}, ${declined})`;
    return when(`${reference} IS NULL`, value.isNullable ? json.null : declined, found);
  }

  function listSql(list: JsonList, place: Place): string {
    const { first, after, ...question } = asked[list.at] ?? {};
    const table = present(tables.get(list.table));
    const own = askedOf(table, question);
    const room = Math.floor(place.room);
    const open = mostOf(list, room, tables, asked);
    if (open < 1) throw tooMany();
    const most = Math.min(first ?? open, open);
    const conditions: string[] = [];
    if (first === undefined) conditions.push(`count(*) > ${bound(open, 'integer')}`);
    const unread = unreadBytes(table, list.members);
    if (unread) conditions.push(`sum("#") > ${bound(bytes, 'bigint')}`);
    const also: string[] = [];
    let source = table.sql;
    if (list.parent !== undefined) {
      const isChild = `${columnOf(table, list.parent).name} = ${present(place.record).alias}.id`;
      if (own.conditions.length > 0 || own.terms.length > 0) {
        // No index has the children of one parent in this order: they are all looked at, if they are few.
        const few = (what: string, limit: number) =>
          `(SELECT ${what} FROM ${table.sql} WHERE ${isChild} LIMIT ${bound(limit, 'integer')})`;
        conditions.push(
          `(SELECT count(*) FROM ${few('1', open + 1)} AS f) > ${bound(open, 'integer')}`,
        );
        source = `${few('*', open)} AS f`;
      } else also.push(isChild);
    } else if (unserved(own).length > 0 || own.terms.length > 1) throw tooMany();
    const inner = questionSql({
      dialect,
      table: { ...table, sql: source },
      asked: own,
      after: after === undefined ? undefined : positionAt(table, own, after),
      limit: first ?? open + 1,
      payload: [...readNames(table, list.members), unread || '0'].join(),
      values,
      also,
    });
    const alias = `t${aliases++}`;
    const below = { record: { alias, table }, room: room / Math.max(most, 1) };
    const array = json.array(object(list.members, below));
    const made = conditions.length > 0 ? when(conditions.join(' OR '), declined, array) : array;
    return `(SELECT ${made} FROM (${inner.sql}) AS ${alias})`;
  }

  function columnSql({ field, as, isNullable }: JsonColumn, table: Table): string {
    const column = columnOf(table, field);
    const made = columnValue(column, as);
    if (column.absent === 'never') return made;
    return isNullable ? json.orNull(made) : `coalesce(${made}, ${declined})`;
  }

  function columnValue(column: Column, as: JsonColumn['as']): string {
    const { name, type } = column;
    const among = (condition: string, made: string) =>
      `CASE WHEN ${condition} THEN ${made} WHEN ${name} IS NOT NULL THEN ${declined} END`;
    if (as === 'int')
      return among(`${name} BETWEEN -2147483648 AND 2147483647`, json.integer(name));
    if (as === 'number') return type === 'number' ? json.number(name) : json.integer(name);
    if (as === 'boolean') return json.boolean(name);
    if (as === 'id' && type === 'integer') return json.id(name);
    const text = json.text(type === 'date-time' ? `${name} || 'Z'` : name);
    if (typeof as !== 'string')
      return among(`${name} IN (${as.map((each) => bound(each, 'text')).join()})`, text);
    return isLong(column) ? among(`octet_length(${name}) <= ${LONGEST_TEXT}`, text) : text;
  }

  return object;
}

const when = (condition: string, made: string, other: string) =>
  `CASE WHEN ${condition} THEN ${made} ELSE ${other} END`;

/** The columns that the members need beside the id. */
function readNames(table: Table, members: JsonQuery): string[] {
  const fields = members.flatMap(({ value }) =>
    value.kind === 'column' || value.kind === 'parent' ? [value.field] : [],
  );
  const names = fields.map((field) => columnOf(table, field).name);
  return [...new Set(names)].filter((name) => name !== 'id');
}

function tooMany(): Error {
  return invalid('/query', 'asks for more than one statement reads');
}
