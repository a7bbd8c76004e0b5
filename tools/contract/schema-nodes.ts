import { type Document, isObject } from '../../src/contract/document.ts';

/** One schema of a document, however deep, and where it stands. */
export type SchemaNode = { readonly at: string; readonly value: Record<string, unknown> };

const single = [
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];
const several = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
];

/** Every schema of a document, those within others included. */
export function schemaNodes(document: Document): SchemaNode[] {
  return within(document, '#');
}

function within(value: unknown, at: string): SchemaNode[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if (key === 'example' || key === 'examples' || key.startsWith('x-')) return [];
    const place = `${at}/${key}`;
    const isSchema = key === 'schema' || at === '#/components/schemas';
    return isSchema ? schemaAt(child, place) : within(child, place);
  });
}

function schemaAt(value: unknown, at: string): SchemaNode[] {
  if (!isObject(value)) return [];
  const below = (key: string) => Object.entries(Object(value[key]));
  return [
    { at, value },
    ...single.flatMap((key) => schemaAt(value[key], `${at}/${key}`)),
    ...several.flatMap((key) =>
      below(key).flatMap(([name, child]) => schemaAt(child, `${at}/${key}/${name}`)),
    ),
  ];
}
