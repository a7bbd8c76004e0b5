import { type Column, columnsOf, isLong, quoted } from './columns.ts';
import type { TableDeclaration, Tables } from './table-declarations.ts';

/** A table as statements are made of it. */
export type Table = {
  readonly name: string;
  /** Its name in SQL. */
  readonly sql: string;
  readonly kind: string;
  readonly columns: readonly Column[];
  readonly unique: readonly Column[];
  readonly filter: readonly Column[];
  readonly sort: readonly Column[];
  /** To the records that this table refers to. */
  readonly relations: readonly Relation[];
  /** From the records that refer to this table. */
  readonly referring: readonly Relation[];
};

/** A column that holds the ids of records. */
export type Relation = {
  readonly child: string;
  readonly column: Column;
  readonly parent: string;
  readonly onDelete: 'restrict' | 'cascade';
};

// PostgreSQL cuts longer names off.
const LONGEST_NAME = 63;

/** The tables that are declared, in their order. */
export function tablesOf(declared: Tables): Table[] {
  const tables = Object.entries(declared).map(([name, table]) => ({
    table,
    name,
    columns: columnsOf(table.columns),
  }));
  const relations = tables.flatMap(({ name, columns }) => columns.flatMap(relationOf(name)));
  for (const { child, column, parent } of relations) {
    if (!Object.hasOwn(declared, parent)) {
      throw new Error(`${child}.${column.field} refers to ${parent}, which is no table`);
    }
  }
  return tables.map(({ name, table, columns }) => {
    requireNames(name, columns);
    return {
      name,
      sql: quoted(name),
      kind: table.kind,
      columns,
      unique: named(name, columns, table.unique),
      filter: named(name, columns, table.filter),
      sort: named(name, columns, table.sort).map(requireShort(name)),
      relations: relations.filter(({ child }) => child === name),
      referring: relations.filter(({ parent }) => parent === name),
    };
  });
}

/** Tables in an order in which they can be made; those that refer to each other stay in theirs. */
export function parentsFirst(tables: readonly Table[], done: readonly Table[] = []): Table[] {
  const left = tables.filter((table) => !done.includes(table));
  const isReady = ({ name, relations }: Table) =>
    relations.every(({ parent }) => parent === name || !left.some((each) => each.name === parent));
  const next = left.find(isReady) ?? left[0];
  return next ? parentsFirst(tables, [...done, next]) : [...done];
}

const relationOf =
  (child: string) =>
  (column: Column): Relation[] => {
    if (!column.references) return [];
    const { table: parent, onDelete } = column.references;
    return [{ child, column, parent, onDelete }];
  };

function named(
  table: string,
  columns: readonly Column[],
  fields: TableDeclaration['filter'],
): Column[] {
  return fields.map((field) => {
    const column = columns.find((each) => each.field === field);
    if (!column || column.type === 'json') throw new Error(`${table}.${field} cannot be compared`);
    return column;
  });
}

const requireShort = (table: string) => (column: Column) => {
  if (isLong(column)) throw new Error(`${table}.${column.field} is too long to sort by`);
  return column;
};

function requireNames(table: string, columns: readonly Column[]): void {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice) throw new Error(`${table} has the column ${twice} twice`);
  const long = [quoted(table), ...names].find((name) => Buffer.byteLength(name) - 2 > LONGEST_NAME);
  if (long) throw new Error(`the name ${long} has more than ${LONGEST_NAME} bytes`);
}
