import type { Bounds } from './bounds-directive.ts';

/** What a value is refused for: in lists the bounds of texts and numbers hold for each member. */
export function faultsOf(value: unknown, bounds: Bounds, path: string): string[] {
  if (!Array.isArray(value)) {
    const fault = typeof value === 'string' ? textFault(value, bounds) : numberFault(value, bounds);
    return fault ? [`Argument "${path}" must ${fault}.`] : [];
  }
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = bounds;
  if (value.length < minItems || value.length > maxItems) {
    return [`Argument "${path}" must have ${range(minItems || undefined, maxItems)} items.`];
  }
  const { minItems: _, maxItems: __, ...ofMembers } = bounds;
  return value.flatMap((each, i) => faultsOf(each, ofMembers, `${path}[${i}]`));
}

function textFault(text: string, bounds: Bounds): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format } = bounds;
  if (text.includes('\0') || !text.isWellFormed()) {
    return 'not contain U+0000 or lone surrogates';
  }
  if (!hasLength(text, minLength, maxLength)) {
    return `be ${range(minLength || undefined, maxLength)} characters long`;
  }
  if (format === 'EMAIL' && !emailAddress.test(text)) {
    return 'be an e-mail address such as name@example.com';
  }
  return undefined;
}

function numberFault(value: unknown, { minimum, maximum }: Bounds): string | undefined {
  if (typeof value !== 'number') return undefined;
  const isWithin = value >= (minimum ?? value) && value <= (maximum ?? value);
  return isWithin ? undefined : `be ${range(minimum, maximum)}`;
}

function range(least: number | undefined, most = Number.POSITIVE_INFINITY): string {
  if (least === undefined) return `at most ${most}`;
  return most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
}

function hasLength(text: string, least: number, most: number): boolean {
  // A code point is one or two UTF-16 units, so a text this long needs no counting.
  if (text.length > 2 * most) return false;
  const length = [...text].length;
  return length >= least && length <= most;
}

// No character fits two neighbouring parts, so matching takes one pass and cannot backtrack far.
const emailAddress = /^[^\s\p{Cc}@]+@[^\s\p{Cc}@.]+(?:\.[^\s\p{Cc}@.]+)+$/u;
