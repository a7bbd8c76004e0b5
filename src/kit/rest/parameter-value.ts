import { invalid } from '../errors.ts';
import { lossIn } from '../http/exact-json.ts';
import type { Shape } from './parameter-shape.ts';
import { requireLevels } from './request-bound.ts';

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

/** The value of a text; one that is a number, and cannot be one of the schema's, is refused. */
export function scalarOf(text: string, { types }: Shape, at: string): unknown {
  const value = readingOf(text, types);
  if (value !== text || types.has('string')) return value;
  if (types.has('number') && NUMBER.test(text)) {
    throw invalid(at, 'is a number that cannot be kept as it is written');
  }
  if (types.has('integer') && !types.has('number') && !types.has('boolean')) {
    const most = Number.MAX_SAFE_INTEGER;
    throw invalid(
      at,
      INTEGER.test(text)
        ? `must be an integer from -${most} to ${most}`
        : 'must be an integer in decimal digits',
    );
  }
  return text;
}

/**
 * Where a schema admits several types, the first of integer, number, boolean and null that a text is a form of;
 * else the text.
 */
export function readingOf(text: string, types: ReadonlySet<string>): unknown {
  if (types.has('integer') && isDecimal(text)) return Number(text);
  if (types.has('number') && isKept(text)) return Number(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return types.has('null') && text === '' && !types.has('string') ? null : text;
}

/** The value of a JSON text. */
export function jsonOf(text: string, at: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(at, 'is not valid JSON');
  }
  requireLevels(value, at);
  const loss = lossIn(text, value, 'exact');
  if (loss) throw invalid(at, loss);
  return value;
}

const INTEGER = /^-?[1-9][0-9]*$/;
const DECIMAL = /^(0|-?[1-9][0-9]{0,15})$/;

/** Whether a text is an integer in canonical decimal digits that JavaScript knows exactly. */
function isDecimal(text: string): boolean {
  return DECIMAL.test(text) && Number.isSafeInteger(Number(text));
}

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** Whether a text is a number of JSON that JavaScript keeps as it is written. */
function isKept(text: string): boolean {
  return NUMBER.test(text) && Number.isFinite(Number(text)) && !lossIn(text, Number(text), 'exact');
}
