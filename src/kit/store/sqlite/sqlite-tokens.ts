/** A part of a statement: a word, a quoted name, a text or a character. */
type Token = { readonly text: string; readonly isWord: boolean };

/** A statement without white space and comments; a quoted name is a token without its quotes. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const first = sql.charAt(at);
    const close = first === '[' ? ']' : first;
    if (sql.startsWith('--', at)) at = after(sql, '\n', at);
    else if (sql.startsWith('/*', at)) at = after(sql, '*/', at + 2);
    else if ('\'"`['.includes(first)) {
      const end = after(sql, close, at + 1);
      const text = first === "'" ? sql.slice(at, end) : sql.slice(at + 1, end - 1);
      tokens.push({ text, isWord: false });
      at = end;
    } else {
      let end = at;
      while (/[\w$\u0080-\uffff]/.test(sql.charAt(end))) end++;
      const text = sql.slice(at, Math.max(end, at + 1));
      if (text.trim() !== '') tokens.push({ text, isWord: end > at });
      at += text.length;
    }
  }
  return tokens;
}

/** The parts between the parentheses that a table is defined in, one for each column and constraint. */
export function partsOf(createTable: string): Token[][] {
  const parts: Token[][] = [];
  let depth = 0;
  for (const token of tokensOf(createTable)) {
    if (token.text === ')') depth--;
    if (depth === 1 && token.text === ',') parts.push([]);
    else if (depth > 0) parts.at(-1)?.push(token);
    if (token.text === '(' && depth++ === 0) parts.push([]);
  }
  return parts;
}

/** What stands in the parentheses after each such keyword. */
export function groupsAfter(keyword: string, part: readonly Token[]): Token[][] {
  return part.flatMap((token, i) => {
    if (!isKeyword(token, keyword) || part[i + 1]?.text !== '(') return [];
    let depth = 0;
    const rest = part.slice(i + 1);
    const end = rest.findIndex(({ text }) => {
      depth += text === '(' ? 1 : text === ')' ? -1 : 0;
      return depth === 0;
    });
    return [rest.slice(1, end)];
  });
}

export function isKeyword({ text, isWord }: Token, keyword: string): boolean {
  return isWord && text.toUpperCase() === keyword;
}

/** The tokens with one space between them. */
export function spaced(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(' ');
}

function after(sql: string, end: string, from: number): number {
  const at = sql.indexOf(end, from);
  return at < 0 ? sql.length : at + end.length;
}
