import { readFile, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { ApiError } from '../errors.ts';
import type { Exchange, Reply } from '../http/exchange.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file of this server's own, whole or in part, as the conditions of the request have it. */
export async function fileReply(
  { request, method }: Exchange,
  file: string,
  headers: Reply['headers'],
): Promise<Reply> {
  const { size, mtime } = await stat(file);
  const lastModified = mtime.toUTCString();
  const tag = `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`;
  const own = {
    ...headers,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'public, max-age=0',
    'Last-Modified': lastModified,
    ETag: tag,
  };
  const { headers: conditions } = request;
  requireMatch(conditions, tag, lastModified);
  if (isFresh(conditions, tag, lastModified)) return { status: 304, headers: own, body: undefined };
  const type = types[extname(file)];
  const bytes = await readFile(file);
  // RFC 9110, 14.2: Range is defined for GET alone.
  const range = method === 'GET' ? rangeOf(conditions, size, tag, lastModified) : undefined;
  if (!range) return { status: 200, headers: own, type, body: bytes };
  const { start, end } = range;
  return {
    status: 206,
    headers: { ...own, 'Content-Range': `bytes ${start}-${end}/${size}` },
    type,
    body: bytes.subarray(start, end + 1),
  };
}

/** RFC 9110, 13.1.1 and 13.1.4: the request names another version. */
function requireMatch(
  { 'if-match': match, 'if-unmodified-since': unmodifiedSince = '' }: IncomingHttpHeaders,
  tag: string,
  lastModified: string,
): void {
  const isFailed = match
    ? match !== '*' && !tagsIn(match).some((each) => isSameTag(each, tag))
    : Date.parse(lastModified) > Date.parse(unmodifiedSince);
  if (isFailed) throw otherVersion('file');
}

export function otherVersion(what: string): ApiError {
  const detail = `The ${what} is not the version that the request names.`;
  return new ApiError('precondition-failed', { detail });
}

/** RFC 9110, 13.1.2 and 13.1.3: the client has this version. */
export function isFresh(headers: IncomingHttpHeaders, tag: string, lastModified = ''): boolean {
  const { 'if-none-match': noneMatch, 'if-modified-since': modifiedSince } = headers;
  // A reload asks for the whole.
  if (/(?:^|,)\s*?no-cache\s*?(?:,|$)/.test(headers['cache-control'] ?? '')) return false;
  if (noneMatch) {
    return noneMatch === '*' || tagsIn(noneMatch).some((each) => isSameTag(each, tag));
  }
  return modifiedSince !== undefined && Date.parse(lastModified) <= Date.parse(modifiedSince);
}

export function tagsIn(list: string): string[] {
  return list.split(',').map((each) => each.trim());
}

/** The weak comparison. */
function isSameTag(a: string, b: string): boolean {
  return a === b || a === `W/${b}` || `W/${a}` === b;
}

type Range = { readonly start: number; readonly end: number };

/** The one range that is asked for; several, or one that is malformed, are ignored. */
function rangeOf(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  size: number,
  tag: string,
  lastModified: string,
): Range | undefined {
  const [, from = '', to = ''] = range?.match(/^ *bytes=\s*(\d*)\s*-\s*(\d*)\s*$/) ?? [];
  if (from + to === '' || !isRangeFresh(String(ifRange ?? ''), tag, lastModified)) return undefined;
  const start = from === '' ? size - Number(to) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start >= 0 && start <= end) return { start, end };
  throw new ApiError('invalid-request', {
    status: 416,
    detail: 'The file has nothing in this range.',
    headers: { 'Content-Range': `bytes */${size}` },
  });
}

function isRangeFresh(ifRange: string, tag: string, lastModified: string): boolean {
  if (!ifRange) return true;
  if (ifRange.includes('"')) return ifRange.includes(tag);
  return Date.parse(lastModified) <= Date.parse(ifRange);
}
