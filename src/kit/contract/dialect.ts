import { isObject, pointer, valueAt } from './openapi-document.ts';
import { unicodePattern } from './unicode-pattern.ts';

type Members = Record<string, unknown>;

/**
 * The document in the dialect of OpenAPI 3.1: its schemas are of JSON Schema 2020-12, and refer to
 * `#/components/schemas/<name>` alone; path items have no references. Everything else stays as it is written, and is
 * shared with the document that is given.
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

  const paths = changed(Object(document.paths), (item) => inlined(document, item));
  const copy = withSchemas({ ...document, paths }, 'fixed', (schema) =>
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
  ...['webhooks', 'callbacks', 'responses', 'headers', 'content', 'encoding', 'links'],
  ...['parameters', 'requestBodies', 'securitySchemes', 'pathItems'],
]);

/** The value with each schema changed. */
function withSchemas(
  value: unknown,
  names: 'fixed' | 'free',
  change: (schema: unknown) => unknown,
): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return listOf(value, (each) => withSchemas(each, 'fixed', change));
  return changed(value, (child, key) => {
    if (names === 'free') return withSchemas(child, 'fixed', change);
    if (key === 'schema' || key === 'itemSchema') return change(child);
    if (key === 'schemas') return changed(Object(child), change);
    if (key.startsWith('x-') || key === 'example' || key === 'examples') return child;
    return withSchemas(child, maps.has(key) ? 'free' : 'fixed', change);
  });
}

/** An object whose members are changed; itself where no member is, because few of a large contract are. */
function changed(value: Members, change: (child: unknown, key: string) => unknown): Members {
  let copy: Members | undefined;
  for (const key in value) {
    const child = value[key];
    const made = change(child, key);
    if (made === child) continue;
    copy ??= { ...value };
    copy[key] = made;
  }
  return copy ?? value;
}

/** The same for a list. */
function listOf(value: readonly unknown[], change: (child: unknown) => unknown): unknown {
  const made = value.map(change);
  return made.every((each, i) => each === value[i]) ? value : made;
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

function inDialect(written: unknown, options: Options): unknown {
  if (!isObject(written)) return written;
  const own =
    written.$schema === undefined
      ? options
      : { ...options, dialect: dialectNamed(written.$schema) };
  const { dialect } = own;
  const inner = (child: unknown) => inDialect(child, own);
  const parts = changed(without('$schema', written), (child, key) => {
    if (listed.has(key) && Array.isArray(child)) return listOf(child, inner);
    // Nothing at all stands for no members in many a description.
    if (mapped.has(key))
      return child === null ? {} : isObject(child) ? changed(child, inner) : child;
    if (key === 'items' && Array.isArray(child)) return listOf(child, inner);
    if (single.has(key)) return inner(child);
    return key === 'pattern' && typeof child === 'string' ? unicodePattern(child) : child;
  });
  const schema = withDependents(parts, inner);
  if (typeof schema.$ref === 'string') return referring(schema, own);
  const isDraft = dialect === 'draft 4' || dialect === 'draft 7';
  const bounded =
    dialect === 'openapi 3.0' || dialect === 'draft 4' ? withExclusiveBounds(schema) : schema;
  const tuple = isDraft ? withPrefixItems(bounded) : bounded;
  return dialect === 'openapi 3.0' ? withNull(tuple) : tuple;
}

function without(name: string, members: Members): Members {
  if (!(name in members)) return members;
  const { [name]: _, ...others } = members;
  return others;
}

/** OpenAPI 3.0 ignores what stands beside a reference. */
function referring(schema: Members, { dialect, nameOf }: Options): Members {
  const $ref = `#/components/schemas/${nameOf(String(schema.$ref))}`;
  const isWhole = dialect === '2020-12' || dialect === 'draft 7';
  if ($ref === schema.$ref && (isWhole || Object.keys(schema).length === 1)) return schema;
  return isWhole ? { ...schema, $ref } : { $ref };
}

function withExclusiveBounds(written: Members): Members {
  let schema = written;
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const { [exclusive]: isExclusive, ...others } = schema;
    const { [bound]: value, ...unbounded } = others;
    const isMoved = isExclusive && value !== undefined;
    schema = isMoved ? { ...unbounded, [exclusive]: value } : others;
  }
  return schema;
}

/** `dependencies` of the drafts before 2019-09. */
function withDependents(written: Members, inner: (child: unknown) => unknown): Members {
  if (!isObject(written.dependencies)) return written;
  const { dependencies, ...schema } = written;
  const all = Object.entries(Object(dependencies));
  const lists = all.filter(([, each]) => Array.isArray(each));
  const schemas = all.filter(([, each]) => !Array.isArray(each));
  if (lists.length > 0) {
    schema.dependentRequired = {
      ...Object(schema.dependentRequired),
      ...Object.fromEntries(lists),
    };
  }
  if (schemas.length === 0) return schema;
  const own = schemas.map(([name, each]) => [name, inner(each)]);
  schema.dependentSchemas = { ...Object(schema.dependentSchemas), ...Object.fromEntries(own) };
  return schema;
}

function withPrefixItems(written: Members): Members {
  if (!Array.isArray(written.items)) return written;
  const { items, additionalItems, ...schema } = written;
  const rest = additionalItems === undefined ? {} : { items: additionalItems };
  return { ...schema, prefixItems: items, ...rest };
}

/** `nullable` admits null beside what the schema admits, wherever it stands. */
function withNull(written: Members): Members {
  const schema = without('nullable', written);
  if (written.nullable !== true) return schema;
  const isComposed = ['allOf', 'anyOf', 'oneOf', 'not'].some((key) => key in schema);
  if (isComposed) return { anyOf: [schema, { type: 'null' }] };
  const choices = Array.isArray(schema.enum) && { enum: [...new Set([...schema.enum, null])] };
  const types = typeof schema.type === 'string' && { type: [schema.type, 'null'] };
  return { ...schema, ...choices, ...types };
}
