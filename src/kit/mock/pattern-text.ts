/**
 * A text that a regular expression matches, as short as its quantifiers allow; undefined where the expression has
 * something that this does not know, such as a back reference or a look-around.
 */
export function textFor(pattern: string): string | undefined {
  const reader = { pattern, at: 0 };
  try {
    const text = alternatives(reader);
    return reader.at === pattern.length && new RegExp(pattern, 'u').test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

type Reader = { readonly pattern: string; at: number };

function alternatives(reader: Reader): string {
  const first = sequence(reader);
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1;
    sequence(reader);
  }
  return first;
}

function sequence(reader: Reader): string {
  let text = '';
  while (reader.at < reader.pattern.length && !/[|)]/.test(reader.pattern.charAt(reader.at))) {
    const part = atom(reader);
    text += part.repeat(least(reader));
  }
  return text;
}

/** How often the quantifier behind a part wants it at least; optional parts are left out. */
function least(reader: Reader): number {
  const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(reader.pattern.slice(reader.at));
  if (!quantifier) return 1;
  reader.at += quantifier[0].length;
  if (quantifier[1] !== undefined) return Number(quantifier[1]);
  return quantifier[0].startsWith('+') ? 1 : 0;
}

function atom(reader: Reader): string {
  const character = next(reader);
  if (character === '^' || character === '$') return '';
  if (character === '.') return 'a';
  if (character === '[') return oneOf(reader);
  if (character === '\\') return escaped(next(reader), reader);
  if (character !== '(') return character;
  if (reader.pattern.startsWith('?', reader.at)) {
    const group = /^\?(?::|<[A-Za-z_]\w*>)/.exec(reader.pattern.slice(reader.at));
    if (!group) throw new Error('a look-around');
    reader.at += group[0].length;
  }
  const text = alternatives(reader);
  if (next(reader) !== ')') throw new Error('a group that is not closed');
  return text;
}

function next(reader: Reader): string {
  const character = String.fromCodePoint(reader.pattern.codePointAt(reader.at) ?? 0);
  reader.at += character.length;
  return character;
}

const CLASSES: Readonly<Record<string, string>> = {
  ...{ d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', b: '', B: '' },
  ...{ n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' },
};

function escaped(character: string, reader: Reader): string {
  if (character === 'u' || character === 'x') {
    const digits = /^(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2,4}))/.exec(
      reader.pattern.slice(reader.at, reader.at + (character === 'u' ? 8 : 2)),
    );
    if (!digits) throw new Error('an escape that is not known');
    reader.at += digits[0].length;
    return String.fromCodePoint(Number.parseInt(String(digits[1] ?? digits[2]), 16));
  }
  if (/[1-9pPkc]/.test(character)) throw new Error('an escape that is not known');
  return CLASSES[character] ?? character;
}

const LIKELY = [...'a1A0-_ .@zZ9/:#é你', ...'!"$%&\'()*+,;<=>?[\\]^`{|}~\n'];

/** A character of a class: the first of those that people would choose. */
function oneOf(reader: Reader): string {
  const start = reader.at - 1;
  for (let isEscaped = false; ; ) {
    const character = next(reader);
    if (character === '\0') throw new Error('a class that is not closed');
    if (!isEscaped && character === ']') break;
    isEscaped = !isEscaped && character === '\\';
  }
  const source = reader.pattern.slice(start, reader.at);
  const isOf = new RegExp(`^${source}$`, 'u');
  const found = LIKELY.find((character) => isOf.test(character)) ?? source.charAt(1);
  if (!isOf.test(found)) throw new Error('a class without a likely character');
  return found;
}
