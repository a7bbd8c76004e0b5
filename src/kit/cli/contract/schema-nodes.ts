import type { Document } from '../../contract/openapi-document.ts';
import { allSchemas } from '../../contract/schema-places.ts';

/** One schema of a document, however deep, and where it stands. */
export type SchemaNode = { readonly at: string; readonly value: Record<string, unknown> };

export function schemaNodes(document: Document): SchemaNode[] {
  return allSchemas(document).map(({ path, schema }) => ({
    at: ['#', ...path].join('/'),
    value: schema,
  }));
}
