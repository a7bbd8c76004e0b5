/** Whether a number may be rounded. */
export type Numbers = 'exact' | 'rounded';

/**
 * What JSON.parse has silently dropped or changed in making a value of a text: of two members with one
 * name it keeps the last, and it rounds numbers, which may be of no matter. Undefined when nothing is lost.
 */
export function lossIn(text: string, value: unknown, numbers: Numbers): string | undefined {
  let names = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (text.charCodeAt(afterSpace(text, at + 1)) === COLON) names++;
    } else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at);
      if (numbers === 'exact' && !isExact(text.slice(at, end))) {
        return 'has a number that cannot be kept as it is written';
      }
      at = end - 1;
    }
  }
  return names === namesIn(value) ? undefined : 'has two members with one name';
}

const [QUOTE, BACKSLASH, COLON, MINUS] = [0x22, 0x5c, 0x3a, 0x2d];
// A whole number of so many digits is below 2^53.
const SURELY_EXACT = 15;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Where the string ends that starts here: at a quote after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isDigit(text.charCodeAt(end)) || '.eE+-'.includes(text.charAt(end) || ' ')) end++;
  return end;
}

function isExact(number: string): boolean {
  if (number.length <= SURELY_EXACT && !/[.eE]/.test(number)) return true;
  const value = Number(number);
  if (value === 0) return !/^[^eE]*[1-9]/.test(number);
  const kept = String(value);
  return kept === number || plain(kept) === plain(number);
}

/** A number other than zero in one way of writing: its digits without zeros at either end, and an exponent. */
function plain(number: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    number.match(/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/) ?? [];
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start++;
  while (digits[end - 1] === '0') end--;
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${sign}${digits.slice(start, end)}e${power}`;
}

function namesIn(value: unknown): number {
  let names = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const members = Object.values(next);
    if (!Array.isArray(next)) names += members.length;
    for (const member of members) open.push(member);
  }
  return names;
}
