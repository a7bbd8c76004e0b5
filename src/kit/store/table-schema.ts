import { type Column, columnName, quoted, sqlTypes } from './columns.ts';
import type { Table } from './table.ts';

/** The tables of a database as its catalogue shows them. */
export type Schema = ReadonlyMap<string, TableSchema>;

export type TableSchema = {
  readonly columns: ReadonlyMap<string, ColumnSchema>;
  readonly references: readonly ReferenceSchema[];
  readonly indexes: readonly IndexSchema[];
};

export type ColumnSchema = {
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
};

export type ReferenceSchema = {
  readonly column: string;
  readonly table: string;
  readonly onDelete: 'restrict' | 'cascade' | 'other';
};

export type IndexSchema = { readonly isUnique: boolean; readonly keys: readonly string[] };

/** What the engines' catalogues say differently. */
export type SchemaDialect = {
  /** The type of a column. */
  type(column: Column): string;
  /** Whether a list can be read in the order of a column and then of the id by an index with these keys. */
  isSorted(keys: readonly string[], column: Column): boolean;
};

/** Something that is declared and not in the database, or the other way round. */
export type Difference = { readonly text: string } & (
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'column' | 'index'; readonly table: Table; readonly column: Column }
  | { readonly kind: 'unique'; readonly table: Table; readonly column: Column }
  | { readonly kind: 'other' }
);

/** How the tables of a database differ from what is declared. What a newer server may have added is none. */
export function schemaDifferences(
  tables: readonly Table[],
  schema: Schema,
  dialect: SchemaDialect,
): Difference[] {
  return tables.flatMap((table) => {
    const found = schema.get(table.name);
    if (!found)
      return [{ kind: 'table' as const, table, text: `the table ${table.name} is missing` }];
    return [
      ...columnDifferences(table, found, dialect),
      ...referenceDifferences(table, found),
      ...indexDifferences(table, found, dialect),
    ];
  });
}

/** One line for each difference. */
export function requireSame(differences: readonly Difference[]): void {
  if (differences.length === 0) return;
  const lines = differences.map(({ text }) => `\n- ${text}`).join('');
  throw new Error(
    `the tables of the database are not as declared; a migration can be drafted by migrate --draft:${lines}`,
  );
}

/** The columns that an index must begin with: those of declared filters, sorts and relations. */
export function indexedColumns({ filter, sort, relations }: Table): Column[] {
  const all = [...filter.filter(({ type }) => type !== 'long text'), ...sort];
  return [...new Set([...relations.map(({ column }) => column), ...all])];
}

function columnDifferences(table: Table, found: TableSchema, dialect: SchemaDialect): Difference[] {
  const version = table.kind === 'collection' ? ['version'] : [];
  const known = new Set([columnName('id'), ...version.map(quoted)]);
  const own = ['id', ...version].flatMap((name) =>
    found.columns.has(name) ? [] : [other(`${table.name} lacks the column ${name}`)],
  );
  const declared = table.columns.flatMap((column): Difference[] => {
    known.add(column.name);
    const name = plainName(column);
    const there = found.columns.get(name);
    const place = `${table.name}.${name}`;
    if (!there) return [{ kind: 'column', table, column, text: `${place} is missing` }];
    const isNullable = column.absent !== 'never';
    const type = dialect.type(column);
    return [
      ...(there.type === type ? [] : [other(`${place} is ${there.type}, not ${type}`)]),
      ...(there.isNullable === isNullable
        ? []
        : [other(`${place} ${isNullable ? 'does not take NULL' : 'takes NULL'}`)]),
    ];
  });
  const needed = [...found.columns].flatMap(([name, { isNullable, hasDefault }]) =>
    known.has(quoted(name)) || isNullable || hasDefault
      ? []
      : [other(`${table.name}.${name} is not declared and needs a value`)],
  );
  return [...own, ...declared, ...needed];
}

function referenceDifferences(table: Table, found: TableSchema): Difference[] {
  return table.relations.flatMap(({ column, parent, onDelete }) => {
    const name = plainName(column);
    const place = `${table.name}.${name}`;
    if (!found.columns.has(name)) return [];
    const there = found.references.find((each) => each.column === name && each.table === parent);
    if (!there) return [other(`${place} does not refer to ${parent}`)];
    if (there.onDelete === onDelete) return [];
    return [
      other(`${place} is declared to ${onDelete} when its ${parent} is removed, and does not`),
    ];
  });
}

function indexDifferences(table: Table, found: TableSchema, dialect: SchemaDialect): Difference[] {
  const isThere = (column: Column) => {
    const isCompared = table.filter.includes(column) || table.sort.includes(column);
    // That of a unique field serves lists in SQLite alone.
    return found.indexes.some(({ keys, isUnique }) =>
      isCompared ? !isUnique && dialect.isSorted(keys, column) : isOn(keys[0], column),
    );
  };
  const missing = indexedColumns(table)
    .filter((column) => !isThere(column))
    .map((column): Difference => {
      const text = `${table.name}.${plainName(column)} has no index for lists`;
      return { kind: 'index', table, column, text };
    });
  const repeated = table.unique
    .filter((column) => {
      const isUnique = ({ isUnique, keys }: IndexSchema) =>
        isUnique && keys.length === 1 && isOn(keys[0], column);
      return !found.indexes.some(isUnique);
    })
    .map((column): Difference => {
      const text = `${table.name}.${plainName(column)} is not unique`;
      return { kind: 'unique', table, column, text };
    });
  return [...missing, ...repeated];
}

/** Whether a key, which may have a collation, is a column. */
function isOn(key: string | undefined, column: Column): boolean {
  return key?.replaceAll(/( C)?( first)?$/g, '') === plainName(column);
}

/** The name of a column without its quotes. */
export function plainName({ name }: Column): string {
  return name.slice(1, -1).replaceAll('""', '"');
}

function other(text: string): Difference {
  return { kind: 'other', text };
}

/** The type of a column by which the engines know it. */
export function storageType({ type }: Column): 'bigint' | 'boolean' | 'text' {
  const name = sqlTypes[type];
  return name === 'bigint' || name === 'boolean' ? name : 'text';
}
