import type { Path } from './contract-source.ts';
import { type Document, isObject } from './openapi-document.ts';

/** A schema of a document, and where it is. */
export type SchemaPlace = { readonly path: Path; readonly schema: Record<string, unknown> };

/** The schemas of a document that are not within another. */
export function outermostSchemas(document: Document): SchemaPlace[] {
  return within(document, []);
}

/** Every schema of a document; those within another come after it. */
export function allSchemas(document: Document): SchemaPlace[] {
  return outermostSchemas(document).flatMap(withInner);
}

function within(value: unknown, path: Path): SchemaPlace[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]): SchemaPlace[] => {
    if (key === 'example' || key === 'examples' || key.startsWith('x-')) return [];
    const place = [...path, key];
    const isSchema =
      key === 'schema' || key === 'itemSchema' || path.join('/') === 'components/schemas';
    return isSchema ? placeOf(child, place) : within(child, place);
  });
}

const single = [
  ...['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'not', 'if', 'then', 'else'],
];
const several = [
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs'],
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'],
];

function withInner(outer: SchemaPlace): SchemaPlace[] {
  const { path, schema } = outer;
  const inner = [
    ...single.flatMap((key) => placeOf(schema[key], [...path, key])),
    ...several.flatMap((key) =>
      Object.entries(Object(schema[key])).flatMap(([name, child]) =>
        placeOf(child, [...path, key, name]),
      ),
    ),
  ];
  return [outer, ...inner.flatMap(withInner)];
}

function placeOf(value: unknown, path: Path): SchemaPlace[] {
  return isObject(value) ? [{ path, schema: value }] : [];
}
