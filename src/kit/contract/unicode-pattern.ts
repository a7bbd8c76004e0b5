/**
 * A regular expression as the Unicode mode of ECMAScript takes it, which validators use: contracts are often
 * written without it, with escapes and braces that it refuses. What it takes already stays as it is.
 */
export function unicodePattern(pattern: string): string {
  if (isPattern(pattern, 'u') || !isPattern(pattern, '')) return pattern;
  const strict = rewritten(pattern);
  return isPattern(strict, 'u') ? strict : pattern;
}

function isPattern(text: string, flags: string): boolean {
  try {
    new RegExp(text, flags);
    return true;
  } catch {
    return false;
  }
}

// An escape, a quantifier, or one character.
const TOKENS = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])|\{\d+(?:,\d*)?\}|[\s\S]/g;
// What may follow a backslash in Unicode mode: classes, control characters, back references, syntax.
const ESCAPABLE =
  /^\\(?:[dDsSwWbBnrtfv0-9/^$\\.*+?()[\]{}|]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z])$/;
const CLASS = /^\\[dDsSwW]$/;

function rewritten(pattern: string): string {
  const tokens = pattern.match(TOKENS) ?? [];
  let isInClass = false;
  return tokens
    .map((token, i) => {
      if (token.startsWith('\\')) {
        const isKept = ESCAPABLE.test(token) || (isInClass && token === '\\-');
        return isKept ? token : token.slice(1);
      }
      if (isInClass) {
        if (token === ']') isInClass = false;
        // A class has no range to or from another class.
        const neighbours = [tokens[i - 1], tokens[i + 1]].some((each) => CLASS.test(String(each)));
        return token === '-' && neighbours ? '\\-' : token;
      }
      if (token === '[') isInClass = true;
      return /^[{}\]]$/.test(token) ? `\\${token}` : token;
    })
    .join('');
}
