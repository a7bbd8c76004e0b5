import type { IncomingMessage } from 'node:http';

const SCHEME_AND_HOST = /^https?:\/\/([^/?#]*)/i;

/** The path and query that a request names; a proxy may write scheme and host before them. */
export function localTarget(target: string): string {
  const local = target.replace(SCHEME_AND_HOST, '');
  return local.startsWith('/') ? local : `/${local}`;
}

/** The host and port in a target; undefined where it names no scheme. */
export function hostInTarget(target: string): string | undefined {
  return SCHEME_AND_HOST.exec(target)?.[1];
}

/** Whether a request asks about the server and no part of it: `OPTIONS *`, also as a proxy writes it (RFC 9112, 3.2.4). */
export function isServerWide({ method, url = '' }: IncomingMessage): boolean {
  const [named] = SCHEME_AND_HOST.exec(url) ?? [];
  return method === 'OPTIONS' && (url === '*' || url === named);
}

/** Path and query apart. */
export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** How often a header was sent; node:http keeps only the first of some. */
export function timesSent(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i];
    if (sent?.length === name.length && (sent === name || sent.toLowerCase() === name)) times++;
  }
  return times;
}
