import type { Document } from '../../contract/openapi-document.ts';
import { allSchemas } from '../../contract/schema-places.ts';

/** One schema of a document, however deep, and where it stands. */
export type SchemaNode = { readonly at: string; readonly value: Record<string, unknown> };

export function schemaNodes(document: Document): SchemaNode[] {
  return allSchemas(document).map(({ path, schema }) => ({
    at: ['#', ...path.map(pointerPart)].join('/'),
    value: schema,
  }));
}

/** A name as a JSON pointer has it. */
export function pointerPart(key: string | number): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}
