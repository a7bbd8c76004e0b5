import type { Document } from './openapi-document.ts';
import type { SchemaForms } from './schema-forms.ts';

/** The path and the method of the requests that express-openapi-validator is asked about. */
export const JUDGED = { path: '/=', method: 'POST' } as const;

/**
 * An OpenAPI document for express-openapi-validator in which several operations are media types of one. It looks those
 * up by name, and paths by a pattern each.
 */
export function operationsDocument(operations: readonly SchemaForms[]): Document {
  const content = operations.flatMap(({ schemas }, i) =>
    Object.entries(schemas).map(([type, schema]) => [judgedType(type, i), { schema }]),
  );
  const requestBody = { required: true, content: Object.fromEntries(content) };
  const components = Object.assign({}, ...operations.map((each) => each.components));
  return documentOf({ post: { requestBody, responses } }, components);
}

/** The media type that stands for a media type of the i-th operation. */
export function judgedType(type: string, i: number): string {
  return `${type}.${i}`;
}

/** An OpenAPI document with the methods of a path, for those that are not allowed. */
export function methodsDocument(methods: readonly string[]): Document {
  const item = methods.map((method) => [method.toLowerCase(), { responses }]);
  return documentOf(Object.fromEntries(item), {});
}

const responses = { default: { description: '' } };

function documentOf(item: object, components: object): Document {
  return {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: { [JUDGED.path]: item },
    components: { 'x-schemas': { ...components } },
  };
}
