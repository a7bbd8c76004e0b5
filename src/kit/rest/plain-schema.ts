import { knownFormats as formats } from '../contract/formats.ts';
import { type Document, isObject, resolve } from '../contract/openapi-document.ts';

/**
 * Whether the contract's own validator of a schema admits a request's value exactly when
 * express-openapi-validator does, and leaves the same value. Keywords that are not known to be alike, such as
 * `readOnly`, `oneOf` with a `discriminator`, or a format, make it false.
 */
export function isPlainSchema(
  document: Document,
  schema: unknown,
  seen = new Set<unknown>(),
): boolean {
  if (typeof schema === 'boolean' || seen.has(schema)) return true;
  if (!isObject(schema)) return false;
  seen.add(schema);
  const isPlain = (each: unknown) => isPlainSchema(document, each, seen);
  if (typeof schema.$ref === 'string') {
    // At the root of a body the validator ignores what stands beside a reference.
    const isAlone = Object.keys(schema).every((key) => key === '$ref' || isAnnotation(key));
    const isComponent = /^#\/components\/schemas\/[^/]+$/.test(schema.$ref);
    return isAlone && isComponent && isPlain(resolve(document, schema));
  }
  return Object.entries(schema).every(([key, value]) => {
    if (key === 'properties' || key === 'allOf') return Object.values(Object(value)).every(isPlain);
    if (key === 'items' || key === 'additionalProperties') return isPlain(value);
    if (key === 'format') return Object.hasOwn(formats, String(value)) || isBounded(schema);
    return assertions.has(key) || isAnnotation(key);
  });
}

const assertions = new Set([
  ...['type', 'enum', 'const', 'default', 'required', 'minProperties', 'maxProperties'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems'],
]);
// `writeOnly` is of responses.
const annotations = new Set([
  ...['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs', 'writeOnly'],
  '$comment',
]);

function isAnnotation(key: string): boolean {
  return annotations.has(key) || (key.startsWith('x-') && !key.startsWith('x-eov-'));
}

const bounds: Readonly<Record<string, number>> = {
  int32: 2 ** 31 - 1,
  int64: Number.MAX_SAFE_INTEGER,
};

/** An integer whose own bounds are within those of its format. */
function isBounded({ type, format, minimum, maximum }: Record<string, unknown>): boolean {
  const most = bounds[String(format)];
  return (
    type === 'integer' && most !== undefined && Number(minimum) >= -most && Number(maximum) <= most
  );
}
