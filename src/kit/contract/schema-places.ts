import type { Path } from './contract-source.ts';
import { type Document, isObject } from './openapi-document.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A schema of a document, and where it is. */
export type SchemaPlace = { readonly path: Path; readonly schema: Schema };

/** Told of a schema. Its path is made when it is asked for, before the next schema is told: few of thousands are. */
type Told = (schema: Schema, path: () => Path) => void;

/** Tells of the schemas of a document that are not within another. */
export function eachOutermostSchema(document: Document, told: Told): void {
  const path: string[] = [];
  const pathNow = () => [...path];
  outermost(document, path, (schema) => told(schema, pathNow));
}

/** Tells of every schema of a document; those within another come after it. */
export function eachSchema(document: Document, told: Told): void {
  const path: string[] = [];
  const pathNow = () => [...path];
  outermost(document, path, (schema) => inner(schema, path, (each) => told(each, pathNow)));
}

/** Every schema of a document. */
export function allSchemas(document: Document): SchemaPlace[] {
  const found: SchemaPlace[] = [];
  eachSchema(document, (schema, path) => found.push({ schema, path: path() }));
  return found;
}

/** The path is one array, which changes as the walk goes on. */
function outermost(value: unknown, path: string[], told: (schema: Schema) => void): void {
  if (!isObject(value)) return;
  const areSchemas = path.length === 2 && path[0] === 'components' && path[1] === 'schemas';
  for (const key in value) {
    const isData = key === 'example' || key === 'examples' || key.startsWith('x-');
    // A schema may be called so.
    if (isData && !areSchemas) continue;
    const child = value[key];
    path.push(key);
    const isSchema = areSchemas || key === 'schema' || key === 'itemSchema';
    if (!isSchema) outermost(child, path, told);
    else if (isObject(child)) told(child);
    path.pop();
  }
}

const single = new Set([
  ...['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'not', 'if', 'then', 'else'],
]);
const several = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs'],
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'],
]);

function inner(schema: Schema, path: string[], told: (schema: Schema) => void): void {
  told(schema);
  for (const key in schema) {
    const isSchema = single.has(key);
    if (!isSchema && !several.has(key)) continue;
    const child = schema[key];
    if (!isObject(child)) continue;
    path.push(key);
    if (isSchema) inner(child, path, told);
    else innerEach(child, path, told);
    path.pop();
  }
}

function innerEach(schemas: Schema, path: string[], told: (schema: Schema) => void): void {
  for (const name in schemas) {
    const each = schemas[name];
    if (!isObject(each)) continue;
    path.push(name);
    inner(each, path, told);
    path.pop();
  }
}
