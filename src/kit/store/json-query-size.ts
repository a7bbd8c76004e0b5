import { present } from '../errors.ts';
import { type Column, isLong } from './columns.ts';
import {
  isNested,
  type JsonAsked,
  type JsonList,
  type JsonQuery,
  type JsonValue,
} from './json-query.ts';
import { id } from './question.ts';
import type { Table } from './table.ts';

export type Tables = ReadonlyMap<string, Table>;

// How many times fewer records are read where long text is.
const LONG = 10;

/** Whether nobody says how many records of a list are looked at. */
export function isOpenList({ at, parent }: JsonList, asked: readonly JsonAsked[]): boolean {
  const { first, where, sort = [] } = asked[at] ?? {};
  const isSearched = parent !== undefined && (where !== undefined || sort.length > 0);
  return first === undefined || isSearched;
}

/** How many records of a list may be looked at, where there is room for so many in all; below 1 there is none. */
export function mostOf(
  list: JsonList,
  room: number,
  tables: Tables,
  asked: readonly JsonAsked[],
): number {
  const { open, records } = demandOf(list, tables, asked);
  // Open lists share what there is room for.
  if (isOpenList(list, asked)) return Math.floor((room / records) ** (1 / open));
  const first = asked[list.at]?.first ?? 0;
  return first * longIn(list, tables) > room ? 0 : Math.max(first, 1);
}

/** How many lists inside of each other are open, and how many records the others may have for each of theirs. */
function demandOf(
  value: JsonValue,
  tables: Tables,
  asked: readonly JsonAsked[],
): { readonly open: number; readonly records: number } {
  if (!isNested(value)) return { open: 0, records: 1 };
  const nested = value.members.filter((member) => isNested(member.value));
  const below = nested.map((member) => demandOf(member.value, tables, asked));
  const open = Math.max(0, ...below.map((each) => each.open));
  const records = Math.max(1, ...below.map((each) => each.records)) * Math.max(1, nested.length);
  if (value.kind !== 'list') return { open, records };
  const own = records * longIn(value, tables);
  if (isOpenList(value, asked)) return { open: open + 1, records: own };
  return { open, records: own * Math.max(asked[value.at]?.first ?? 1, 1) };
}

function longIn({ table: name, members }: JsonList, tables: Tables): number {
  const table = present(tables.get(name));
  const isLongColumn = ({ kind, ...rest }: JsonValue) =>
    kind === 'column' && 'field' in rest && isLong(columnOf(table, rest.field));
  return members.some(({ value }) => isLongColumn(value)) ? LONG : 1;
}

/** How many bytes of text the columns of a record have that are not read; empty where there are none. */
export function unreadBytes({ columns }: Table, members: JsonQuery): string {
  const read = new Set(members.map(({ value }) => (value.kind === 'column' ? value.field : '')));
  return (
    columns
      .filter(
        ({ field, type }) => !read.has(field) && !['integer', 'number', 'boolean'].includes(type),
      )
      // The `Z` of an instant is not stored.
      .map(
        ({ name, type }) =>
          `coalesce(octet_length(${name})${type === 'date-time' ? ' + 1' : ''}, 0)`,
      )
      .join(' + ')
  );
}

export function columnOf({ columns }: Table, field: string): Column {
  return field === 'id' ? id : present(columns.find((each) => each.field === field));
}
