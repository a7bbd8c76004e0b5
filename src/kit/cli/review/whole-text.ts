import { createHash } from 'node:crypto';
import { type Document, isObject, pointer, valueAt } from '../../contract/openapi-document.ts';
import { words } from './schema-form.ts';

// The names in these are the author's.
const maps = new Set([
  ...['properties', 'patternProperties', 'headers', 'content', 'mapping', '$defs'],
  // Those of a link, and values.
  ...['parameters', 'default', 'const'],
]);

/**
 * A short text of a part with all that it refers to: the same for parts that differ in words, in extensions, in the
 * order of members or in what stands behind a reference alone.
 */
export function wholeText(document: Document, part: unknown): string {
  const known = new Map<string, string>();

  function textOf(value: unknown, isMap = false): string {
    if (!isObject(value)) return JSON.stringify(value) ?? '';
    if (Array.isArray(value)) return `[${value.map((each) => textOf(each)).join()}]`;
    if (!isMap && typeof value.$ref === 'string') return referred(value.$ref);
    const members = Object.entries(value)
      .filter(([name]) => isMap || !(words.has(name) || name.startsWith('x-')))
      .map(([name, each]) => `${JSON.stringify(name)}:${textOf(each, !isMap && maps.has(name))}`);
    // Shortened: what many levels refer to twice each would be written out a million times.
    return createHash('sha256').update(members.sort().join()).digest('base64');
  }

  function referred(ref: string): string {
    const found = known.get(ref);
    if (found !== undefined) return found;
    // One that leads back to itself is known by its name.
    known.set(ref, ref);
    const text = textOf(valueAt(document, pointer(ref)));
    known.set(ref, text);
    return text;
  }

  return textOf(part);
}
