import { Validator } from '@seriousme/openapi-schema-validator';
import { withoutCallbackExtensions } from './callback-extensions.ts';
import type { ContractSource, Fail } from './contract-source.ts';
import { faultOf, shown } from './document-fault.ts';
import type { Formats } from './formats.ts';
import { checkJson } from './json-check.ts';
import { checkMediaTypes } from './media-type-check.ts';
import type { Document } from './openapi-document.ts';
import { openapi3In } from './openapi-version.ts';
import { checkReferences } from './references.ts';
import { checkSchemas, type Findings } from './schema-check.ts';
import { checkDialects, checkFeatures } from './unserved-features.ts';

/** Refuses what is no OpenAPI description. */
export async function checkWritten(source: ContractSource, text: string): Promise<void> {
  const { fail } = source;
  if (source.isJson) checkJson(text, source);
  const value = openapi3In(source);
  const { valid } = await validated(value, quickToCompile);
  if (!valid) await refuseInvalid(value, fail);
  checkReferences(value, fail);
}

/** Tells what is doubtful in a description, and refuses what is not served. */
export function checkDocument(
  written: Readonly<Record<string, unknown>>,
  /** The same in the dialect of OpenAPI 3.1. */
  document: Document,
  formats: Formats,
  findings: Findings,
): void {
  // The schema of OpenAPI 3.0 describes schemas too; later ones leave that to JSON Schema.
  const areValid = String(written.openapi).startsWith('3.0');
  checkDialects(written, findings);
  checkFeatures(document, findings);
  checkMediaTypes(document, findings);
  checkSchemas(document, formats, { ...findings, areValid });
}

// The validator of OpenAPI's schema is used once: what makes it faster takes as long as to compile the rest of it.
const quickToCompile = { validateSchema: false, inlineRefs: false, code: { optimize: false } };

async function refuseInvalid(value: Record<string, unknown>, fail: Fail): Promise<void> {
  // All errors with all that is known of them, which costs 100 ms more than the first.
  const told = { allErrors: true, verbose: true };
  const { valid, errors } = await validated(withoutCallbackExtensions(value), told);
  if (valid) return;
  const fault = Array.isArray(errors) ? faultOf(errors) : undefined;
  if (fault) return fail(fault);
  const isVersion = /openapi version/.test(String(errors));
  const message = `found ${shown(value.openapi)}, expected a version such as 3.1.0`;
  return fail({ path: ['openapi'], at: 'value', message: isVersion ? message : String(errors) });
}

// Its own check of references would copy the document, and take `$ref` in an example for one. It looks at own members,
// which this object does not have; the schema of OpenAPI is applied to inherited ones as well.
function validated(value: unknown, options: object) {
  return new Validator({ ...options }).validate(Object.create(Object(value)));
}
