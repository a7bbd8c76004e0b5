import { isObject } from '../../contract/openapi-document.ts';

/**
 * A document in the one form in which it is compared, where OpenAPI has two for the same: several types
 * are a `oneOf` of each, and a body that is not JSON is text.
 */
export function canonical(document: object): unknown {
  return rewritten(document);
}

/** In place: copies of two versions of GitHub's description took 67 MB more. */
function rewritten(value: unknown): unknown {
  if (!isObject(value)) return value;
  for (const key of Object.keys(value)) {
    const child = value[key];
    value[key] = key === 'content' && isContent(child) ? contentOf(child) : rewritten(child);
  }
  return Array.isArray(value) ? value : separated(value);
}

/** A property of a schema may be called `content` too. */
function isContent(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.keys(value).every((key) => key.includes('/'));
}

function contentOf(content: Record<string, unknown>) {
  const entries = Object.entries(content).map(([mediaType, media]) => {
    const { schema, ...rest } = Object(rewritten(media));
    const isText = !/[/+]json$/.test(mediaType) && Object(schema).type !== 'string';
    return [mediaType, { schema: isText ? { type: 'string' } : schema, ...rest }];
  });
  return Object.fromEntries(entries);
}

// What a keyword says of values of another type is nothing.
const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** A schema of several types, where all that it says of each is known here. */
function separated(schema: Record<string, unknown>): Record<string, unknown> {
  const { type: types, description, ...rest } = schema;
  if (!Array.isArray(types) || !types.every((type) => keywords[type])) return schema;
  const known = types.flatMap((type) => keywords[type] ?? []);
  if (!Object.keys(rest).every((key) => known.includes(key))) return schema;
  const oneOf = types.map((type) => {
    const own = Object.entries(rest).filter(([key]) => keywords[type]?.includes(key));
    return { type, ...Object.fromEntries(own) };
  });
  return { ...(description !== undefined && { description }), oneOf };
}
