import { mediaTypeOf } from '../contract/media-type.ts';
import {
  type EncodingObject,
  isObject,
  type MediaTypeObject,
  resolve,
} from '../contract/openapi-document.ts';
import { kindOf } from './body-kind.ts';
import type { Schema, SchemaReader } from './schema-parts.ts';

/** What a member of a form is sent as; `either` where the contract leaves it to the client. */
export function partKind(
  schemas: SchemaReader,
  schema: Schema,
  encoding: EncodingObject = {},
  isItem = false,
): 'file' | 'field' | 'either' {
  if (isFile(schemas, schema)) return 'file';
  const types = schemas.types(schema);
  // OpenAPI: each item of a list is a part; a list within one is JSON.
  const items = types.has('array') && !isItem ? schemas.items(schema) : undefined;
  if (items !== undefined) return partKind(schemas, items, encoding, true);
  const { contentType } = encoding;
  const isText = types.size > 0 && !(types.size === 1 && types.has('string'));
  if (contentType && !isText && contentType.split(',').every((each) => isBinary(each)))
    return 'file';
  // OpenAPI: the default of a property without a type is application/octet-stream.
  return types.size === 0 ? 'either' : 'field';
}

/** `format: binary` of OpenAPI 3.0, `contentMediaType` of 3.1. */
function isFile(schemas: SchemaReader, schema: Schema): boolean {
  return schemas
    .parts(schema)
    .some(
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
  schemas: SchemaReader,
  { schema, encoding = {} }: MediaTypeObject,
): Schema {
  return withoutFilesIn(schemas, schema, encoding, new Set());
}

function withoutFilesIn(
  schemas: SchemaReader,
  schema: Schema,
  encoding: Readonly<Record<string, EncodingObject>>,
  seen: ReadonlySet<unknown>,
): Schema {
  if (!isObject(schema) || seen.has(schema)) return schema;
  const inner = (each: Schema) =>
    withoutFilesIn(schemas, each, encoding, new Set([...seen, schema]));
  const { $ref, properties, additionalProperties, discriminator: _, ...others } = schema;
  const changed: Record<string, unknown> = { ...others };
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const all = schema[key];
    if (Array.isArray(all)) changed[key] = all.map(inner);
  }
  if (typeof $ref === 'string') {
    const all = Array.isArray(changed.allOf) ? changed.allOf : [];
    changed.allOf = [...all, inner(resolve(schemas.document, { $ref }))];
  }
  if (isObject(properties)) {
    const members = Object.entries(properties).map(([name, each]) => {
      return [name, memberSchema(schemas, each, encoding[name])];
    });
    changed.properties = Object.fromEntries(members);
  }
  if (additionalProperties !== undefined) {
    changed.additionalProperties = memberSchema(schemas, additionalProperties);
  }
  return changed;
}

function memberSchema(schemas: SchemaReader, schema: Schema, encoding?: EncodingObject): Schema {
  if (!isObject(schema) || partKind(schemas, schema, encoding) !== 'file') return schema;
  if (!schemas.types(schema).has('array')) return true;
  const [{ minItems, maxItems } = {}] = schemas.parts(schema).filter((part) => 'items' in part);
  const bounds = {
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
  };
  return { type: 'array', items: true, ...bounds };
}
