import { invalid } from '../errors.ts';
import { lossIn } from '../http/exact-json.ts';
import type { Shape } from './parameter-shape.ts';

/** What a parameter is read from: a text, or texts in a list or under names. */
export type Parts = string | readonly Parts[] | ReadonlyMap<string, Parts>;

/** The most members of an object, unless its schema names more. */
const MOST_MEMBERS = 100;

/** The value that texts stand for by the types of a schema. One that is not of these types stays text. */
export function valueFrom(parts: Parts, shape: Shape, at: string): unknown {
  if (typeof parts === 'string') {
    if (shape.isScalar || !shape.types.has('array')) return scalarOf(parts, shape, at);
    return [scalarOf(parts, shape.item(0), `${at}/0`)];
  }
  if (isList(parts)) return parts.map((part, i) => valueFrom(part, shape.item(i), `${at}/${i}`));
  const most = Math.max(MOST_MEMBERS, shape.names.length);
  if (parts.size > most) throw invalid(at, `must not have more than ${most} properties`);
  // A member may have the name of one that every other object inherits.
  const value: Record<string, unknown> = Object.create(null);
  for (const [name, part] of parts)
    value[name] = valueFrom(part, shape.member(name), `${at}/${name}`);
  return value;
}

function isList(parts: Exclude<Parts, string>): parts is readonly Parts[] {
  return Array.isArray(parts);
}

/**
 * The value of a text. Where a schema admits several types, the first of integer, number, boolean and null that
 * the text is a form of; else text.
 */
export function scalarOf(text: string, { types }: Shape, at: string): unknown {
  if (types.has('integer') && isDecimal(text)) return Number(text);
  if (types.has('number') && isNumber(text)) {
    const value = Number(text);
    if (Number.isFinite(value) && !lossIn(text, value, 'exact')) return value;
    if (!types.has('string')) throw invalid(at, 'is a number that cannot be kept as it is written');
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.has('string')) return text;
  if (types.has('null') && text === '') return null;
  if (types.has('integer') && !types.has('number') && !types.has('boolean')) {
    throw invalid(at, 'must be an integer in decimal digits');
  }
  return text;
}

/** The value of a JSON text. */
export function jsonOf(text: string, at: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(at, 'is not valid JSON');
  }
  const loss = lossIn(text, value, 'exact');
  if (loss) throw invalid(at, loss);
  return value;
}

const DECIMAL = /^(0|-?[1-9][0-9]{0,15})$/;

/** Whether a text is an integer in canonical decimal digits that JavaScript knows exactly. */
function isDecimal(text: string): boolean {
  return DECIMAL.test(text) && Number.isSafeInteger(Number(text));
}

function isNumber(text: string): boolean {
  return /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text);
}
