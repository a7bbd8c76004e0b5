/** What a database holds in one place. */
export type Value = string | number | boolean | null;

/**
 * `long text` has thousands of characters, and `json` holds arrays and objects: a list of them is measured
 * before it is read.
 */
export type ColumnType =
  | 'text'
  | 'long text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'date-time'
  | 'uuid'
  | 'enum'
  | 'json';

/**
 * A type as the contract's types spell it: `date | null` is null where there is no value, `date?` is left out
 * of the record.
 */
export type ColumnText<Type extends ColumnType = ColumnType> = Type | `${Type} | null` | `${Type}?`;

/** The record that a field holds the id of; removing that one is refused, or removes this one too. */
export type Reference = { readonly table: string; readonly onDelete: 'restrict' | 'cascade' };

/** The columns of any table. */
export type AnyColumns = Readonly<Record<string, AnyColumn>>;

type AnyColumn = ColumnText | DeclaredColumn;

type DeclaredColumn = {
  readonly type: ColumnText;
  /** The value where the input has none. */
  readonly default?: unknown;
  readonly references?: Reference;
};

/** A record of any table. */
export type AnyRecord = { readonly id: number; readonly [field: string]: unknown };

/** The fields of an input of any table. */
export type AnyFields = { readonly [field: string]: unknown };

/** A column: the field of the record, and the quoted name that it has in SQL, such as `"created_by"`. */
export type Column = {
  readonly field: string;
  readonly name: string;
  readonly type: ColumnType;
  /** How a record shows NULL. */
  readonly absent: 'never' | 'null' | 'left out';
  readonly default: unknown;
  readonly references: Reference | undefined;
};

/** The types of columns that both engines know. Numbers are kept as JSON text: the engines write them differently. */
export const sqlTypes: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  'long text': 'text',
  integer: 'bigint',
  number: 'text',
  boolean: 'boolean',
  date: 'text',
  'date-time': 'text',
  uuid: 'text',
  enum: 'text',
  json: 'text',
};

/** The type by which the values of a column are compared. */
export function comparedType({ type }: Column): string {
  return type === 'number' ? 'double precision' : sqlTypes[type];
}

export function columnsOf(columns: AnyColumns): Column[] {
  return Object.entries(columns).map(([field, declared]) => {
    const { type: text, ...rest }: DeclaredColumn =
      typeof declared === 'string' ? { type: declared } : declared;
    const absent = text.endsWith(' | null') ? 'null' : text.endsWith('?') ? 'left out' : 'never';
    // Without its ending the text is the type.
    const type = text.replace(/( \| null|\?)$/, '') as ColumnType;
    const { default: given, references } = rest;
    return { field, name: freeName(field), type, absent, default: given, references };
  });
}

/** The name of a field's column: snake case. */
export function columnName(field: string): string {
  return quoted(field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** The store's own column of a collection. */
export const version: Column = {
  ...{ field: 'version', name: '"version"', type: 'integer', absent: 'never' },
  ...{ default: undefined, references: undefined },
};

// A field may have the name of a column that is the store's own.
function freeName(field: string): string {
  const name = columnName(field);
  return name === '"id"' || name === version.name ? quoted(`${field}_`) : name;
}

/** A name as SQL takes it whatever its characters are. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as SQL takes it. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Whether values may be too long to be read many at a time. */
export function isLong({ type }: Column): boolean {
  return type === 'long text' || type === 'json';
}

// SQLite prepares a statement anew for each value of a bare parameter in LIMIT, which takes 4 to 10 µs.
export const limitedBy = (parameter: string) => `LIMIT CAST(${parameter} AS integer)`;
