import { createHash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { Reply } from '../http/exchange.ts';
import { type Asked, isFresh } from './static-file.ts';

/** A page or a document that is held in memory. */
export type Text = {
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tag: string;
};

/** Keeps pages of other origins away from what is under /docs. */
export const isolation = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export function jsonText(value: unknown): Text {
  return textOf('application/json; charset=utf-8', JSON.stringify(value), {});
}

export function pageText(html: string, policy: string): Text {
  return textOf('text/html; charset=utf-8', html, { 'Content-Security-Policy': policy });
}

function textOf(type: string, body: string, headers: Text['headers']): Text {
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { type, body, headers: { ...headers, ETag: tag }, tag };
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

/** The text, or 304 to those who have it already. */
export function textReply(
  { type, body, headers, tag }: Text,
  { request: { headers: asked } }: Asked,
): Reply {
  const { 'if-match': wanted = '*' } = asked;
  if (wanted !== '*' && !wanted.split(',').some((each) => each.trim() === tag)) {
    const detail = 'The page is not the version that the request names.';
    throw new ApiError('precondition-failed', { detail, headers: isolation });
  }
  if (isFresh(asked, { tag })) return { status: 304, headers, body: undefined };
  return { status: 200, headers, type, body };
}
