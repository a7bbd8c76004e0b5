import { lossIn } from '../http/exact-json.ts';

const INTEGER = /^(0|-?[1-9][0-9]{0,15})$/;
const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/**
 * The value of a text by the types that its schema speaks of. Of several readings the most specific counts: integer, number,
 * boolean, null, string. A text that is none of them stays text, which the schema then refuses.
 */
export function valueOfText(types: ReadonlySet<string>, text: string): unknown {
  const isInteger = INTEGER.test(text) && Number.isSafeInteger(Number(text));
  if (isInteger && (types.has('integer') || types.has('number'))) return Number(text);
  if (types.has('number') && NUMBER.test(text) && !lossIn(text, 0, 'exact')) return Number(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.has('null') && text === '' && !types.has('string')) return null;
  return text;
}
