import type { Document } from '../contract/openapi-document.ts';
import { lossIn } from '../http/exact-json.ts';
import { type Schema, typesOf } from './schema-parts.ts';

const INTEGER = /^(0|-?[1-9][0-9]{0,15})$/;
const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/**
 * The value of a text by the types of its schema. Of several readings the most specific counts: integer, number,
 * boolean, null, string. A text that is none of them stays text, which the schema then refuses.
 */
export function valueOfText(document: Document, schema: Schema, text: string): unknown {
  const types = typesOf(document, schema);
  const isInteger = INTEGER.test(text) && Number.isSafeInteger(Number(text));
  if (isInteger && (types.has('integer') || types.has('number'))) return Number(text);
  if (types.has('number') && NUMBER.test(text) && !lossIn(text, 0, 'exact')) return Number(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.has('null') && text === '' && !types.has('string')) return null;
  return text;
}
