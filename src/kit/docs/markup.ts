/** HTML that may stand in a page as it is. */
export type Markup = { readonly html: string };

type Part = Markup | string | number | readonly Part[];

/** A template of HTML: whatever is put in is text and is escaped, unless it is markup. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { html: String.raw({ raw: strings }, ...parts.map(rendered)) };
}

function rendered(part: Part): string {
  if (typeof part === 'string')
    return part.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(rendered).join('');
}
