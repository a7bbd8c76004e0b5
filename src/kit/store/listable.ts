import { type Column, isLong } from './columns.ts';
import { id, type Operator, operators } from './question.ts';
import type { Listable } from './store.ts';

/** Why a list cannot be asked for this comparison; undefined where it can. */
export function filterFault(
  { name, filter }: Listable,
  field: string,
  operator: string,
): string | undefined {
  const column = columnIn(filter, field);
  if (!column) return `needs the filter ${field}, which the table ${name} does not declare`;
  if (!isOperator(operator)) return `needs the comparison ${operator}, which there is not`;
  if (operator === 'contains' && !isText(column)) {
    return `needs text in ${name}.${field}, which is ${column.type}`;
  }
  return undefined;
}

/** Why a list cannot be sorted by a field; undefined where it can. */
export function sortFault({ name, sort }: Listable, field: string): string | undefined {
  if (columnIn(sort, field)) return undefined;
  return `needs the sort field ${field}, which the table ${name} does not declare`;
}

/** The column of a field that can be compared: every table has `id`. */
export function columnIn(columns: readonly Column[], field: string): Column | undefined {
  return field === id.field ? id : columns.find((each) => each.field === field);
}

function isOperator(text: string): text is Operator {
  return operators.some((each) => each === text);
}

function isText(column: Column): boolean {
  return column.type === 'text' || isLong(column);
}
