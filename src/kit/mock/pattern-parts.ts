/** A text while it is made, and the choices that are made for it. */
export type Draft = {
  text: string;
  /** What groups have captured, by number and by name. */
  readonly captures: Map<string, string>;
  readonly pick: <T>(all: readonly T[]) => T | undefined;
  /** How often something is repeated. */
  readonly count: (least: number, most: number) => number;
  /** The length that look-ahead assertions demand. */
  reach: number;
};

/** Adds what a part of a regular expression may match. */
export type Part = (draft: Draft) => void;

/**
 * Reads a regular expression of Unicode mode. Assertions and back references are only guessed, so what is made has to
 * be tried.
 */
export function partOf(pattern: string): Part {
  return alternatives({ pattern, at: 0, groups: 0 });
}

type Reader = { readonly pattern: string; at: number; groups: number };

function alternatives(reader: Reader): Part {
  const all = [sequence(reader)];
  while (taken(reader, /^\|/)) all.push(sequence(reader));
  return (draft) => draft.pick(all)?.(draft);
}

function sequence(reader: Reader): Part {
  const parts: Part[] = [];
  while (reader.at < reader.pattern.length && !/[|)]/.test(reader.pattern.charAt(reader.at))) {
    parts.push(repeated(atom(reader), reader));
  }
  return (draft) => {
    for (const part of parts) part(draft);
  };
}

function repeated(part: Part, reader: Reader): Part {
  const found = taken(reader, /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/);
  if (!found) return part;
  const [, sign, digits, comma, limit] = found;
  const least = sign ? Number(sign === '+') : Number(digits);
  const isOpen = sign ? sign !== '?' : comma && !limit;
  const most = isOpen ? Number.POSITIVE_INFINITY : Number(sign ? 1 : limit || digits);
  return (draft) => {
    for (let left = draft.count(least, most); left > 0; left--) part(draft);
  };
}

function atom(reader: Reader): Part {
  if (taken(reader, /^(?:\^|\$|\\b|\\B)/)) return () => {};
  const group = taken(reader, /^\((?:\?(?:(<?[=!])|<([^>]*)>|[a-z-]*:))?/);
  if (group) return grouped(reader, group);
  const reference = taken(reader, /^\\(?:k<([^>]*)>|([1-9]\d*))/);
  if (reference) {
    const name = String(reference[1] ?? reference[2]);
    return (draft) => {
      const captured = draft.captures.get(name) ?? '';
      // References to references may double it again and again.
      draft.text += captured.slice(0, draft.count(captured.length, captured.length));
    };
  }
  const code = taken(reader, /^\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2}))/);
  if (code) return oneOf([String.fromCodePoint(Number.parseInt(code.slice(1).join(''), 16))]);
  const source = taken(reader, /^(?:\.|\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|c[a-zA-Z]|.))/su);
  if (source) return oneOf(charactersOf(source[0]));
  return oneOf([String(taken(reader, /^./su))]);
}

function grouped(reader: Reader, [opening, assertion, name]: RegExpExecArray): Part {
  const isCapturing = opening === '(' || name !== undefined;
  const number = isCapturing ? String(++reader.groups) : undefined;
  const inner = alternatives(reader);
  reader.at += ')'.length;
  if (assertion?.endsWith('!')) return () => {};
  return (draft) => {
    const { text } = draft;
    inner(draft);
    const made = draft.text.slice(text.length);
    draft.reach = Math.max(draft.reach, draft.text.length);
    for (const each of [number, name]) if (each !== undefined) draft.captures.set(each, made);
    // What is looked for is there already, or is still to be made.
    if (assertion && draft.pick([true, false])) draft.text = text;
  };
}

function oneOf(characters: readonly string[]): Part {
  return (draft) => {
    draft.text += draft.pick(characters);
  };
}

/** What stands next, if it is this, with the reader behind it. */
function taken(reader: Reader, expected: RegExp): RegExpExecArray | null {
  const found = expected.exec(reader.pattern.slice(reader.at));
  reader.at += found?.[0].length ?? 0;
  return found;
}

const LIKELY = [
  ...'a1A0-_ .@zZ9/:#é你',
  ...'!"$%&\'()*+,;<=>?[\\]^`{|}~\n',
  ...'bcdefghijklmnopqrstuvwxyBCDEFGHIJKLMNOPQRSTUVWXY2345678',
];
const LAST_CHARACTER = 0x10ffff;
const AT_ONCE = 4096;

/** Characters of a class: those that people would choose, or else its first. */
function charactersOf(source: string): string[] {
  const isOf = new RegExp(source, 'u');
  const likely = LIKELY.filter((character) => isOf.test(character));
  for (let start = 0; likely.length === 0 && start <= LAST_CHARACTER; start += AT_ONCE) {
    let characters = '';
    for (let code = start; code < start + AT_ONCE; code++) characters += characterOf(code);
    const [found] = isOf.exec(characters) ?? [];
    if (found !== undefined) return [found];
  }
  return likely;
}

/** Surrogates are no characters. */
function characterOf(code: number): string {
  return code >= 0xd800 && code <= 0xdfff ? '' : String.fromCodePoint(code);
}
