import { type Markup, markup } from './markup.ts';

/** As much of Markdown as the contracts and the change log use: headings, lists, code and emphasis. */
export function markdown(text: string, topLevel = 1): Markup {
  const spaced = text.replaceAll(/^#.*$/gm, '\n$&\n');
  const blocks = spaced.trim().split(/\n\s*\n/);
  return markup`${blocks.filter(Boolean).map((block) => blockOf(block, topLevel))}`;
}

/** One line of text, with code and emphasis. */
export function inline(text: string): Markup {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return markup`${parts.map((part) => {
    if (part.startsWith('`')) return markup`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? markup`<strong>${part.slice(2, -2)}</strong>` : part;
  })}`;
}

function blockOf(block: string, topLevel: number): Markup {
  const heading = block.match(/^(#+) (.*)/);
  if (heading) return headingOf(String(heading[1]).length - 1 + topLevel, String(heading[2]));
  if (!block.startsWith('- ')) return markup`<p>${inline(block.replaceAll(/\s+/g, ' '))}</p>\n`;
  const items = block.slice(2).split(/\n- /);
  return markup`<ul>${items.map(
    (item) => markup`<li>${inline(item.replaceAll(/\s+/g, ' '))}</li>\n`,
  )}</ul>\n`;
}

function headingOf(level: number, text: string): Markup {
  if (level === 1) return markup`<h1>${inline(text)}</h1>\n`;
  if (level === 2) return markup`<h2>${inline(text)}</h2>\n`;
  return markup`<h3>${inline(text)}</h3>\n`;
}
