import { invalid } from '../errors.ts';
import type { Column, Value } from './columns.ts';
import type { Asked, Position } from './question.ts';
import type { Cursor } from './store.ts';
import type { Table } from './table.ts';

/** The text of a position; in order of id it is the id. */
export function cursorOf(table: Table, asked: Asked, { values, id }: Position): Cursor {
  if (isById(asked)) return id;
  const keys = asked.terms.map(({ column }, i) =>
    // SQLite has no booleans.
    column.type === 'boolean' && values[i] !== null ? Boolean(values[i]) : values[i],
  );
  return Buffer.from(JSON.stringify([nameOf(table, asked), ...keys, id])).toString('base64url');
}

/** The position that a cursor stands for; a cursor of another list, or none at all, is refused. */
export function positionAt(table: Table, asked: Asked, cursor: Cursor): Position {
  const [name, ...keys] = isById(asked) ? [nameOf(table, asked), cursor] : decoded(cursor);
  const last = keys.pop();
  const id = isById(asked) ? (ID.test(String(last)) ? Number(last) : Number.NaN) : last;
  const isKnown =
    name === nameOf(table, asked) &&
    isId(id) &&
    keys.length === asked.terms.length &&
    asked.terms.every(({ column }, i) => isKey(column, keys[i]));
  if (!isKnown) throw invalid('/after', 'is not a cursor of this list');
  // `isKey` holds for each.
  return { values: keys as Value[], id };
}

function isId(id: unknown): id is number {
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0;
}

// Number also takes spaces, hexadecimal digits and exponents.
const ID = /^(0|[1-9][0-9]{0,15})$/;

function isById({ terms, isDescending }: Asked): boolean {
  return terms.length === 0 && !isDescending;
}

function decoded(cursor: Cursor): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(String(cursor), 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** What makes the cursors of one list those of no other. */
function nameOf({ name }: Table, { terms, isDescending }: Asked): string {
  const fields = terms.map(
    ({ column, isDescending }) => `${isDescending ? '-' : ''}${column.field}`,
  );
  return `${name} ${[...fields, isDescending ? '-id' : 'id'].join()}`;
}

function isKey({ type, absent }: Column, key: unknown): boolean {
  if (key === null) return absent !== 'never';
  if (type === 'boolean') return typeof key === 'boolean';
  if (type === 'integer') return Number.isSafeInteger(key);
  if (type === 'number') return Number.isFinite(key);
  return typeof key === 'string' && !key.includes('\0') && key.isWellFormed();
}
