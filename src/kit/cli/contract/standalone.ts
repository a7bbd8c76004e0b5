import { readFileSync } from 'node:fs';
import { type Markup, markup } from '../../docs/markup.ts';

/** A page that needs nothing but itself: it opens from disk and prints. */
export function standalone(title: string, body: Markup): string {
  const style = readFileSync(new URL('./standalone.css', import.meta.url), 'utf8');
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.html;
}
