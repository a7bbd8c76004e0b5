/** What a column holds. */
export type Value = string | number | boolean | null;

/** `long text` has thousands of characters: a list of it is measured before it is read. */
export type ColumnType = 'text' | 'long text' | 'integer' | 'boolean';

/** The columns of a table beside `id`, in the order of the record's fields. */
export type Columns<R> = { readonly [Field in Exclude<keyof R, 'id'>]-?: ColumnOf<R[Field]> };

/** The columns of any table. */
export type AnyColumns = Readonly<Record<string, ColumnType>>;

/** A record of any table. */
export type AnyRecord = { readonly id: number; readonly [field: string]: Value };

/** A column: the field of the record, and the quoted name that it has in SQL, such as `"created_by"`. */
export type Column = { readonly field: string; readonly name: string; readonly type: ColumnType };

type ColumnOf<Type> = [Type] extends [string]
  ? 'text' | 'long text'
  : [Type] extends [number]
    ? 'integer'
    : [Type] extends [boolean]
      ? 'boolean'
      : never;

/** The types that both engines know. */
export const sqlTypes: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  'long text': 'text',
  integer: 'bigint',
  boolean: 'boolean',
};

export function columnsOf(columns: AnyColumns): Column[] {
  return Object.entries(columns).map(([field, type]) => ({ field, name: columnName(field), type }));
}

/** The name of a field's column: snake case. */
export function columnName(field: string): string {
  return `"${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
}

/** Counts the characters in the text fields of a record. */
export function textLengthOf(columns: readonly Column[]): (record: AnyRecord) => number {
  const fields = columns.filter(({ type }) => sqlTypes[type] === 'text').map(({ field }) => field);
  return (record) => {
    let length = 0;
    for (const field of fields) length += String(record[field]).length;
    return length;
  };
}

/** Makes a record of a row that has the id and then these columns. */
export function recordOf(columns: readonly Column[]): (row: readonly Value[]) => AnyRecord {
  const cells = columns.map(({ field, type }, i) => ({
    field,
    at: i + 1,
    isBoolean: type === 'boolean',
  }));
  return (row) => {
    const record: Record<string, Value> & { id: number } = { id: Number(row[0]) };
    for (const { field, at, isBoolean } of cells) {
      const value = row[at] ?? null;
      // SQLite has no booleans: there they are 0 and 1.
      record[field] = isBoolean ? Boolean(value) : value;
    }
    return record;
  };
}
