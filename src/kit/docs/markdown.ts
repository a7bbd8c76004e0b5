import { type Markup, markup } from './markup.ts';

/** Where a piece of code leads, for names that have a page. */
export type LinkOf = (code: string) => string | undefined;

type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'code' | 'text'; readonly text: string }
  | { readonly kind: 'ul' | 'ol'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] };

/** As much of Markdown as descriptions use: headings, lists, tables, code, links and emphasis. */
export function markdown(text: string, topLevel = 1, linkOf?: LinkOf): Markup {
  const blocks = blocksOf(text);
  const levels = blocks.flatMap((each) => (each.kind === 'heading' ? each.level : []));
  // The highest level becomes the top level, and none is left out below it.
  const ranks = [...new Set(levels)].sort((a, b) => a - b);
  const levelOf = (level: number) => Math.min(6, topLevel + ranks.indexOf(level));
  return markup`${blocks.map((block) => rendered(block, levelOf, linkOf))}`;
}

/** One line of text, with code, links and emphasis. */
export function inline(text: string, linkOf?: LinkOf): Markup {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return markup`${parts.map((part, i) => {
    // Every other part is what was split by.
    if (i % 2 === 0) return linked(part);
    if (part.startsWith('`')) return code(part.slice(1, -1), linkOf);
    return markup`<strong>${inline(part.slice(2, -2), linkOf)}</strong>`;
  })}`;
}

/** Text with `[links](https://…)`. Pictures of other hosts are not loaded: what they show is told instead. */
function linked(text: string): Markup {
  const parts = text.split(/(!?\[[^[\]]*\]\([^()\s]*\))/);
  return markup`${parts.map((part, i) => {
    if (i % 2 === 0) return withAddresses(part);
    const [label = '', target = ''] = part.replace(/^!?\[/, '').slice(0, -1).split('](');
    // A scheme such as javascript: leads nowhere.
    const isLink = !part.startsWith('!') && /^(https?:|mailto:|\/|#)/.test(target);
    return isLink ? markup`<a href="${target}">${label}</a>` : label;
  })}`;
}

function withAddresses(text: string): Markup {
  const parts = text.split(/(https?:\/\/[^\s<>()`*[\]"']+)/);
  return markup`${parts.map((part, i) => {
    if (i % 2 === 0) return part;
    const end = /[.,;:]$/.test(part) ? part.slice(-1) : '';
    const address = part.slice(0, part.length - end.length);
    return markup`<a href="${address}">${address}</a>${end}`;
  })}`;
}

function code(text: string, linkOf: LinkOf | undefined): Markup {
  const target = linkOf?.(text);
  const shown = markup`<code>${text}</code>`;
  return target === undefined ? shown : markup`<a href="${target}">${shown}</a>`;
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replaceAll('\r', '').split('\n');
  for (let i = 0; i < lines.length; ) {
    const start = i;
    const line = lines[i] ?? '';
    const fence = line.match(/^ *(```|~~~)/)?.[1];
    if (fence) {
      i += 1;
      while (i < lines.length && !(lines[i] ?? '').trimStart().startsWith(fence)) i += 1;
      blocks.push({ kind: 'code', text: lines.slice(start + 1, i).join('\n') });
      i += 1;
      continue;
    }
    const [, marks, title] = line.match(/^(#+) +(.*)/) ?? [];
    if (marks && title !== undefined) {
      blocks.push({ kind: 'heading', level: marks.length, text: title });
      i += 1;
      continue;
    }
    if (line.trim() === '') {
      i += 1;
      continue;
    }
    i += 1;
    while (i < lines.length && !isEnd(lines[i] ?? '')) i += 1;
    blocks.push(...paragraphs(lines.slice(start, i)));
  }
  return blocks;
}

const isEnd = (line: string) => line.trim() === '' || /^(#+ | *(```|~~~))/.test(line);
const MARKER = /^ *(?:([-*+])|\d+[.)]) +/;

/** Lines without a blank one between them: a table, a list, or text with a list behind it. */
function paragraphs(lines: readonly string[]): Block[] {
  if (lines.every((line) => line.trimStart().startsWith('|'))) {
    const rows = lines.filter((line) => !/^[\s|:-]+$/.test(line)).map(cellsOf);
    return [{ kind: 'table', rows }];
  }
  const first = lines.findIndex((line) => MARKER.test(line));
  const joined = (some: readonly string[]) =>
    some.map((line) => line.replace(/^ *> ?/, '').trim()).join(' ');
  const before = first === -1 ? lines : lines.slice(0, first);
  const items: string[] = [];
  for (const line of lines.slice(before.length)) {
    if (MARKER.test(line)) items.push(line.replace(MARKER, '').trim());
    else items.push(`${items.pop()} ${line.trim()}`);
  }
  const kind = /^ *\d/.test(lines[first] ?? '') ? 'ol' : 'ul';
  return [
    ...(before.length > 0 ? [{ kind: 'text' as const, text: joined(before) }] : []),
    ...(items.length > 0 ? [{ kind, items } as const] : []),
  ];
}

function cellsOf(line: string): string[] {
  const cells = line.trim().split('|').slice(1);
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim());
}

function rendered(
  block: Block,
  levelOf: (level: number) => number,
  linkOf: LinkOf | undefined,
): Markup {
  const line = (text: string) => inline(text.replaceAll(/\s+/g, ' '), linkOf);
  switch (block.kind) {
    case 'heading':
      return heading(levelOf(block.level), line(block.text));
    case 'code':
      return markup`<pre class="code" tabindex="0"><code>${block.text}</code></pre>\n`;
    case 'text':
      return markup`<p>${line(block.text)}</p>\n`;
    case 'table':
      return tableOf(block.rows, line);
    default: {
      const items = block.items.map((item) => markup`<li>${line(item)}</li>\n`);
      return block.kind === 'ol' ? markup`<ol>${items}</ol>\n` : markup`<ul>${items}</ul>\n`;
    }
  }
}

function tableOf(
  [head = [], ...rows]: readonly (readonly string[])[],
  line: (text: string) => Markup,
): Markup {
  const cells = (row: readonly string[]) => row.map((cell) => markup`<td>${line(cell)}</td>`);
  return markup`<div class="scroll" tabindex="0"><table><thead><tr>${head.map(
    (cell) => markup`<th>${line(cell)}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => markup`<tr>${cells(row)}</tr>\n`)}</tbody></table></div>\n`;
}

function heading(level: number, text: Markup): Markup {
  const tag = { html: `h${level}` };
  return markup`<${tag}>${text}</${tag}>\n`;
}
