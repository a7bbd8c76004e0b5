/** A media type or range: its name in lower case, and its parameters by theirs. */
export type MediaType = { readonly name: string; readonly parameters: ReadonlyMap<string, string> };

export function mediaTypeOf(text: string): MediaType {
  const [name = '', ...parameters] = splitUnquoted(text, ';');
  const pairs = parameters.map((each) => {
    const mark = each.indexOf('=');
    if (mark < 0) return [each.toLowerCase(), ''] as const;
    return [
      each.slice(0, mark).trim().toLowerCase(),
      unquoted(each.slice(mark + 1).trim()),
    ] as const;
  });
  // Of two with one name the first counts.
  return { name: name.toLowerCase(), parameters: new Map(pairs.toReversed()) };
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Whether a text is a media type or range as RFC 9110 writes it, 8.3.1 and 12.5.1. */
export function isMediaRange(text: string): boolean {
  const [name = '', ...parameters] = splitUnquoted(text, ';');
  const [type = '', subtype = '', ...more] = name.split('/');
  const isName = TOKEN.test(type) && TOKEN.test(subtype) && more.length === 0;
  return isName && (type !== '*' || subtype === '*') && parameters.every(isParameter);
}

/** An empty one is none. */
function isParameter(text: string): boolean {
  const mark = text.indexOf('=');
  const value = text.slice(mark + 1);
  const isQuoted = /^"([^"\\]|\\.)*"$/.test(value);
  return (
    text === '' || (TOKEN.test(text.slice(0, Math.max(mark, 0))) && (TOKEN.test(value) || isQuoted))
  );
}

/** The text between separators that stand outside quoted strings, trimmed. */
export function splitUnquoted(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') at++;
    else if (!isQuoted && character === separator) {
      pieces.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...pieces, text.slice(start).trim()];
}

/** The value of a quoted string; a token as it is. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  // Browsers write file names such as C:\x without escapes: only a quote and a backslash are escaped.
  return text.slice(1, text.endsWith('"') ? -1 : undefined).replaceAll(/\\(["\\])/g, '$1');
}

/** Whether a media type, given by its name or with its parameters, is JSON or of the suffix +json. */
export function isJsonType(text: string): boolean {
  const { name } = mediaTypeOf(text);
  return name.endsWith('/json') || name.endsWith('+json');
}

/** Whether a type, without parameters, is the range or in it. */
export function isInRange(name: string, range: string): boolean {
  return (
    range === '*/*' ||
    range === name ||
    (range.endsWith('/*') && name.startsWith(range.slice(0, -1)))
  );
}

/** The declared media type or range that a media type is of: the exact one first, then the narrowest range. */
export function declaredFor(declared: readonly string[], mediaType: string): string | undefined {
  const { name } = mediaTypeOf(mediaType);
  const named = (range: string) => declared.find((each) => mediaTypeOf(each).name === range);
  return (
    declared.find((each) => each === mediaType) ??
    named(name) ??
    named(`${name.split('/')[0]}/*`) ??
    named('*/*')
  );
}
