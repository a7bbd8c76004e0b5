import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Fault } from './contract-source.ts';
import { faultOf, shown, unknownName } from './document-fault.ts';
import { nearest } from './edit-distance.ts';
import { type Formats, knownFormats } from './formats.ts';
import type { Document } from './openapi-document.ts';
import { allSchemas, outermostSchemas, type SchemaPlace } from './schema-places.ts';

/** Told of what is wrong in a contract. */
export type Findings = {
  /** It has no meaning. */
  readonly broken: (fault: Fault) => never;
  /** It has one that is hardly meant. */
  readonly doubtful: (fault: Fault) => void;
  /** It changes nothing that the server does. */
  readonly harmless: (fault: Fault) => void;
};

/**
 * Finds what no validator could be made of, without making one: large contracts have thousands of schemas, and
 * most are never asked for.
 */
export function checkSchemas(
  document: Document,
  formats: Formats,
  { broken, doubtful, harmless, areValid }: Findings & { readonly areValid: boolean },
): void {
  const ajv = new Ajv2020({ strict: false, logger: false });
  for (const { path, schema } of areValid ? [] : outermostSchemas(document)) {
    if (ajv.validateSchema(schema) === true) continue;
    const { fault, isAnnotation } = located(path, schema);
    if (!isAnnotation) broken(fault);
    harmless(fault);
  }
  const keywords = [...Object.keys(ajv.RULES.keywords), ...annotations];
  const names = [...new Set([...Object.keys(knownFormats), ...Object.keys(formats)])];
  const known = new Set(keywords);
  for (const place of allSchemas(document)) {
    const { path, schema } = place;
    for (const key of Object.keys(schema)) {
      if (unsupported.has(key) || (key === 'prefixItems' && isOpenTuple(schema))) {
        broken(notServed(place, key));
      }
      if (known.has(key) || key.startsWith('x-')) continue;
      doubtful(unknownName([...path, key], `keyword "${key}" in a schema`, keywords));
    }
    const pattern = typeof schema.pattern === 'string' && brokenPattern(place);
    if (pattern) broken(pattern);
    const { format } = schema;
    if (typeof format !== 'string' || names.includes(format)) continue;
    const meant = nearest(format, names);
    // JSON Schema lets a format that nobody knows pass; one that is nearly a known one is a mistake.
    if (meant) doubtful(expected(place, 'format', `one that is known; did you mean "${meant}"?`));
  }
}

// Keywords that say nothing about validity.
const annotations = [
  ...['discriminator', 'example', 'externalDocs', 'xml'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema', 'definitions', 'nullable'],
];
// References that depend on the way by which a schema was reached, or on another base address.
const unsupported = new Set(['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef']);

function notServed({ path }: SchemaPlace, key: string): Fault {
  const what = key === 'prefixItems' ? '"prefixItems" of more than one length' : `"${key}"`;
  return { path: [...path, key], at: 'key', message: `${what} in a schema is not supported` };
}

/** express-openapi-validator takes tuples of one length alone. */
function isOpenTuple({ prefixItems, items, minItems }: Record<string, unknown>): boolean {
  return Array.isArray(prefixItems) && (items !== false || minItems !== prefixItems.length);
}

function expected({ path, schema }: SchemaPlace, keyword: string, what: string): Fault {
  const message = `found ${shown(schema[keyword])}, expected ${what}`;
  return { path: [...path, keyword], at: 'value', message };
}

function brokenPattern(place: SchemaPlace): Fault | undefined {
  try {
    new RegExp(String(place.schema.pattern), 'u');
    return undefined;
  } catch (error) {
    return expected(place, 'pattern', `a regular expression (${Object(error).message})`);
  }
}

type Located = { readonly fault: Fault; readonly isAnnotation: boolean };

/** All errors with all that is known of them, which costs more than the first. */
function located(path: SchemaPlace['path'], schema: Record<string, unknown>): Located {
  const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true, verbose: true });
  const errors = ajv.validateSchema(schema) === true ? [] : (ajv.errors ?? []);
  const serious = errors.filter(({ instancePath }) => !/\/examples(\/|$)/.test(instancePath));
  const fault = faultOf(serious.length > 0 ? serious : errors, path);
  const unknown: Fault = { path, at: 'key', message: 'found a broken schema' };
  return { fault: fault ?? unknown, isAnnotation: serious.length === 0 };
}
