import { isUtf8 } from 'node:buffer';
import { lossIn } from '../../http/exact-json.ts';

/** The value of a JSON text; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What different readers of a JSON body would take differently; undefined where all read the same. */
export function jsonFault(body: Buffer): string | undefined {
  if (!isUtf8(body)) return 'is not in UTF-8';
  const text = body.toString();
  const value = parsed(text);
  return value === undefined ? undefined : lossIn(text, value, 'rounded');
}
