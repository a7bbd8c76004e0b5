import { pointer } from '../../contract/openapi-document.ts';

type Node = { readonly children: Map<string, Node>; line: number };

/**
 * The lines of some parts of a JSON text, or of the parts around them, found in one pass: a syntax tree of GitHub's
 * description takes 200 MB.
 */
export function jsonLines(text: string, pointers: readonly string[]): (pointer: string) => number {
  const root: Node = { children: new Map(), line: 1 };
  for (const each of pointers) {
    let node = root;
    for (const name of pointer(each)) {
      const child = node.children.get(name) ?? { children: new Map(), line: 0 };
      node.children.set(name, child);
      node = child;
    }
  }
  readLines(text, root);
  return (each) => {
    let [node, line] = [root, root.line];
    for (const name of pointer(each)) {
      const child = node.children.get(name);
      if (!child) break;
      node = child;
      line = child.line || line;
    }
    return line;
  };
}

type Level = { readonly node: Node | undefined; index: number; isKey: boolean };

/** Walks the text by its signs; a level is an object or a list, whose node is what is looked for in it. */
function readLines(text: string, root: Node): void {
  const levels: Level[] = [];
  let next: Node | undefined = root;
  // An item of a list may begin lines below the sign before it.
  let isAwaited = false;
  let line = 1;
  const enter = (name: string) => {
    next = levels.at(-1)?.node?.children.get(name);
  };
  const found = () => {
    if (next && next.line === 0) next.line = line;
  };
  for (let i = 0; i < text.length; i++) {
    const level = levels.at(-1);
    const sign = text[i] ?? '';
    if (isAwaited && !/\s/.test(sign)) {
      isAwaited = false;
      if (sign !== ']') found();
    }
    switch (sign) {
      case '\n':
        line++;
        break;
      case '"': {
        const end = endOfString(text, i);
        if (level?.isKey) {
          if (level.node) {
            enter(JSON.parse(text.slice(i, end + 1)));
            found();
          }
          level.isKey = false;
        }
        i = end;
        break;
      }
      case '{':
        levels.push({ node: next, index: -1, isKey: true });
        break;
      case '[':
        levels.push({ node: next, index: 0, isKey: false });
        enter('0');
        isAwaited = true;
        break;
      case ',':
        if (level && level.index >= 0) {
          enter(String(++level.index));
          isAwaited = true;
        } else if (level) level.isKey = true;
        break;
      case '}':
      case ']':
        levels.pop();
        break;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i;
  }
  return text.length;
}
