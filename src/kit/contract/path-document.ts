import type { Document } from './openapi-document.ts';
import type { SchemaForms } from './schema-forms.ts';

/** What the requests of an operation are held to, by the media type under which the validator is asked. */
export type Judged = SchemaForms & {
  /** In lower case. */
  readonly method: string;
};

/** The path of every request in the document that `pathDocument` makes. */
export const JUDGED_PATH = '/=';

/** An OpenAPI document with one path, for express-openapi-validator. */
export function pathDocument(operations: readonly Judged[]): Document {
  const item = operations.map(({ method, schemas }) => {
    const content = Object.entries(schemas).map(([type, schema]) => [type, { schema }]);
    const requestBody = { required: true, content: Object.fromEntries(content) };
    return [method, { requestBody, responses: { default: { description: '' } } }];
  });
  const components = Object.assign({}, ...operations.map((each) => each.components));
  return {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: { [JUDGED_PATH]: Object.fromEntries(item) },
    components: { 'x-schemas': components },
  };
}
