import { isObject } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import type { Reply } from '../http/exchange.ts';
import { isMembers, type Members } from './record-shape.ts';

const SIZES = ['per_page', 'perPage', 'page_size', 'pageSize', 'limit'];
const MOST = 100;

/** The part of a list that a request asks for. */
export type Page = {
  readonly start: number;
  readonly size: number;
  /** Where a page has a number: that of this page. */
  readonly number: number | undefined;
};

/** Reads the plainly named parameters; without any the page has all records, up to a hundred. */
export function pageOf(query: Readonly<Record<string, unknown>>): Page {
  const whole = (name: string) => {
    const value = Number(query[name] ?? Number.NaN);
    return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  };
  const [asked] = SIZES.map(whole).filter((each) => each !== undefined);
  const size = Math.min(asked ?? MOST, MOST);
  const number = query.page === undefined ? undefined : Math.max(whole('page') ?? 1, 1);
  const start = number === undefined ? (whole('offset') ?? 0) : (number - 1) * size;
  return { start, size, number };
}

/**
 * The body with the counts and links of its list: plainly named members of it, or of an object beside the list. The
 * best first, because a schema may not admit all of them.
 */
export function countedBodies(body: unknown, page: Page, total: number, target: URL): unknown[] {
  if (!isMembers(body)) return [body];
  const { start, size, number } = page;
  const counts: Members = {
    ...{ total, total_count: total, totalCount: total, count: total },
    ...{ offset: start, page: number ?? 1 },
    ...Object.fromEntries(SIZES.map((name) => [name, size])),
  };
  const at = (from: number) =>
    size > 0 && from < total && from >= 0 ? addressOf(target, page, from) : null;
  const found = { next: at(start + size), prev: start > 0 ? at(start - size) : null };
  const counted = (members: Members, links: Members): Members =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => {
        if (typeof value === 'number') return [name, counts[name] ?? value];
        return [name, Object.hasOwn(links, name) && !isObject(value) ? links[name] : value];
      }),
    );
  const all = (links: Members) => {
    const inner = Object.entries(body).map(([name, value]) => [
      name,
      isMembers(value) ? counted(value, links) : value,
    ]);
    return counted(Object.fromEntries(inner), links);
  };
  // JSON has no members that are undefined.
  const some = { next: found.next ?? undefined, prev: found.prev ?? undefined };
  return [all(found), JSON.parse(JSON.stringify(all(some))), all({}), body];
}

function addressOf(target: URL, { size, number }: Page, start: number): string {
  const url = new URL(target);
  if (number === undefined) url.searchParams.set('offset', String(Math.max(start, 0)));
  else url.searchParams.set('page', String(Math.floor(start / Math.max(size, 1)) + 1));
  return `${url.pathname}${url.search}`;
}

/** RFC 8288, for an operation that has numbered pages and declares the header. */
export function linkHeader(
  operation: Operation,
  declared: object | undefined,
  target: URL,
  { size, number = 1 }: Page,
  total: number,
): Reply['headers'] {
  const name = Object.keys(Object(declared)).find((each) => each.toLowerCase() === 'link');
  const isNumbered = operation.parameters.some(
    (each) => each.in === 'query' && each.name === 'page',
  );
  const last = Math.max(1, Math.ceil(total / Math.max(size, 1)));
  if (!name || !isNumbered) return {};
  const links = [
    ...(number > 1 ? [['prev', Math.min(number - 1, last)] as const] : []),
    ...(number < last ? [['next', number + 1] as const, ['last', last] as const] : []),
    ...(number > 1 ? [['first', 1] as const] : []),
  ].map(([relation, page]) => {
    const url = new URL(target);
    url.searchParams.set('page', String(page));
    return `<${url}>; rel="${relation}"`;
  });
  return links.length > 0 ? { [name]: links.join(', ') } : {};
}
