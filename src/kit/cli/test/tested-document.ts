import type { Contract } from '../../contract/contract.ts';
import { allSchemas } from '../../contract/schema-places.ts';

/** The text of a contract for schemathesis, which makes no case of an operation whose schema has malformed `examples`. */
export function testedDocument({ text, written }: Contract): string {
  const document = structuredClone(written);
  const malformed = allSchemas(document).filter(
    ({ schema: { examples } }) => examples !== undefined && !Array.isArray(examples),
  );
  for (const { schema } of malformed) Reflect.deleteProperty(schema, 'examples');
  return malformed.length > 0 ? JSON.stringify(document) : text;
}
