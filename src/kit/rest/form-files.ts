import {
  type Document,
  type EncodingObject,
  isObject,
  type MediaTypeObject,
  resolve,
} from '../contract/openapi-document.ts';
import { mediaTypeOf } from '../http/media-type.ts';
import { kindOf } from './body-kind.ts';
import { itemsOf, type Schema, schemaParts, typesOf } from './schema-parts.ts';

/** What a member of a form is sent as; `either` where the contract leaves it to the client. */
export function partKind(
  document: Document,
  schema: Schema,
  { contentType }: EncodingObject = {},
): 'file' | 'field' | 'either' {
  if (isFile(document, schema)) return 'file';
  const types = typesOf(document, schema);
  const items = types.has('array') ? itemsOf(document, schema) : undefined;
  if (items !== undefined) return partKind(document, items, contentType ? { contentType } : {});
  const isText = types.size > 0 && !(types.size === 1 && types.has('string'));
  if (contentType && !isText && contentType.split(',').every((each) => isBinary(each)))
    return 'file';
  // OpenAPI: the default of a property without a type is application/octet-stream.
  return types.size === 0 ? 'either' : 'field';
}

/** `format: binary` of OpenAPI 3.0, `contentMediaType` of 3.1. */
function isFile(document: Document, schema: Schema): boolean {
  return [...schemaParts(document, schema)].some(
    ({ format, contentMediaType, contentEncoding }) =>
      format === 'binary' ||
      (typeof contentMediaType === 'string' && !contentEncoding && isBinary(contentMediaType)),
  );
}

function isBinary(mediaType: string): boolean {
  return kindOf(mediaTypeOf(mediaType).name) === 'binary';
}

/** The schema of a form without what it says of files: no text stands in their place. */
export function withoutFiles(
  document: Document,
  { schema, encoding = {} }: MediaTypeObject,
): Schema {
  return withoutFilesIn(document, schema ?? true, encoding, new Set());
}

function withoutFilesIn(
  document: Document,
  schema: Schema,
  encoding: Readonly<Record<string, EncodingObject>>,
  seen: ReadonlySet<unknown>,
): Schema {
  if (!isObject(schema) || seen.has(schema)) return schema;
  const inner = (each: Schema) =>
    withoutFilesIn(document, each, encoding, new Set([...seen, schema]));
  const { $ref, properties, additionalProperties, discriminator: _, ...others } = schema;
  const changed: Record<string, unknown> = { ...others };
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const all = schema[key];
    if (Array.isArray(all)) changed[key] = all.map(inner);
  }
  if (typeof $ref === 'string') {
    const all = Array.isArray(changed.allOf) ? changed.allOf : [];
    changed.allOf = [...all, inner(resolve(document, { $ref }))];
  }
  if (isObject(properties)) {
    const members = Object.entries(properties).map(([name, each]) => {
      const own = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
      return [name, memberSchema(document, each, own)];
    });
    changed.properties = Object.fromEntries(members);
  }
  if (additionalProperties !== undefined) {
    changed.additionalProperties = memberSchema(document, additionalProperties);
  }
  return changed;
}

function memberSchema(document: Document, schema: Schema, encoding?: EncodingObject): Schema {
  if (!isObject(schema) || partKind(document, schema, encoding) !== 'file') return schema;
  if (!typesOf(document, schema).has('array')) return true;
  const [{ minItems, maxItems } = {}] = [...schemaParts(document, schema)].filter(
    (part) => 'items' in part,
  );
  const bounds = {
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
  };
  return { type: 'array', items: true, ...bounds };
}
