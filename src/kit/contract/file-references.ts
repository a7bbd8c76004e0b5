import { dirname, resolve } from 'node:path';
import { pointer } from './openapi-document.ts';

/** A part of one of the files of a contract. */
export type Place = { readonly file: string; readonly path: readonly string[] };

/** Whether a reference leads to another place than a file; a drive of Windows has one letter. */
export function isAddress($ref: string): boolean {
  return /^([a-z][a-z\d+.-]+:|\/\/)/i.test($ref);
}

/** Where a reference in a file leads. */
export function targetOf(from: string, $ref: string): Place {
  const [name = ''] = $ref.split('#', 1);
  // As the bundler has it: it decodes names one by one, and leaves out empty ones.
  const path = pointer(fragmentOf($ref)).filter(Boolean).map(decoded);
  return { file: name ? fileNamed(from, name) : from, path };
}

/** The file that a reference in another one names. */
export function fileNamed(from: string, name: string): string {
  return resolve(dirname(from), decoded(name));
}

/** What a reference says after the name of a file. */
export function fragmentOf($ref: string): string {
  return /#(.*)/s.exec($ref)?.[1] ?? '';
}

/** The reference that a part is, where it leads to a file or within one. */
export function refIn(value: unknown): string | undefined {
  const { $ref } = Object(value);
  return typeof $ref === 'string' && !isAddress($ref) ? $ref : undefined;
}

/** Whether a file holds data; another one is text. */
export function isDescription(file: string): boolean {
  return /\.(ya?ml|json)$/i.test(file);
}

// RFC 3986: a space in a name is written %20, and is understood as it is.
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
