import { invalid } from '../errors.ts';
import type { AnyFields, AnyRecord, Column, Value } from './columns.ts';
import { storedTime } from './stored-time.ts';

/** The values of an input as the columns hold them. */
export function storedValues(columns: readonly Column[], fields: AnyFields): Value[] {
  return columns.map((column) => {
    const given = fields[column.field];
    return storedValue(column, given === undefined ? column.default : given);
  });
}

/** A field's value as its column holds it: numbers and JSON as JSON text, instants in UTC. */
export function storedValue(column: Column, value: unknown): Value {
  if (value === undefined) return null;
  if (value === null) return column.type === 'json' && column.absent !== 'null' ? 'null' : null;
  switch (column.type) {
    case 'number':
      return JSON.stringify(value);
    case 'json':
      return jsonText(column, value);
    case 'integer':
      // JSON has no -0.
      if (Number.isSafeInteger(value)) return Number(value) + 0;
      throw invalid(`/body/${column.field}`, 'must be an integer of at most 2^53 - 1');
    case 'boolean':
      return Boolean(value);
    case 'uuid':
      return String(value).toLowerCase();
    case 'date-time':
      return storedTime(String(value), `/body/${column.field}`);
    default:
      return String(value);
  }
}

function jsonText({ field }: Column, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.parse takes thousands of levels more than JSON.stringify.
    if (error instanceof RangeError) throw invalid(`/body/${field}`, 'has too many levels');
    throw error;
  }
}

/** Makes a record of a row that has the id and then these columns. */
export function recordOf(columns: readonly Column[]): (row: readonly Value[]) => AnyRecord {
  return (row) => {
    const record: Record<string, unknown> & { id: number } = { id: Number(row[0]) };
    let i = 1;
    for (const column of columns) {
      const value = row[i++] ?? null;
      if (value !== null) record[column.field] = fieldValue(column, value);
      else if (column.absent !== 'left out') record[column.field] = null;
    }
    return record;
  };
}

function fieldValue({ type }: Column, value: string | number | boolean): unknown {
  // SQLite has no booleans: there they are 0 and 1.
  if (type === 'boolean') return Boolean(value);
  if (type === 'number' || type === 'json') return JSON.parse(String(value));
  return type === 'date-time' ? `${value}Z` : value;
}

/** The JSON text of a record that the database would write. */
export function storedJson(
  id: number,
  columns: readonly Column[],
  values: readonly Value[],
): string {
  let text = `{"id":${id}`;
  let i = 0;
  for (const column of columns) {
    const value = values[i++] ?? null;
    if (value === null && column.absent === 'left out') continue;
    text += `,${JSON.stringify(column.field)}:${jsonOf(column, value)}`;
  }
  return `${text}}`;
}

function jsonOf({ type }: Column, value: Value): string {
  if (value === null) return 'null';
  if (type === 'number' || type === 'json') return String(value);
  return type === 'date-time' ? `"${value}Z"` : JSON.stringify(value);
}

/** Counts the characters in the text fields of a record. */
export function textLengthOf(columns: readonly Column[]): (record: AnyRecord) => number {
  const texts = columns.filter(({ type }) => !['integer', 'number', 'boolean'].includes(type));
  return (record) => {
    let length = 0;
    for (const { field, type } of texts) {
      const value = record[field];
      if (value === undefined || value === null) continue;
      length += type === 'json' ? JSON.stringify(value).length : String(value).length;
    }
    return length;
  };
}
