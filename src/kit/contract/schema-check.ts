import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Fault } from './contract-source.ts';
import { mappingFaults } from './discriminator.ts';
import { faultOf, shown, unknownName } from './document-fault.ts';
import { nearest } from './edit-distance.ts';
import { type Formats, knownFormats } from './formats.ts';
import type { Document } from './openapi-document.ts';
import { eachOutermostSchema, eachSchema, type SchemaPlace } from './schema-places.ts';

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
  const keywords = [...Object.keys(ajv.RULES.keywords), ...annotations].filter(
    (each) => !foreign.has(each),
  );
  const names = [...new Set([...Object.keys(knownFormats), ...Object.keys(formats)])];
  const known = new Set(keywords);
  const isKnown = (key: string) => known.has(key) || key.startsWith('x-');
  const isPlain = createIsPlain(known, new Set(names));
  const suspects: SchemaPlace[] = [];
  eachSchema(document, (schema, path) => {
    // Ajv passes it over.
    if (Object.hasOwn(Object(schema.properties), '__proto__')) {
      const message = 'a member "__proto__" is not supported';
      broken({ path: [...path(), 'properties', '__proto__'], at: 'key', message });
    }
    if (isPlain(schema)) return;
    const place = { schema, path: path() };
    const key = Object.keys(schema).find((each) => isUnsupported(schema, each));
    if (key) broken(notServed(place, key));
    suspects.push(place);
  });
  if (!areValid) {
    eachOutermostSchema(document, (schema, path) => {
      if (ajv.validateSchema(schema) === true) return;
      const { fault, isAnnotation } = located(path(), schema);
      if (!isAnnotation) broken(fault);
      harmless(fault);
    });
  }
  const nullable = suspects.filter(({ schema }) => schema.nullable === true);
  for (const place of suspects) {
    const { path, schema } = place;
    for (const key of Object.keys(schema)) {
      if (key === 'nullable' || isKnown(key)) continue;
      doubtful(unknownName([...path, key], `keyword "${key}" in a schema`, keywords));
    }
    for (const fault of mappingFaults(document, place)) doubtful(fault);
    const pattern = typeof schema.pattern === 'string' && brokenPattern(place);
    if (pattern) broken(pattern);
    const { format } = schema;
    if (typeof format !== 'string' || names.includes(format)) continue;
    const meant = nearest(format, names);
    // JSON Schema lets a format that nobody knows pass; one that is nearly a known one is a mistake.
    if (meant) doubtful(expected(place, 'format', `one that is known; did you mean "${meant}"?`));
  }
  const [first] = nullable;
  if (first) {
    const message = `found "nullable" of OpenAPI 3.0 ${nullable.length} times, which says nothing here; expected "null" among the types`;
    harmless({ path: [...first.path, 'nullable'], at: 'key', message });
  }
}

/** Whether nothing in a schema itself needs a closer look, which is so for most of the thousands in a large contract. */
function createIsPlain(
  known: ReadonlySet<string>,
  formats: ReadonlySet<string>,
): (schema: Readonly<Record<string, unknown>>) => boolean {
  const looked = new Set([...unsupported, ...Object.keys(described), 'pattern', 'discriminator']);
  const plain = new Set([...known].filter((key) => !looked.has(key)));
  return (schema) => {
    for (const key in schema) if (!plain.has(key) && !key.startsWith('x-')) return false;
    return typeof schema.format !== 'string' || formats.has(schema.format);
  };
}

// Keywords that say nothing about validity.
const annotations = [
  ...['discriminator', 'example', 'externalDocs', 'xml'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema', 'definitions'],
];
// Known to Ajv, but no keywords of 2020-12.
const foreign = new Set(['$async', 'id', 'nullable', 'dependencies']);
// References that depend on the way by which a schema was reached, or on another base address.
const unsupported = new Set([
  ...['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'],
]);

function isUnsupported(schema: Record<string, unknown>, key: string): boolean {
  if (key === 'prefixItems') return isOpenTuple(schema);
  // Ajv takes all items for evaluated where `contains` found some.
  if (key === 'unevaluatedItems') return /"contains":/.test(JSON.stringify(schema));
  return unsupported.has(key);
}

const described: Readonly<Record<string, string>> = {
  prefixItems: '"prefixItems" of more than one length',
  unevaluatedItems: '"unevaluatedItems" with "contains"',
};

function notServed({ path }: Pick<SchemaPlace, 'path'>, key: string): Fault {
  const what = described[key] ?? `"${key}"`;
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

// The keyword, not a member or a definition of that name.
const EXAMPLES = /(?<!\/(properties|patternProperties|dependentSchemas|\$defs))\/examples(\/|$)/;

type Located = { readonly fault: Fault; readonly isAnnotation: boolean };

/** All errors with all that is known of them, which costs more than the first. */
function located(path: SchemaPlace['path'], schema: Record<string, unknown>): Located {
  const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true, verbose: true });
  const errors = ajv.validateSchema(schema) === true ? [] : (ajv.errors ?? []);
  const serious = errors.filter(({ instancePath }) => !EXAMPLES.test(instancePath));
  const fault = faultOf(serious.length > 0 ? serious : errors, path);
  const unknown: Fault = { path, at: 'key', message: 'found a broken schema' };
  return { fault: fault ?? unknown, isAnnotation: serious.length === 0 };
}
