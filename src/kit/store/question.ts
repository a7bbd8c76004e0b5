import { invalid } from '../errors.ts';
import type { AnyRecord, Column, Value } from './columns.ts';
import type { Question } from './store.ts';
import { storedTime } from './stored-time.ts';
import type { Table } from './table.ts';

/** A question in terms of columns, with values as they are compared. */
export type Asked = {
  readonly conditions: readonly Test[];
  readonly terms: readonly Term[];
  /** The direction of the ids of records that are otherwise equal. */
  readonly isDescending: boolean;
};

export type Test = {
  readonly column: Column;
  readonly operator: Operator;
  /** For `in` a JSON list. */
  readonly value: Value;
};

export type Term = { readonly column: Column; readonly isDescending: boolean };

/** A place in a list: what its terms compare, and an id. */
export type Position = { readonly values: readonly Value[]; readonly id: number };

export const operators = ['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'contains'] as const;
export type Operator = (typeof operators)[number];

/** The column that every table has. */
export const id: Column = {
  field: 'id',
  name: 'id',
  type: 'integer',
  absent: 'never',
  default: undefined,
  references: undefined,
};

/** What a question asks for; a field that the table does not declare is a fault of the server. */
export function askedOf({ name, filter, sort }: Table, question: Question<AnyRecord>): Asked {
  const conditions = Object.entries(question.where ?? {}).flatMap(([field, comparison]) => {
    const column = field === 'id' ? id : filter.find((each) => each.field === field);
    if (!column) throw new Error(`${name} does not declare the filter ${field}`);
    const tests = operators.flatMap((operator): Test[] => {
      const value = comparison?.[operator];
      return value === undefined ? [] : [{ column, operator, value: operand(column, value) }];
    });
    return tests.filter((test) => !tests.some((other) => isImplied(test, other)));
  });
  const fields = question.sort ?? [];
  const last = fields.findIndex(({ field }) => field === 'id');
  const terms = (last === -1 ? fields : fields.slice(0, last)).map(({ field, isDescending }) => {
    const column = sort.find((each) => each.field === field);
    if (!column) throw new Error(`${name} does not declare the sort field ${field}`);
    return { column, isDescending: isDescending ?? false };
  });
  const { isDescending = false } = (last === -1 ? fields.at(-1) : fields[last]) ?? {};
  return { conditions, terms: unlike(terms), isDescending };
}

/**
 * Whether a bound is met by all that meet another one. Of two bounds on the same side SQLite takes the first one for its
 * search: from there on it would read all that is before the other.
 */
function isImplied({ operator, value }: Test, other: Test): boolean {
  if (value === null || other.value === null) return false;
  const difference = compareValues(other.value, value);
  if (operator === 'gte') return other.operator === 'gt' && difference >= 0;
  if (operator === 'gt') return other.operator === 'gte' && difference > 0;
  if (operator === 'lte') return other.operator === 'lt' && difference <= 0;
  return operator === 'lt' && other.operator === 'lte' && difference < 0;
}

/** How both engines order values that are not NULL. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a !== 'string') return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
}

/** Whether it asks for anything but all records in order of id. */
export function isPlain({ where, sort }: Question<AnyRecord>): boolean {
  const hasConditions = where !== undefined && Object.values(where).some(Boolean);
  return !hasConditions && (sort === undefined || sort.length === 0);
}

/** The place of a record. */
export function positionOf({ terms }: Asked, record: AnyRecord): Position {
  return {
    values: terms.map(({ column }) => comparable(column, record[column.field])),
    id: record.id,
  };
}

function operand(column: Column, value: unknown): Value {
  if (!Array.isArray(value)) return comparable(column, value);
  return JSON.stringify(value.map((each) => comparable(column, each)));
}

/** A value as the database compares it with those of a column. */
function comparable(column: Column, value: unknown): Value {
  const path = `/where/${column.field}`;
  if (value === null || value === undefined) return null;
  switch (column.type) {
    case 'boolean':
      return Boolean(value);
    case 'number':
      return Number(value);
    case 'integer': {
      if (!Number.isInteger(value)) throw invalid(path, 'must be an integer');
      // No column has an integer beyond these.
      return Math.min(Math.max(Number(value), -(2 ** 53)), 2 ** 53);
    }
    case 'date-time':
      return storedTime(String(value), path);
    default: {
      const text = column.type === 'uuid' ? String(value).toLowerCase() : String(value);
      if (text.includes('\0') || !text.isWellFormed()) {
        throw invalid(path, 'must not contain U+0000 or lone surrogates');
      }
      return text;
    }
  }
}

/** Of a field that is named twice the first counts. */
function unlike(terms: readonly Term[]): Term[] {
  return terms.filter(({ column }, i) => terms.findIndex((each) => each.column === column) === i);
}
