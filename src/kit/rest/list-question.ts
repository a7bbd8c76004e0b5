import { type Document, resolve } from '../contract/openapi-document.ts';
import type { Operation, Parameter } from '../contract/operation.ts';
import { ApiError } from '../errors.ts';
import type { AnyRecord } from '../store/columns.ts';
import { filterFault, sortFault } from '../store/listable.ts';
import type { Cursor, Listable, Range } from '../store/store.ts';

/** The values of query parameters. */
export type Query = Readonly<Record<string, unknown>>;

/** The parameters of a list that are no filters. */
const paging = new Set(['sort', 'limit', 'after']);

/**
 * What the query of a list asks for: `field=value` is equality, `field[gte]=value` another comparison,
 * `sort=-field,other` the order.
 */
export function rangeOf(query: Query): Range<AnyRecord> {
  let where: Record<string, Record<string, unknown>> | undefined;
  for (const name of Object.keys(query)) {
    if (paging.has(name)) continue;
    const { field, operator } = comparisonOf(name);
    where ??= {};
    where[field] = { ...where[field], [operator]: query[name] };
  }
  const sort = query.sort === undefined ? undefined : sortFields(query.sort);
  // The contract admitted the values; what the table cannot be asked stops the start.
  return { where, sort, limit: query.limit, after: query.after } as Range<AnyRecord>;
}

/** The query that asks for the page from a cursor on. */
export function nextQuery(query: Query, cursor: Cursor): string {
  const others = Object.entries(query).filter(([name]) => name !== 'limit' && name !== 'after');
  return [...others, ['limit', query.limit] as const, ['after', cursor] as const]
    .map(([name, value]) => `${encodeURIComponent(name)}=${textsOf(value).map(encodeURIComponent)}`)
    .join('&');
}

/** Runs a list; what the store refuses is told by the names of the parameters. */
export function askedBy<T>(query: Query, list: () => T): T {
  try {
    return list();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.errors) throw error;
    const errors = error.errors.map(({ path, message }) => {
      const [, place, field] = path.split('/');
      if (place === 'after' && query.sort === undefined) return notAnId;
      const names = Object.keys(query).filter((name) => comparisonOf(name).field === field);
      return { path: `/query/${(place === 'where' && names[0]) || place}`, message };
    });
    throw new ApiError(error.code, { errors });
  }
}

/** What a parameter that takes integers alone is refused with. */
const notAnId = { path: '/query/after', message: 'must be an integer in decimal digits' };

/** Refuses an operation with a parameter that the lists of a table cannot be asked. */
export function requireListable(
  listable: Listable,
  { id, parameters }: Operation,
  document: Document,
): void {
  for (const parameter of parameters) {
    const fault = parameter.in === 'query' && faultOf(listable, parameter, document);
    if (fault) throw new Error(`${id}: the parameter ${parameter.name} ${fault}`);
  }
}

function faultOf(
  listable: Listable,
  { name, schema, style, explode }: Parameter,
  document: Document,
): string | undefined {
  const { type, items, enum: values } = Object(schema);
  // So it stands in the link to the next page.
  if (type === 'array' && (explode || style !== 'form')) return 'needs explode: false';
  if (name === 'sort') {
    const named: unknown = items ? Object(resolve(document, items)).enum : values;
    if (!Array.isArray(named)) return 'needs an enum of fields';
    return sortFields(named)
      .map(({ field }) => sortFault(listable, field))
      .find(Boolean);
  }
  if (paging.has(name)) return undefined;
  const { field, operator } = comparisonOf(name);
  if ((type === 'array') !== (operator === 'in')) return `cannot be ${type} for ${operator}`;
  return filterFault(listable, field, operator);
}

function comparisonOf(name: string): { readonly field: string; readonly operator: string } {
  const mark = name.indexOf('[');
  if (mark < 0 || !name.endsWith(']')) return { field: name, operator: 'eq' };
  return { field: name.slice(0, mark), operator: name.slice(mark + 1, -1) };
}

function sortFields(value: unknown) {
  return textsOf(value)
    .flatMap((text) => text.split(','))
    .map((text) => {
      const isDescending = text.startsWith('-');
      return { field: isDescending ? text.slice(1) : text, isDescending };
    });
}

// Null is written as nothing.
function textsOf(value: unknown): string[] {
  return [value].flat().map((each) => String(each ?? ''));
}
