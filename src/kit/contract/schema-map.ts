import { isObject } from './openapi-document.ts';

/** A schema as JSON Schema has it: an object of keywords, or a boolean. */
export type AnySchema = unknown;

type Keywords = Readonly<Record<string, unknown>>;

/** A copy of a schema with each schema in it replaced, those within others first. */
export function mapSchema(schema: AnySchema, replace: (schema: Keywords) => AnySchema): AnySchema {
  if (!isObject(schema) || Array.isArray(schema)) return schema;
  const inner = (each: unknown) => mapSchema(each, replace);
  const entries = Object.entries(schema).map(([key, value]) => {
    if (single.has(key)) return [key, inner(value)];
    if (Array.isArray(value)) return [key, lists.has(key) ? value.map(inner) : value];
    if (!maps.has(key) || !isObject(value)) return [key, value];
    return [key, Object.fromEntries(Object.entries(value).map(([name, at]) => [name, inner(at)]))];
  });
  return replace(Object.fromEntries(entries));
}

const single = new Set([
  ...['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'not', 'if', 'then', 'else'],
]);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
