import type { ContractSource } from './contract-source.ts';
import { shown } from './document-fault.ts';
import { isObject } from './openapi-document.ts';

/** A description as data; one that is of no version of OpenAPI 3 is refused. */
export function openapi3In({ value, fail }: ContractSource): Record<string, unknown> {
  if (!isObject(value) || Array.isArray(value)) {
    return fail({ path: [], at: 'value', message: `found ${shown(value)}, expected an object` });
  }
  if (value.swagger !== undefined) {
    const message =
      'found Swagger 2.0, expected OpenAPI 3; `npx swagger2openapi <file>` converts it';
    return fail({ path: ['swagger'], at: 'value', message });
  }
  const { openapi } = value;
  const refuse = (expected: string) => {
    const found = 'openapi' in value ? shown(openapi) : 'no "openapi"';
    const message = `found ${found}, expected ${expected} such as 3.1.0`;
    return fail({ path: ['openapi'], at: 'value', message });
  };
  if (typeof openapi !== 'string') return refuse('text with a version');
  return /^3\.\d+\.\d+/.test(openapi) ? value : refuse('a version');
}
