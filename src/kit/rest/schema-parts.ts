import { type Document, isObject, resolve } from '../contract/openapi-document.ts';

/** A schema, or true or false. */
export type Schema = unknown;

/** Tells what a schema says through its references and alternatives. Each answer is kept. */
export type SchemaReader = {
  readonly document: Document;
  /** A schema with what it refers to and is put together of, each once. */
  parts(schema: Schema): readonly Record<string, unknown>[];
  /** The types that a schema speaks of; none where it admits all. */
  types(schema: Schema): ReadonlySet<string>;
  /** The properties that a schema declares. */
  properties(schema: Schema): ReadonlyMap<string, Schema>;
  /** The schema of the properties that a schema does not declare. */
  additional(schema: Schema): Schema;
  items(schema: Schema): Schema;
};

export function createSchemaReader(document: Document): SchemaReader {
  const parts = kept((schema) => [...partsOf(document, schema, new Set())]);
  const first = (keyword: string) =>
    kept((schema) =>
      parts(schema)
        .map((part) => part[keyword])
        .find(isObject),
    );
  return {
    document,
    parts,
    types: kept((schema) => new Set(parts(schema).flatMap(typesIn))),
    properties: kept((schema) => propertiesIn(parts(schema))),
    additional: first('additionalProperties'),
    items: first('items'),
  };
}

/** A form may have as many fields as its bytes allow, each of the same few schemas. */
function kept<T>(make: (schema: Schema) => T): (schema: Schema) => T {
  const known = new Map<Schema, { readonly value: T }>();
  return (schema) => {
    const found = known.get(schema) ?? { value: make(schema) };
    known.set(schema, found);
    return found.value;
  };
}

type Parts = Set<Record<string, unknown>>;

function partsOf(document: Document, schema: Schema, found: Parts): Parts {
  if (!isObject(schema) || found.has(schema)) return found;
  found.add(schema);
  const { $ref, allOf, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') partsOf(document, resolve(document, { $ref }), found);
  for (const each of [allOf, anyOf, oneOf].flat()) partsOf(document, each, found);
  return found;
}

function typesIn(part: Record<string, unknown>): string[] {
  if (part.type !== undefined) return [part.type].flat().map(String);
  const values = 'const' in part ? [part.const] : Array.isArray(part.enum) ? part.enum : [];
  if (values.length > 0) return values.map(typeOf);
  if ('properties' in part) return ['object'];
  return 'items' in part ? ['array'] : [];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function propertiesIn(parts: readonly Record<string, unknown>[]): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema[]>();
  for (const { properties } of parts) {
    for (const [name, each] of Object.entries(Object(properties))) {
      found.set(name, [...(found.get(name) ?? []), each]);
    }
  }
  return new Map([...found].map(([name, all]) => [name, { anyOf: all }]));
}
