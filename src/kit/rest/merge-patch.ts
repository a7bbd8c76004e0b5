import { mediaTypeOf } from '../contract/media-type.ts';
import { isObject } from '../contract/openapi-document.ts';
import type { Schema, SchemaReader } from './schema-parts.ts';

/** Whether a media type is that of RFC 7396. */
export function isMergePatch(mediaType: string): boolean {
  return mediaTypeOf(mediaType).name === 'application/merge-patch+json';
}

/**
 * A value with a patch applied, as RFC 7396 says: members are merged, arrays replaced, null removes. Where the schema
 * requires a member that may be null, or has a default for it, null is its new value.
 */
export function mergePatch(
  reader: SchemaReader,
  schema: Schema,
  target: unknown,
  patch: unknown,
): unknown {
  if (!isMap(patch)) return patch;
  const members = new Map(Object.entries(isMap(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    const member = reader.properties(schema).get(name);
    if (value !== null) {
      members.set(name, mergePatch(reader, member, members.get(name), value));
    } else if (isNulled(reader, schema, name)) members.set(name, null);
    else members.delete(name);
  }
  // An assignment to `__proto__` would not make a member.
  return Object.fromEntries(members);
}

/** Whether a value of JSON is an object, and no array. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

function isNulled(reader: SchemaReader, schema: Schema, name: string): boolean {
  const member = reader.properties(schema).get(name);
  if (!reader.types(member).has('null')) return false;
  const hasDefault = reader.parts(member).some((part) => 'default' in part);
  return hasDefault || reader.parts(schema).some(({ required }) => isAmong(required, name));
}

function isAmong(names: unknown, name: string): boolean {
  return Array.isArray(names) && names.includes(name);
}
