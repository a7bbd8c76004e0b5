const BLOCKS =
  /<\/?(?:article|aside|button|dd|details|div|dl|dt|fieldset|form|h[1-6]|input|label|legend|li|main|nav|ol|p|pre|section|select|summary|table|tbody|textarea|thead|tr|ul)\b[^>]*>/g;

/** What a reader of HTML sees, a line for each block: headings as `# A`, links as `[text](address)`. */
export function seenText(html: string): string[] {
  const text = html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<h([1-6])\b[^>]*>/g, (_, level) => `\n${'#'.repeat(Number(level))} `)
    .replaceAll(/<a\b[^>]*href="([^"]*)"[^>]*> *(.*?) *<\/a>/g, '[$2]($1)')
    .replaceAll(BLOCKS, '\n')
    .replaceAll(/<\/t[dh]>/g, ' | ')
    .replaceAll(/<[^>]*>/g, '');
  const lines = decoded(text).split('\n');
  const tidy = (line: string) => line.replaceAll(/\s+/g, ' ').replaceAll(' ](', '](').trim();
  return lines.map(tidy).filter((line) => line !== '');
}

/** The text of an attribute or an element as its author wrote it. */
export function decoded(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

/** The page itself, without the navigation and the sidebar beside it. */
export function articleIn(html: string): string {
  return html.split('<article class="page">')[1]?.split('</article>')[0] ?? '';
}

/** Every element of these names with its attributes; one without a value is true. */
export function elementsIn(html: string, names: string): Record<string, unknown>[] {
  const elements = html.matchAll(new RegExp(`<(${names})\\b([^>]*)>`, 'g'));
  return Array.from(elements, ([, name, attributes = '']) => {
    const pairs = attributes.matchAll(/ ([A-Za-z-]+)(?:="([^"]*)")?/g);
    const values = Array.from(pairs, ([, key = '', value]) => [
      key,
      value === undefined ? true : decoded(value),
    ]);
    return { name, ...Object.fromEntries(values) };
  });
}
