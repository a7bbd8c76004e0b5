import { type Markup, markup } from './markup.ts';

/** A page under /docs, before it has its frame. */
export type Page = {
  readonly title: string;
  readonly body: Markup;
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  readonly modules?: readonly string[];
  /** Whether what it shows needs the whole width of the window. */
  readonly isWide?: boolean;
};

type Site = {
  readonly brand: string;
  /** Where the navigation leads. */
  readonly places: readonly (readonly [path: string, name: string, ...unknown[]])[];
};

/** The page in the frame that all of them share: the navigation, and whether the server is ready. */
export function framed({ brand, places }: Site, path: string, page: Page): string {
  const styles = ['site.css', ...(page.styles ?? [])];
  const scripts = ['status.js', ...(page.scripts ?? [])];
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · ${brand}</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
${styles.map((name) => markup`<link rel="stylesheet" href="/docs/assets/${name}">\n`)}
${scripts.map((name) => markup`<script src="/docs/assets/${name}" defer></script>\n`)}
${(page.modules ?? []).map((name) => markup`<script src="/docs/assets/${name}" type="module"></script>\n`)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
  <a class="brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="24" height="24">${brand}</a>
  <nav aria-label="Documentation">${places.map(([to, name]) => link(path, to, name))}</nav>
  <p class="status" data-status="unknown" role="status">asking …</p>
</header>
<main id="content" class="${page.isWide ? 'wide' : 'column'}">
${page.body}
</main>
</body>
</html>
`.html;
}

function link(path: string, to: string, text: string): Markup {
  if (path === to) return markup`<a href="${to}" aria-current="page">${text}</a>\n`;
  const isWithin = to !== '/docs' && path.startsWith(`${to}/`);
  return markup`<a href="${to}"${isWithin ? markup` aria-current="true"` : ''}>${text}</a>\n`;
}
