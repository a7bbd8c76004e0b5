import { createHash } from 'node:crypto';
import type { Exchange, Reply } from '../http/exchange.ts';
import { isFresh, otherVersion, tagsIn } from './static-file.ts';

/** A page or a document that is held in memory. */
export type Text = {
  readonly type: string;
  readonly body: string;
  readonly tag: string;
  /** Its Content-Security-Policy. */
  readonly policy?: string;
};

export function textOf(type: string, body: string): Text {
  return { type, body, tag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

export function pageText(html: string, policy: string): Text {
  return { ...textOf('text/html; charset=utf-8', html), policy };
}

/** Makes a value when it is first asked for, and keeps it; a failure is not kept. */
export function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** A text, or 304 for those who have it already. */
export function textReply(
  { request }: Exchange,
  { type, body, tag, policy }: Text,
  headers: Reply['headers'],
): Reply {
  const { 'if-match': match = '*' } = request.headers;
  // If-Match compares strongly.
  if (match !== '*' && !tagsIn(match).includes(tag)) throw otherVersion('page');
  const own = {
    ...headers,
    ...(policy !== undefined && { 'Content-Security-Policy': policy }),
    ETag: tag,
  };
  if (isFresh(request.headers, tag)) return { status: 304, headers: own, body: undefined };
  return { status: 200, headers: own, type, body };
}
