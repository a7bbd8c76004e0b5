import { isObject, pointer, valueAt } from './openapi-document.ts';
import { unicodePattern } from './unicode-pattern.ts';

type Members = Record<string, unknown>;

/**
 * The document in the dialect of OpenAPI 3.1: its schemas are of JSON Schema 2020-12, and refer to
 * `#/components/schemas/<name>` alone; path items have no references. Everything else stays as it is written.
 */
export function toDialect(written: Members): Members {
  const document = Object(withMediaTypes(written, written));
  const isOld = String(document.openapi).startsWith('3.0');
  const named = new Map<string, string>();
  const components = Object(document.components);
  const taken = new Set(Object.keys(Object(components.schemas)));
  const schemaOf = (schema: unknown, dialect: Dialect) => inDialect(schema, { dialect, nameOf });
  const dialect = isOld ? 'openapi 3.0' : dialectNamed(document.jsonSchemaDialect);

  /** The name of the component that holds what a reference leads to; one is made where there is none. */
  function nameOf(ref: string): string {
    const [, known] = /^#\/components\/schemas\/([^/]+)$/.exec(ref) ?? [];
    if (known !== undefined) return known;
    const made = named.get(ref) ?? freeName(pointer(ref).slice(-2).join('_'), taken);
    named.set(ref, made);
    return made;
  }

  const paths = Object.entries(Object(document.paths)).map(([path, item]) => [
    path,
    inlined(document, item),
  ]);
  const copy = withSchemas({ ...document, paths: Object.fromEntries(paths) }, 'fixed', (schema) =>
    schemaOf(schema, dialect),
  ) as Members;
  const made: Members = {};
  // What a hoisted schema refers to may have to be hoisted too: the map grows while it is walked.
  for (const [ref, name] of named) {
    made[name] = schemaOf(valueAt(document, pointer(ref)), dialect);
  }
  const version = isOld || String(document.openapi).startsWith('3.2') ? '3.1.0' : document.openapi;
  if (named.size === 0) return { ...copy, openapi: version };
  const { schemas, ...others } = Object(copy.components);
  return {
    ...copy,
    openapi: version,
    components: { ...others, schemas: { ...schemas, ...made } },
  };
}

function freeName(wish: string, taken: Set<string>): string {
  const plain = wish.replaceAll(/[^A-Za-z0-9._-]+/g, '_') || 'schema';
  let name = plain;
  for (let i = 2; taken.has(name); i++) name = `${plain}_${i}`;
  taken.add(name);
  return name;
}

/** A path item in place of a reference to it; members beside the reference win. */
function inlined(document: Members, item: unknown): unknown {
  if (!isObject(item) || typeof item.$ref !== 'string') return item;
  const { $ref, ...own } = item;
  return { ...Object(inlined(document, valueAt(document, pointer($ref)))), ...own };
}

const MEDIA_TYPES = '#/components/mediaTypes/';

/** A copy with the media types of OpenAPI 3.2's components in place of the references to them. */
function withMediaTypes(document: Members, value: unknown): unknown {
  if (Object(document.components).mediaTypes === undefined || !isObject(value)) return value;
  const { $ref } = value;
  if (typeof $ref === 'string' && $ref.startsWith(MEDIA_TYPES)) {
    return withMediaTypes(document, valueAt(document, pointer($ref)));
  }
  if (Array.isArray(value)) return value.map((each) => withMediaTypes(document, each));
  const members = Object.entries(value).map(([key, each]) => [key, withMediaTypes(document, each)]);
  return Object.fromEntries(members);
}

// Members whose own members have names that mean nothing to OpenAPI.
const maps = new Set([
  ...['paths', 'webhooks', 'callbacks', 'responses', 'headers', 'content', 'encoding', 'links'],
  ...['schemas', 'parameters', 'requestBodies', 'securitySchemes', 'pathItems', 'examples'],
]);

/** A copy in which each schema is changed. */
function withSchemas(
  value: unknown,
  names: 'fixed' | 'free',
  change: (schema: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((each) => withSchemas(each, 'fixed', change));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, child]) => {
    if (names === 'free') return [key, withSchemas(child, 'fixed', change)];
    if (key === 'schema' || key === 'itemSchema') return [key, change(child)];
    if (key === 'schemas') return [key, changeEach(child, change)];
    if (key.startsWith('x-') || key === 'example' || key === 'examples') return [key, child];
    return [key, withSchemas(child, maps.has(key) ? 'free' : 'fixed', change)];
  });
  return Object.fromEntries(members);
}

function changeEach(schemas: unknown, change: (schema: unknown) => unknown): unknown {
  const all = Object.entries(Object(schemas)).map(([name, schema]) => [name, change(schema)]);
  return Object.fromEntries(all);
}

type Dialect = 'openapi 3.0' | 'draft 4' | 'draft 7' | '2020-12';
type Options = { readonly dialect: Dialect; readonly nameOf: (ref: string) => string };

function dialectNamed(address: unknown): Dialect {
  const text = String(address);
  if (/draft-0?[45]\b/.test(text)) return 'draft 4';
  return /draft-0?[67]\b/.test(text) ? 'draft 7' : '2020-12';
}

/** Members of a schema that are one schema, several in a list, or several by name. */
const single = new Set([
  ...['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'not', 'if', 'then', 'else', 'additionalItems'],
]);
const listed = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const mapped = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);

function inDialect(schema: unknown, options: Options): unknown {
  if (!isObject(schema)) return schema;
  const { $schema, ...members } = schema;
  const own = $schema === undefined ? options : { ...options, dialect: dialectNamed($schema) };
  const inner = (child: unknown) => inDialect(child, own);
  const copy: Members = {};
  for (const [key, child] of Object.entries(members)) {
    if (listed.has(key) && Array.isArray(child)) copy[key] = child.map(inner);
    else if (mapped.has(key)) copy[key] = changeEach(child, inner);
    else if (key === 'items' && Array.isArray(child)) copy[key] = child.map(inner);
    else if (single.has(key)) copy[key] = inner(child);
    else if (key === 'pattern' && typeof child === 'string') copy[key] = unicodePattern(child);
    else copy[key] = child;
  }
  withDependents(copy, inner);
  if (typeof copy.$ref === 'string') return referring(copy, own);
  if (own.dialect === 'openapi 3.0' || own.dialect === 'draft 4') withExclusiveBounds(copy);
  if (own.dialect === 'draft 4' || own.dialect === 'draft 7') withPrefixItems(copy);
  return own.dialect === 'openapi 3.0' ? withNull(copy) : copy;
}

/** OpenAPI 3.0 ignores what stands beside a reference. */
function referring(schema: Members, { dialect, nameOf }: Options): Members {
  const $ref = `#/components/schemas/${nameOf(String(schema.$ref))}`;
  return dialect === '2020-12' || dialect === 'draft 7' ? { ...schema, $ref } : { $ref };
}

function withExclusiveBounds(schema: Members): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const { [exclusive]: isExclusive, [bound]: value } = schema;
    delete schema[exclusive];
    if (!isExclusive || value === undefined) continue;
    delete schema[bound];
    schema[exclusive] = value;
  }
}

/** `dependencies` of the drafts before 2019-09. */
function withDependents(schema: Members, inner: (child: unknown) => unknown): void {
  if (!isObject(schema.dependencies)) return;
  const all = Object.entries(schema.dependencies);
  const lists = all.filter(([, each]) => Array.isArray(each));
  const schemas = all.filter(([, each]) => !Array.isArray(each));
  delete schema.dependencies;
  if (lists.length > 0) {
    schema.dependentRequired = {
      ...Object(schema.dependentRequired),
      ...Object.fromEntries(lists),
    };
  }
  if (schemas.length === 0) return;
  const own = schemas.map(([name, each]) => [name, inner(each)]);
  schema.dependentSchemas = { ...Object(schema.dependentSchemas), ...Object.fromEntries(own) };
}

function withPrefixItems(schema: Members): void {
  if (!Array.isArray(schema.items)) return;
  const { items, additionalItems } = schema;
  delete schema.additionalItems;
  schema.prefixItems = items;
  if (additionalItems === undefined) delete schema.items;
  else schema.items = additionalItems;
}

/** `nullable` admits null beside what the schema admits, wherever it stands. */
function withNull({ nullable, ...schema }: Members): Members {
  if (nullable !== true) return schema;
  const isComposed = ['allOf', 'anyOf', 'oneOf', 'not'].some((key) => key in schema);
  if (isComposed) return { anyOf: [schema, { type: 'null' }] };
  const choices = Array.isArray(schema.enum) && { enum: [...new Set([...schema.enum, null])] };
  const types = typeof schema.type === 'string' && { type: [schema.type, 'null'] };
  return { ...schema, ...choices, ...types };
}
