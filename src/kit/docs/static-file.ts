import { readFile, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../errors.ts';
import type { Exchange, Reply } from '../http/exchange.ts';

/** As much of an exchange as the pages look at. */
export type Asked = Pick<Exchange, 'method' | 'path' | 'request'>;

/** Identifies a version of what is served. */
type Validators = { readonly tag: string; readonly modified?: string };

/** Serves a file, whole or in part (RFC 9110, 13 and 14). Its bytes are kept: slow clients share them. */
export function createStaticFile(path: () => string, type: string) {
  let kept: { readonly tag: string; readonly bytes: Buffer } | undefined;
  return async ({ method, request: { headers } }: Asked): Promise<Reply> => {
    const { size, mtime } = await stat(path());
    const tag = `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`;
    const modified = mtime.toUTCString();
    const own = {
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'public, max-age=0',
      'Last-Modified': modified,
      ETag: tag,
    };
    if (isRefused(headers, { tag, modified })) {
      const detail = 'The file is not the version that the request names.';
      throw new ApiError('precondition-failed', { detail });
    }
    if (isFresh(headers, { tag, modified })) return { status: 304, headers: own, body: undefined };
    // RFC 9110, 14.2: Range is defined for GET alone.
    const range = method === 'GET' ? rangeIn(headers, size, modified) : undefined;
    if (kept?.tag !== tag) kept = { tag, bytes: await readFile(path()) };
    const { bytes } = kept;
    if (!range) return { status: 200, headers: own, type, body: bytes };
    const { start, end } = range;
    const part = { ...own, 'Content-Range': `bytes ${start}-${end}/${size}` };
    return { status: 206, headers: part, type, body: bytes.subarray(start, end + 1) };
  };
}

/** Whether the client has this version already, by If-None-Match or else If-Modified-Since. */
export function isFresh(headers: IncomingHttpHeaders, { tag, modified }: Validators): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since, 'cache-control': cache } = headers;
  if (cache?.split(',').some((each) => each.trim() === 'no-cache')) return false;
  if (tags) return tags === '*' || names(tags, tag);
  return Boolean(since) && Date.parse(String(modified)) <= Date.parse(String(since));
}

function isRefused(headers: IncomingHttpHeaders, { tag, modified }: Validators): boolean {
  const { 'if-match': tags, 'if-unmodified-since': since } = headers;
  if (tags) return tags !== '*' && !names(tags, tag);
  return Date.parse(String(modified)) > Date.parse(String(since));
}

/** Whether a list has an entity tag, by weak comparison. */
function names(list: string, tag: string): boolean {
  const opaque = (each: string) => each.replace(/^W\//, '');
  return list.split(',').some((each) => opaque(each.trim()) === opaque(tag));
}

type Range = { readonly start: number; readonly end: number };

/** The one range that a request asks for; undefined where it gets the whole file. */
function rangeIn(
  { range = '', 'if-range': condition }: IncomingHttpHeaders,
  size: number,
  modified: string,
): Range | undefined {
  const version = String(condition);
  // RFC 9110, 13.1.5: a date must be the same, and a tag would have to be strong, which those of files are not.
  const isCurrent =
    condition === undefined ||
    (!version.includes('"') && Date.parse(modified) === Date.parse(version));
  const ranges = range.startsWith('bytes=') ? satisfiable(range.slice(6), size) : undefined;
  if (!ranges || !isCurrent) return undefined;
  const [first, ...others] = ranges.toSorted((a, b) => a.start - b.start);
  if (!first) {
    const detail = 'The file has nothing in this range.';
    const headers = { 'Content-Range': `bytes */${size}` };
    throw new ApiError('invalid-request', { status: 416, detail, headers });
  }
  return others.reduce<Range | undefined>(
    (all, { start, end }) =>
      all && start <= all.end + 1 ? { start: all.start, end: Math.max(all.end, end) } : undefined,
    first,
  );
}

/** Those of a list of ranges that the file has a part of; undefined for a malformed list. */
function satisfiable(list: string, size: number): Range[] | undefined {
  const ranges: Range[] = [];
  for (const part of list.split(',')) {
    const [first = '', last = '', ...more] = part.split('-').map((each) => each.trim());
    if (!part.includes('-') || more.length > 0 || !/^\d+$/.test(first + last)) return undefined;
    if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
    const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
    const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
    if (start <= end) ranges.push({ start, end });
  }
  return ranges;
}
