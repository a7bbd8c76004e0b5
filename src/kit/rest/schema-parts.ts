import { type Document, isObject, resolve } from '../contract/openapi-document.ts';

/** A schema, or true or false. */
export type Schema = unknown;

/** A schema with what it refers to and is put together of, each once. */
export function schemaParts(
  document: Document,
  schema: Schema,
  found = new Set<Record<string, unknown>>(),
): ReadonlySet<Record<string, unknown>> {
  if (!isObject(schema) || found.has(schema)) return found;
  found.add(schema);
  const { $ref, allOf, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') schemaParts(document, resolve(document, { $ref }), found);
  for (const each of [allOf, anyOf, oneOf].flat()) schemaParts(document, each, found);
  return found;
}

/** The types that a schema speaks of; none where it admits all. */
export function typesOf(document: Document, schema: Schema): ReadonlySet<string> {
  const types = [...schemaParts(document, schema)].flatMap((part) => {
    if (part.type !== undefined) return [part.type].flat().map(String);
    const values = 'const' in part ? [part.const] : Array.isArray(part.enum) ? part.enum : [];
    if (values.length > 0) return values.map(typeOf);
    if ('properties' in part) return ['object'];
    return 'items' in part ? ['array'] : [];
  });
  return new Set(types);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The properties that a schema declares. */
export function propertiesOf(document: Document, schema: Schema): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema[]>();
  for (const { properties } of schemaParts(document, schema)) {
    for (const [name, each] of Object.entries(Object(properties))) {
      found.set(name, [...(found.get(name) ?? []), each]);
    }
  }
  return new Map(
    [...found].map(([name, all]) => [name, all.length === 1 ? all[0] : { anyOf: all }]),
  );
}

/** The schema of the properties that a schema does not declare. */
export function additionalOf(document: Document, schema: Schema): Schema {
  return firstOf(document, schema, 'additionalProperties');
}

export function itemsOf(document: Document, schema: Schema): Schema {
  return firstOf(document, schema, 'items');
}

function firstOf(document: Document, schema: Schema, keyword: string): Schema {
  return [...schemaParts(document, schema)].map((part) => part[keyword]).find(isObject);
}
