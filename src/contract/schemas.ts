import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Document, isObject, type Referable, type SchemaObject } from './document.ts';

/** What `format` means where JSON Schema leaves it open, for every validator that reads the contract. */
export const formats = {
  // A lone surrogate has no form in UTF-8, so it could not be given back as it was sent.
  text: { type: 'string', validate: (text: string) => text.isWellFormed() },
  int32: { type: 'number', validate: (value: number) => value === (value | 0) },
  // As far as a number is exact.
  int64: { type: 'number', validate: Number.isSafeInteger },
} as const;

/** The validator of a schema that stands in the document. */
export type Schemas = (schema: Referable<SchemaObject>) => ValidateFunction;

/** Compiles every schema of the document, so that a broken one is found now and not by a request. */
export function compileSchemas(document: Document): Schemas {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    useDefaults: true,
  });
  // `x-parity` says why a record differs from GraphQL's.
  ajv.addVocabulary(['discriminator', 'example', 'externalDocs', 'xml', 'x-parity']);
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    if (isObject(schema)) ajv.addSchema(schema, `#/components/schemas/${name}`);
  }
  for (const [place, schema] of schemasIn(document, '#')) {
    try {
      ajv.compile(schema);
    } catch (error) {
      throw new Error(`the schema at ${place} is broken: ${String(error)}`);
    }
  }
  return (schema) => ajv.compile(schema);
}

type Place = readonly [place: string, schema: Record<string, unknown>];

function schemasIn(value: unknown, at: string): Place[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]): Place[] => {
    if (key === 'example' || key === 'examples') return [];
    const place = `${at}/${key}`;
    const isSchema = key === 'schema' || at === '#/components/schemas';
    return isSchema && isObject(child) ? [[place, child]] : schemasIn(child, place);
  });
}
