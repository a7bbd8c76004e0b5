import { expect } from 'vitest';

/** Reads every page that /docs leads to; the links that lead nowhere. */
export async function crawlDocs(url: string) {
  const pages = new Map<string, string>();
  const open = new Set(['/docs']);
  // A set yields what is added to it meanwhile.
  for (const path of open) {
    const page = await fetch(url + path);
    expect([path, page.status]).toEqual([path, 200]);
    const isPage = page.headers.get('content-type')?.startsWith('text/html');
    const html = await page.text();
    if (!isPage) continue;
    pages.set(path, html);
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="(\/[^"#]*)/g)) open.add(href);
  }
  const missing: string[] = [];
  for (const [path, html] of pages) {
    for (const [, href = '', id = ''] of html.matchAll(/<a [^>]*href="([^"#:]*)#([^"]*)"/g)) {
      const target = pages.get(href || path) ?? '';
      if (!target.includes(` id="${id}"`)) missing.push(`${path}: ${href}#${id}`);
    }
  }
  return { pages, missing };
}
