import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { inline } from '../../docs/markdown.ts';
import { type Markup, markup } from '../../docs/markup.ts';
import { gravest, levels } from './change.ts';
import type { Review } from './review.ts';
import { sectionMarkup } from './section-html.ts';
import { touchedOperations } from './touched.ts';
import { counted } from './verdict.ts';

const readers = [
  ['', 'Everybody'],
  ['product', 'Product'],
  ['client', 'Client developers'],
  ['architect', 'Architects'],
  ['security', 'Security'],
] as const;

/** One page that opens from disk and loads nothing. */
export function reviewHtml(review: Review, file: string): string {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  const { verdict, sentences, sections } = review;
  const link = (at: string) => linkTo(file, at);
  const real = sections.filter(({ changes }) => changes.some(({ isWording }) => !isWording));
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${verdict.label}: ${review.title}, ${review.from} → ${review.to}</title>
<style>${{ html: read('./review.css') }}</style>
</head>
<body>
<main>
<header>
<p class="soft">Contract review · ${review.from} → ${review.to}</p>
<h1>${review.title}</h1>
<div class="verdict ${verdict.level}"><strong>${verdict.label}</strong>
<ul>${verdict.reasons.map((each) => markup`<li>${capital(each)}</li>`)}</ul></div>
<p class="soft">${verdict.counts}</p>
</header>
<section aria-label="In short"><ul class="sentences">${sentences.map((each) => markup`<li>${inline(each)}</li>`)}</ul>
${review.asBefore.length > 0 ? markup`<p class="as-before">${review.asBefore.join(' ')}</p>` : ''}</section>
${problemsMarkup(review, link)}
${real.length > 0 ? toolbar : ''}
${groupsMarkup(real, link)}
<p id="none" class="soft" hidden>Nothing matches.</p>
${touchedMarkup(review)}
${wordingMarkup(review)}
${changelogMarkup(review)}
${parityMarkup(review)}
<footer class="soft"><p>Contracts: <code>${review.digests.before.slice(0, 16)}</code> → <code>${review.digests.after.slice(0, 16)}</code></p></footer>
</main>
<script>${{ html: read('./review-page.js') }}</script>
</body>
</html>
`.html;
}

const toolbar = markup`<nav class="tools" aria-label="Filter">
<span>${readers.map(
  ([value, label]) =>
    markup`<button type="button" data-reader="${value}" aria-pressed="${value === '' ? 'true' : 'false'}">${label}</button>`,
)}</span>
<input type="search" id="search" placeholder="Search (press /)" aria-label="Search">
<span><button type="button" id="open">Open all</button><button type="button" id="close">Close all</button></span>
<span class="soft keys">Keys: / search · j, k next, previous · o open · e, c open, close all · 1–5 readers</span>
</nav>`;

type Link = (at: string) => Markup;

const groups = [
  ['operation', 'Operations'],
  ['type', 'Types and shared parts'],
  ['api', 'The API as a whole'],
] as const;

/** Operations, types and the rest; first the group with the gravest change. */
function groupsMarkup(sections: Review['sections'], link: Link): Markup {
  const all = groups.map(([kind, title]) => ({
    title,
    own: sections.filter(({ subject }) => subject.kind === kind),
  }));
  const rank = (own: Review['sections']) => levels.indexOf(gravest(own.map(({ level }) => level)));
  const sorted = all.toSorted((a, b) => rank(a.own) - rank(b.own));
  return markup`${sorted.map(({ title, own }) => group(title, own, link))}`;
}

function group(title: string, sections: Review['sections'], link: Link): Markup {
  if (sections.length === 0) return markup``;
  return markup`<section class="group"><h2>${title} <span class="soft">${sections.length}</span></h2>
${sections.map((section) => sectionMarkup(section, link))}</section>`;
}

function problemsMarkup({ problems, changes, exceptions }: Review, link: Link): Markup {
  const open = problems.filter(({ accepted }) => !accepted);
  const used = [...changes, ...problems].filter(({ accepted }) => accepted);
  const unused = exceptions.filter((each) => !used.some(({ accepted }) => accepted === each));
  return markup`${
    open.length === 0
      ? ''
      : markup`<section><h2>To decide or mend</h2><ul class="problems">${open
          .slice(0, 50)
          .map(
            ({ source, message, at }) =>
              markup`<li><b>${source}</b> ${inline(capital(message))} ${link(at)}</li>`,
          )}${
          open.length > 50 ? markup`<li>… and ${open.length - 50} more</li>` : ''
        }</ul></section>`
  }${
    used.length + unused.length === 0
      ? ''
      : markup`<section><h2>Accepted by people</h2><table><thead><tr><th>What</th><th>Why</th><th>Who</th><th>Until</th></tr></thead><tbody>${used.map(
          ({ message, accepted }) =>
            markup`<tr><td>${inline(message)}</td><td>${accepted?.reason ?? ''}</td><td>${accepted?.owner ?? ''}</td><td>${accepted?.expires ?? ''}</td></tr>`,
        )}${unused.map(
          ({ place, reason, owner, expires }) =>
            markup`<tr class="soft"><td><code>${place}</code> (matches nothing that counts)</td><td>${reason}</td><td>${owner}</td><td>${expires}</td></tr>`,
        )}</tbody></table></section>`
  }`;
}

function touchedMarkup({ sections, methods, graphqlOperations }: Review): Markup {
  const operations = touchedOperations(sections);
  if (operations.length + methods.length + graphqlOperations.length === 0) return markup``;
  const used = sections.filter(({ use }) => use);
  return markup`<section><h2>Who is touched</h2>
<details><summary>${counted(operations.length, 'operation', 'operations')}</summary><ul class="names">${operations.map((each) => markup`<li><code>${each}</code></li>`)}</ul></details>
<details><summary>${counted(methods.length, 'method', 'methods')} of the SDKs</summary><ul class="names">${methods.map(
    ({ name, before, after }) =>
      markup`<li><code>${name}</code>${before ? (after ? '' : ' gone') : ' new'}</li>`,
  )}</ul></details>
${graphqlOperations.length > 0 ? markup`<details><summary>${counted(graphqlOperations.length, 'operation', 'operations')} of operations.graphql</summary><ul class="names">${graphqlOperations.map((each) => markup`<li><code>${each}</code></li>`)}</ul></details>` : ''}
${used.length > 0 ? markup`<table><thead><tr><th>Part</th><th>Used</th><th>Last</th></tr></thead><tbody>${used.map(({ subject, use }) => markup`<tr><td><code>${subject.name}</code></td><td>${(use?.count ?? 0).toLocaleString('en-US')}</td><td>${use?.last || 'unknown'}</td></tr>`)}</tbody></table>` : ''}
</section>`;
}

function wordingMarkup({ changes }: Review): Markup {
  const words = changes.filter(({ isWording }) => isWording);
  if (words.length === 0) return markup``;
  return markup`<section><h2>Words</h2><details><summary>${counted(words.length, 'text', 'texts')} reworded, which no program reads</summary>
<ul class="names">${words.map(({ message }) => markup`<li>${inline(message)}</li>`)}</ul></details></section>`;
}

function changelogMarkup({ changelog }: Review): Markup {
  return changelog === ''
    ? markup``
    : markup`<section><h2>Draft for the changelog</h2><pre>${changelog}</pre></section>`;
}

function parityMarkup({ parity }: Review): Markup {
  if (parity.length === 0) return markup``;
  const open = parity.filter(({ reason }) => !reason).length;
  return markup`<section><h2>REST and GraphQL</h2><details><summary>${
    open > 0
      ? `They contradict each other in ${counted(open, 'place', 'places')}`
      : `They agree, apart from ${counted(parity.length, 'difference', 'differences')} on purpose`
  }</summary>
<table><thead><tr><th>Field</th><th>Difference</th><th>Why</th></tr></thead><tbody>${parity.map(
    ({ entity, field, message, reason }) =>
      markup`<tr><td><code>${entity}.${field}</code></td><td>${message}</td><td>${reason ?? 'no reason is given'}</td></tr>`,
  )}</tbody></table></details></section>`;
}

/** The file and line of a part, as a link from where the page is. */
function linkTo(page: string, at: string): Markup {
  if (at === '') return markup``;
  const [, file = at, line] = /^(.*?):(\d+)/.exec(at) ?? [];
  const path = relative(dirname(page), file);
  return markup`<a class="place" href="${encodeURI(path)}${line ? `#L${line}` : ''}">${at}</a>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
