import { type Document, isObject, resolve } from './openapi-document.ts';
import { type AnySchema, mapSchema } from './schema-map.ts';

type Schemas = Readonly<Record<string, AnySchema>>;

/** Schemas as requests are held to them, and all components that they refer to, in the same form. */
export function requestSchemas(
  document: Document,
  schemas: Schemas,
): { readonly schemas: Schemas; readonly components: Schemas } {
  const components: Record<string, AnySchema> = {};
  const form = (schema: AnySchema): AnySchema =>
    mapSchema(schema, (each) => {
      const { $ref, example, examples, ...keywords } = each;
      const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : undefined;
      if (name !== undefined && !Object.hasOwn(components, name)) {
        components[name] = {};
        components[name] = form(document.components?.schemas?.[name]);
      }
      return { ...(name !== undefined && { $ref }), ...withoutReadOnly(document, keywords) };
    });
  const entries = Object.entries(schemas).map(([name, schema]) => [name, form(schema)] as const);
  return { schemas: Object.fromEntries(entries), components };
}

function withoutReadOnly(document: Document, keywords: Record<string, unknown>) {
  const { required, properties } = keywords;
  if (!Array.isArray(required) || !isObject(properties)) return keywords;
  const isReadOnly = (name: string) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isObject(property) && Object(resolve(document, property)).readOnly === true;
  };
  return { ...keywords, required: required.filter((name) => !isReadOnly(name)) };
}
