import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Fail, Fault } from './contract-source.ts';
import { faultOf, shown, unknownName } from './document-fault.ts';
import { type Document, isObject, type Referable, type SchemaObject } from './openapi-document.ts';
import { allSchemas, outermostSchemas, type SchemaPlace } from './schema-places.ts';

/** What `format` means where JSON Schema leaves it open, for every validator that reads the contract. */
export const formats = {
  // A lone surrogate has no form in UTF-8, so it could not be given back as it was sent.
  text: { type: 'string', validate: (text: string) => text.isWellFormed() },
  int32: { type: 'number', validate: (value: number) => value === (value | 0) },
  // JavaScript numbers are exact only up to 2^53 - 1.
  int64: { type: 'number', validate: Number.isSafeInteger },
} as const;

/** The validator of a schema that stands in the document. */
export type Schemas = (schema: Referable<SchemaObject>) => ValidateFunction;

/** Compiles every schema of the document, so that a broken one is found now and not by a request. */
export function compileSchemas(document: Document, fail: Fail): Schemas {
  const ajv = createAjv();
  try {
    addComponents(ajv, document);
    for (const { schema } of outermostSchemas(document)) ajv.compile(schema);
  } catch (error) {
    return locate(document, error, fail);
  }
  return (schema) => ajv.compile(schema);
}

function createAjv(verbose = false): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    verbose,
    logger: false,
  });
  // `x-parity` says why a record differs from GraphQL's.
  ajv.addVocabulary(['discriminator', 'example', 'externalDocs', 'xml', 'x-parity']);
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  return ajv;
}

function addComponents(ajv: Ajv2020, { components }: Document): void {
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
    if (isObject(schema)) ajv.addSchema(schema, `#/components/schemas/${name}`);
  }
}

/** Finds the schema for which Ajv refused the document: Ajv itself does not always say. */
function locate(document: Document, cause: unknown, fail: Fail): never {
  const ajv = createAjv(true);
  const places = allSchemas(document);
  for (const { path, schema } of places) {
    const name = Object.keys(schema).find((key) => !ajv.RULES.keywords[key]);
    if (name) {
      const known = Object.keys(ajv.RULES.keywords);
      fail(unknownName([...path, name], `keyword "${name}" in a schema`, known));
    }
    const fault = ajv.validateSchema(schema) === true ? undefined : faultOf(ajv.errors ?? [], path);
    if (fault) fail(fault);
  }
  // Each without what it refers to, and those within others first, so that the fault is its own.
  for (const { path, schema } of places.toReversed()) {
    const alone = withoutReferences(schema);
    try {
      ajv.compile(alone);
    } catch (error) {
      fail(brokenSchema({ path, schema: alone }, error));
    }
  }
  return fail({ path: ['components'], at: 'key', message: `broken schemas: ${cause}` });
}

function withoutReferences(schema: Record<string, unknown>): Record<string, unknown> {
  // Ajv refuses a default at the root of what it compiles.
  const isLeftOut = (key: string) => key === '$ref' || key === 'default';
  return JSON.parse(JSON.stringify(schema, (key, value) => (isLeftOut(key) ? undefined : value)));
}

function brokenSchema({ path, schema }: SchemaPlace, error: unknown): Fault {
  const reason = error instanceof Error ? error.message : String(error);
  const expecting = (keyword: string, expected: string): Fault => {
    const message = `found ${shown(schema[keyword])}, expected ${expected}`;
    return { path: [...path, keyword], at: 'value', message };
  };
  if (reason.startsWith('unknown format')) {
    return expecting('format', `one of ${Object.keys(formats).join(', ')}`);
  }
  if (error instanceof SyntaxError) return expecting('pattern', `a regular expression (${reason})`);
  return { path, at: 'key', message: `broken schema: ${reason}` };
}
