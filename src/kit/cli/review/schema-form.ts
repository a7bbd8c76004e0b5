import { type Document, isObject, resolve } from '../../contract/openapi-document.ts';
import type { Schema } from './schema-text.ts';

/** What no program reads. */
export const words: ReadonlySet<string> = new Set([
  'description',
  'title',
  'summary',
  'example',
  'examples',
  'externalDocs',
]);

/** A schema as text, without the words that no program reads. */
export function plainText(value: unknown): string | undefined {
  return JSON.stringify(value, (key, each) =>
    words.has(key) && !isObject(each) ? undefined : each,
  );
}

/** A schema without null among its values, however it says so; itself where it has none. */
export function withoutNull(schema: Schema): Schema {
  const { type, enum: values, oneOf, anyOf } = schema;
  const isNull = (each: unknown) => Object(each).type === 'null';
  const changes: [string, unknown][] = [];
  if (Array.isArray(type) && type.includes('null')) {
    const others = type.filter((each) => each !== 'null');
    changes.push(['type', others.length === 1 ? others[0] : others]);
  }
  if (Array.isArray(values) && values.includes(null)) {
    changes.push(['enum', values.filter((each) => each !== null)]);
  }
  for (const [key, all] of Object.entries({ oneOf, anyOf })) {
    if (Array.isArray(all) && all.length > 1 && all.some(isNull)) {
      changes.push([key, all.filter((each) => !isNull(each))]);
    }
  }
  return changes.length === 0 ? schema : { ...schema, ...Object.fromEntries(changes) };
}

/** All parts of `allOf` in one schema, as far as they are members; of two that say the same the later wins. */
export function flattened(
  document: Document,
  schema: Schema,
  above: readonly string[] = [],
): Schema {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = allOf.map((part): Schema => {
    const { $ref, ...beside } = Object(part);
    if (typeof $ref !== 'string') return flattened(document, Object(part), above);
    if (above.includes($ref)) return beside;
    const target = Object(resolve(document, { $ref }));
    return flattened(document, { ...target, ...beside }, [...above, $ref]);
  });
  const all = [...parts, own];
  return {
    ...Object.assign({}, ...all),
    ...(all.some(({ properties }) => properties) && {
      properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    }),
    ...(all.some(({ required }) => required) && {
      required: [...new Set(all.flatMap(({ required }) => required ?? []))],
    }),
  };
}
