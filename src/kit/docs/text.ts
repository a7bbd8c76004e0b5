import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { ApiError } from '../errors.ts';

/** A page or a document that is held in memory. */
export type Text = {
  /** As Express abbreviates it. */
  readonly type: 'html' | 'json';
  readonly body: string;
  readonly tag: string;
  readonly policy?: string;
};

export function textOf(type: Text['type'], body: string): Text {
  return { type, body, tag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

export function pageText(html: string, policy: string): Text {
  return { ...textOf('html', html), policy };
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

/** Sends a text, or 304 to those who have it already. */
export function sendText(response: Response, { type, body, tag, policy }: Text): void {
  const { 'if-match': wanted = '*' } = response.req.headers;
  if (wanted !== '*' && !wanted.split(',').some((each) => each.trim() === tag)) {
    const detail = 'The page is not the version that the request names.';
    throw new ApiError('precondition-failed', { detail });
  }
  if (policy) response.set('Content-Security-Policy', policy);
  response.set('ETag', tag).type(type).send(body);
}
