import type { Document } from './openapi-document.ts';
import { type AnySchema, mapSchema } from './schema-map.ts';

/** What the requests of an operation are held to, by the media type under which the validator is asked. */
export type Judged = {
  /** In lower case. */
  readonly method: string;
  readonly schemas: Readonly<Record<string, AnySchema>>;
};

/** The path of every request in the document that `pathDocument` makes. */
export const JUDGED_PATH = '/=';

const COMPONENTS = 'x-schemas';

/**
 * An OpenAPI document with one path, for express-openapi-validator. The components stand where its preprocessing
 * does not look: it compiles each a second time, drops what stands beside a reference, and reads dates and
 * discriminators its own way.
 */
export function pathDocument(
  operations: readonly Judged[],
  components: Readonly<Record<string, AnySchema>>,
): Document {
  const item = operations.map(({ method, schemas }) => {
    const content = Object.entries(schemas).map(([type, schema]) => [type, { schema }]);
    const requestBody = { required: true, content: Object.fromEntries(content) };
    return [method, { requestBody, responses: { default: { description: '' } } }];
  });
  return {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: { [JUDGED_PATH]: Object.fromEntries(item) },
    components: { [COMPONENTS]: components },
  };
}

/** A schema that finds its components in a document of `pathDocument`. */
export function forPathDocument(schema: AnySchema): AnySchema {
  return mapSchema(schema, (each) => {
    if (typeof each.$ref !== 'string') return each;
    return {
      ...each,
      $ref: each.$ref.replace('#/components/schemas/', `#/components/${COMPONENTS}/`),
    };
  });
}

/** A schema with its components, as it stands in a document of `pathDocument`. */
export function withComponents(schema: AnySchema, components: Readonly<Record<string, AnySchema>>) {
  return { ...Object(schema), components: { [COMPONENTS]: components } };
}
